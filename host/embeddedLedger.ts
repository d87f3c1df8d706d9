// The ledger on the embedded chain: found where this installation deployed it, deployed only on a new chain, and never
// replaced by a new and empty one because a key or a file has changed.
import { mkdir } from 'node:fs/promises';
import { type Deployment, findLedger, findOrDeployLedger, toLedgerAddress } from '../chain/administration.ts';
import { type EmbeddedChain, openEmbeddedChain } from '../chain/embedded/embeddedChain.ts';
import { assertJournalAgrees, type KnownBlock } from '../chain/embedded/journal/assertJournalAgrees.ts';
import { openCheckedJournal } from '../chain/embedded/journal/checkedJournal.ts';
import type { LedgerAccounts } from '../chain/embedded/thirdPartyBlocks.ts';
import type { ChainPort } from '../chain/port.ts';
import type { Wallet } from '../chain/wallet.ts';
import { readCommittedBlock } from '../chain/writing/outboxStore.ts';
import type { Cursor } from '../indexer/rows/rows.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { limitCachedStates } from './cachedStates.ts';
import { dataPaths } from './files/dataPaths.ts';
import { type FoundIndex, inspectIndex } from './files/indexFiles.ts';
import { readLedgerBytecode } from './files/ledgerArtifact.ts';
import type { Keyring } from './keyring.ts';
import {
  assertAdministrator,
  assertChainThere,
  assertKnown,
  assertMayBegin,
  type KnownLedger,
  readKnownLedger,
  writeKnownLedger,
} from './knownLedger.ts';
import type { LedgerOptions } from './ledgerOptions.ts';
import { startSandbox } from './startEngine.ts';
import { openCoinbase } from './wallets/embeddedValidator.ts';
import { openTenantWallets } from './wallets/tenantWallets.ts';

const toMebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

// If the index or the outbox is ahead of the journal, the journal has lost blocks.
const findKnownBlocks = async (cursor: Cursor | undefined, outbox: string): Promise<KnownBlock[]> => {
  const committedBlock = await readCommittedBlock(outbox);
  return [
    ...(cursor === undefined ? [] : [{ source: 'the index', number: cursor.blockNumber, hash: cursor.blockHash }]),
    ...(committedBlock === 0 ? [] : [{ source: 'the outbox', number: committedBlock }]),
  ];
};

/**
 * Compares the chain of a data directory that no process has open with the other parts of the directory, and changes
 * nothing.
 * @throws LedgerError CHAIN_CORRUPT, CHAIN_MISMATCH or OUTBOX_CORRUPT, as a start does.
 */
export const assertChainUndamaged = async (dataDir: string): Promise<void> => {
  const { chain, recentBlocks, index, outbox } = dataPaths(dataDir);
  const { cursor, damage } = await inspectIndex(index, () => undefined);
  assertChainThere(dataDir, cursor !== undefined || damage !== undefined);
  await assertJournalAgrees(chain, recentBlocks, await findKnownBlocks(cursor, outbox));
};

// The accounts that append records. A replay asks only for blocks without effect, so the keys are read when it does.
const createSenderCheck = (keyring: Keyring): LedgerAccounts['isSender'] => {
  const readSenders = async (): Promise<Set<Hex>> => {
    const { address: relayer } = await keyring.requireWallet('relayer');
    return new Set([relayer, ...(await openTenantWallets(keyring)).addresses()]);
  };
  let senders: Promise<Set<Hex>> | undefined;
  return async (address) => {
    senders ??= readSenders();
    return (await senders).has(address);
  };
};

// The administrator's key determines the address of the contract. A new chain has neither key yet.
const findLedgerAccounts = async (keyring: Keyring): Promise<LedgerAccounts | undefined> => {
  const names = await keyring.listWallets();
  if (!names.includes('ledger-administrator') || !names.includes('relayer')) return undefined;
  const contract = toLedgerAddress(await keyring.requireWallet('ledger-administrator'));
  return { contract, isSender: createSenderCheck(keyring) };
};

/**
 * Opens the embedded chain of a data directory, or begins one in an empty directory; its replay continues. The index is
 * as it was found.
 * @throws LedgerError CHAIN_CORRUPT when the journal lacks what the index, the outbox or the copy of the newest blocks
 * has, CHAIN_MISMATCH when the chain is gone and other parts of its ledger are there.
 */
export const openEmbedded = async (
  options: LedgerOptions,
  keyring: Keyring,
  { cursor, damage }: FoundIndex,
): Promise<EmbeddedChain> => {
  const { dataDir, chainId, now, onProblem, onStep, publicExecution, startEngine, onEngineGivenUp, memoryReserve } =
    options;
  const { chain: directory, recentBlocks, outbox } = dataPaths(dataDir);
  const hasIndex = cursor !== undefined || damage !== undefined;
  assertChainThere(dataDir, hasIndex);
  for (const path of [directory, recentBlocks]) await mkdir(path, { recursive: true, mode: 0o700 });
  const knownBlocks = await findKnownBlocks(cursor, outbox);
  limitCachedStates();
  return openEmbeddedChain({
    directory,
    openJournal: openCheckedJournal({ copyDirectory: recentBlocks, knownBlocks, onProblem }),
    chainId,
    openCoinbase: () => {
      assertMayBegin(dataDir, hasIndex);
      return openCoinbase(keyring);
    },
    findLedgerAccounts: () => findLedgerAccounts(keyring),
    callGasMax: publicExecution?.callGasMax,
    publicGas: publicExecution,
    elapsedMs: publicExecution?.elapsedMs,
    isMemoryReserved: memoryReserve?.isReached,
    startEngine,
    startSandbox,
    onEngineGivenUp,
    now,
    onProblem,
    onProgress: ({ blocksDone, blocksTotal }) =>
      onStep({ title: 'replaying the chain', unit: 'blocks', done: blocksDone, total: blocksTotal }),
    onMemoryWarning: ({ usedBytes, limitBytes }) =>
      onProblem(
        `memory is short: ${toMebibytes(usedBytes)} of ${toMebibytes(limitBytes)} MiB used; ` +
          'the embedded chain keeps everything in memory, so move to a machine with more',
      ),
  });
};

/** The identity of a deployed ledger, for the data directory to keep. */
export const describeLedger = async (chain: ChainPort, { address: administrator }: Wallet, deployment: Deployment) => {
  const { address: contract, deploymentBlock } = deployment;
  const deploymentBlockHash = (await chain.fetchBlockHash(deploymentBlock))!;
  const { chainId, genesisHash } = chain;
  return { chainId, genesisHash, contract, administrator, deploymentBlock, deploymentBlockHash } satisfies KnownLedger;
};

const requireLedger = async (chain: ChainPort, administrator: Wallet): Promise<Deployment> => {
  const found = await findLedger(chain, toLedgerAddress(administrator));
  if (found !== undefined) return found;
  const message =
    `the chain has blocks, and no ledger of ${administrator.address}, whose key is keys/ledger-administrator.key. ` +
    'Nothing was changed. Restore that file from a backup';
  throw new LedgerError('CHAIN_MISMATCH', { message });
};

// A chain without blocks is one whose first start was cut off.
const findDeployment = async (chain: ChainPort, keyring: Keyring, known: KnownLedger | undefined) => {
  if (known === undefined && (await chain.fetchFinalHead()).number === 0) {
    const administrator = await keyring.openWallet('ledger-administrator');
    return { administrator, deployment: await findOrDeployLedger(chain, administrator, await readLedgerBytecode()) };
  }
  const administrator = await keyring.requireWallet('ledger-administrator');
  if (known !== undefined) assertAdministrator(administrator, known);
  return { administrator, deployment: await requireLedger(chain, administrator) };
};

/**
 * The ledger that `ledger.json` names, compared with the key of the administrator and with the journal; undefined
 * without that file. Whether the contract is there is only known after the replay.
 * @throws LedgerError CHAIN_MISMATCH when they differ.
 */
export const findJournalledLedger = async (
  dataDir: string,
  chain: EmbeddedChain,
  keyring: Keyring,
): Promise<Deployment | undefined> => {
  const known = await readKnownLedger(dataDir, 'embedded');
  if (known === undefined) return undefined;
  const administrator = await keyring.requireWallet('ledger-administrator');
  assertAdministrator(administrator, known);
  const deployment = { address: known.contract, deploymentBlock: known.deploymentBlock };
  assertKnown(known, await describeLedger(chain, administrator, deployment));
  return deployment;
};

/**
 * Finds the ledger of a data directory, and deploys it on a new chain. Waits for the replay. A directory of version 0.1
 * gets its `ledger.json` here, once the contract of its administrator was found on its chain.
 * @throws LedgerError CHAIN_MISMATCH when chain, contract or administrator are not those of the directory's
 * `ledger.json`.
 */
export const findEmbeddedLedger = async (
  dataDir: string,
  chain: EmbeddedChain,
  keyring: Keyring,
): Promise<Deployment> => {
  const known = await readKnownLedger(dataDir, 'embedded');
  const { administrator, deployment } = await findDeployment(chain, keyring, known);
  const found = await describeLedger(chain, administrator, deployment);
  if (known === undefined) await writeKnownLedger(dataDir, 'embedded', found);
  else assertKnown(known, found);
  return deployment;
};
