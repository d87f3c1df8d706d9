// Opens the chain of a data directory with the contract on it and its index, which has every block of the chain.
import { mkdir } from 'node:fs/promises';
import type { Deployment } from '../chain/administration.ts';
import type { EmbeddedChain } from '../chain/embedded/embeddedChain.ts';
import type { RpcChain } from '../chain/network/rpcChain.ts';
import type { ChainPort } from '../chain/port.ts';
import { readCommittedBlock, writeCommittedBlock } from '../chain/writing/outboxStore.ts';
import { createFollower, type Follower } from '../indexer/follower.ts';
import { type KnownFinals, NO_FINALS } from '../indexer/knownFinal.ts';
import type { IndexStore } from '../indexer/store.ts';
import { toDomainSeparator } from '../ledger/encoding/digest.ts';
import { fromHex, type Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { findEmbeddedLedger, findJournalledLedger, openEmbedded } from './embeddedLedger.ts';
import { dataPaths } from './files/dataPaths.ts';
import { lockDirectory } from './files/directoryLock.ts';
import { type FoundIndex, inspectIndex, openIndex } from './files/indexFiles.ts';
import { assertKnownFinals, keepReplaced, type ReplacedParts } from './finalBlocks.ts';
import { createFinalMark, type FinalMark } from './finalMark.ts';
import type { GoneRecords } from './gone/goneRecords.ts';
import { openGone } from './gone/keepGone.ts';
import { type Keyring, openKeyring } from './keyring.ts';
import { assertChainKind, type ChainKind, readKnownLedger, toIssuer } from './knownLedger.ts';
import type { IndexingLimits, LedgerOptions } from './ledgerOptions.ts';
import { findNetworkLedger, type NetworkOptions, openNetwork } from './networkLedger.ts';
import { assertRepaired } from './repair/repairFiles.ts';
import { openServing, readIndexedTenants, type Serving, toTenantKeys } from './servedTenants.ts';
import { openTenantWallets, type TenantWallets } from './wallets/tenantWallets.ts';

/**
 * The chain of a ledger. Only one on a network has nodes. Only the embedded chain answers third parties, has a
 * beneficiary of this installation, and a journal.
 */
export type LedgerChain = ChainPort &
  Partial<
    Pick<RpcChain, 'findReplaced' | 'finality' | 'readNodes' | 'readProgress' | 'readSubscriptions' | 'watchRecords'>
  > &
  Pick<RpcChain, 'fetchAccountNodes' | 'fetchEvidenceBlock'> &
  Partial<
    Pick<
      EmbeddedChain,
      | 'answer'
      | 'coinbase'
      | 'copyJournalTo'
      | 'findHealthIssue'
      | 'readEngine'
      | 'readSandbox'
      | 'readStatus'
      | 'replayedUntilSeconds'
      | 'stopReplay'
    >
  >;

const INDEXING: IndexingLimits = { pageBlocks: 64 };

const createDirectories = async (dataDir: string): Promise<void> => {
  const { keys, index, outbox } = dataPaths(dataDir);
  for (const path of [dataDir, keys, index, outbox]) await mkdir(path, { recursive: true, mode: 0o700 });
};

const toChainKind = ({ network }: LedgerOptions): ChainKind => (network === undefined ? 'embedded' : 'network');

interface ChainOfLedger {
  readonly chain: LedgerChain;
  findContract(keyring: Keyring): Promise<Deployment>;
  /** Resolves when the chain has been replayed, and has the contract that was found. */
  confirm(): Promise<void>;
  /**
   * @throws LedgerError CHAIN_UNAVAILABLE when the index is ahead of all nodes: its records may be on the chain
   * nevertheless.
   */
  assertReached(blockNumber: number): Promise<void>;
}

const openNetworkChain = async (options: LedgerOptions, network: NetworkOptions['network']) => {
  const { dataDir, now, onProblem, ending } = options;
  const chain: RpcChain = await openNetwork({ dataDir, network, now, onProblem, ending });
  const assertReached = async (blockNumber: number): Promise<void> => {
    if (await chain.hasBlock(blockNumber)) return;
    const message =
      `the index has block ${blockNumber}, and no node has it: they are behind, or the chain has lost blocks. Wait until they ` +
      'have caught up; npm run rebuild uses the chain as it is now';
    throw new LedgerError('CHAIN_UNAVAILABLE', { message });
  };
  const place = { dataDir, contract: network.contract, onProblem, ending };
  const findContract = (keyring: Keyring) => findNetworkLedger(place, chain, keyring);
  return { chain, findContract, confirm: async () => undefined, assertReached };
};

const openChain = async (options: LedgerOptions, keyring: Keyring, index: FoundIndex): Promise<ChainOfLedger> => {
  if (options.network !== undefined) return openNetworkChain(options, options.network);
  const chain = await openEmbedded(options, keyring, index);
  const { dataDir } = options;
  const confirm = async (): Promise<void> => {
    await chain.replayed;
    await findEmbeddedLedger(dataDir, chain, keyring);
  };
  const findContract = async (): Promise<Deployment> =>
    (await findJournalledLedger(dataDir, chain, keyring)) ?? (await findEmbeddedLedger(dataDir, chain, keyring));
  // Its journal has been compared with the index.
  return { chain, findContract, confirm, assertReached: async () => undefined };
};

/** An open chain with the contract on it and its index. */
export interface IndexedChain {
  readonly keyring: Keyring;
  readonly wallets: TenantWallets;
  /** The tenants of the index. */
  readonly serving: Serving;
  readonly chain: LedgerChain;
  readonly contract: Hex;
  /** Issuer of the ledger's own tokens and principals. */
  readonly issuer: string;
  /** Whether another installation deployed it. */
  readonly isJoined: boolean;
  readonly deployment: Deployment;
  readonly store: IndexStore;
  readonly follower: Follower;
  /** Writes down what became final. */
  readonly finalMark: Pick<FinalMark, 'note'>;
  /** The records that were final, and that the chain no longer has. */
  readonly gone: GoneRecords;
  /** What a rebuild on a network has set aside; undefined without one. */
  readonly replaced: ReplacedParts | undefined;
  /** Resolves when the chain has been replayed, and has the contract. */
  confirm(): Promise<void>;
  /** Closes everything in reverse order. */
  close(): Promise<void>;
}

// The index isn't synced: after a power failure, records may be neither in it nor in the outbox. A node that is behind
// doesn't have them either.
const refuseBehind = (committedBlock: number): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', {
    message:
      `block ${committedBlock} has records that are no longer in the outbox, and is not final at the nodes: they are behind, or ` +
      'the chain has lost blocks. Wait until they have caught up; npm run rebuild uses the chain as it is now',
  });

// The index follows the chain for the tenants that are served.
const openFollower = async (
  options: LedgerOptions,
  {
    keyring,
    chain,
    deployment,
    store,
    finals,
  }: Pick<IndexedChain, 'keyring' | 'chain' | 'deployment' | 'store'> & { readonly finals: KnownFinals },
): Promise<Pick<IndexedChain, 'wallets' | 'serving' | 'follower'>> => {
  const { address, deploymentBlock } = deployment;
  const isEmbedded = options.network === undefined;
  const wallets = await openTenantWallets(keyring);
  const { servedTenants: listed, sharingTenants: sharing = [] } = options;
  const indexed = isEmbedded || listed !== undefined ? [] : await readIndexedTenants(store);
  const serving: Serving = openServing(wallets, { isEmbedded, listed, sharing, indexed }, () => follower);
  const follower: Follower = await createFollower({
    chain,
    store,
    contract: address,
    deploymentBlock,
    readServed: serving.read,
    sharing: toTenantKeys(sharing),
    // The embedded chain executes the contract in this process, from a journal of its own.
    readAuthors: isEmbedded ? undefined : () => new Set(wallets.addresses()),
    domain: toDomainSeparator({ chainId: chain.chainId, contract: fromHex(address) }),
    trustsNewRecords: isEmbedded,
    ...(options.indexing ?? INDEXING),
    startDecoder: options.startDecoder,
    finals,
    onProgress: (done, total) => options.onStep({ title: 'indexing the chain', unit: 'blocks', done, total }),
    onWipe: (reason) => options.onProblem(`the index is wiped and rebuilt from the chain: ${reason}`),
  });
  return { wallets, serving, follower };
};

// The mark of a network. The embedded chain is compared with its journal.
const openMark = ({ network, dataDir, onProblem }: LedgerOptions, store: IndexStore): FinalMark => {
  if (network === undefined)
    return { write: async () => undefined, note: () => undefined, stop: async () => undefined };
  const readNewest = () => {
    const cursor = store.readCursor();
    return cursor && { number: cursor.blockNumber, hash: cursor.blockHash };
  };
  return createFinalMark(dataDir, readNewest, onProblem);
};

// A record that no author has signed, yet or at all, keeps a server from going on and not from starting: the batch that
// has the signature may wait in its outbox. What is before the record is indexed.
const catchUp = async (
  follower: Follower,
  { onProblem }: LedgerOptions,
  { rebuilds }: { readonly rebuilds: boolean },
): Promise<void> => {
  try {
    await follower.catchUp();
  } catch (cause) {
    if (rebuilds || follower.findUnproven() === undefined) throw cause;
    onProblem('the index is behind the chain', cause);
  }
};

const EMPTY_INDEX: FoundIndex = { cursor: undefined, damage: undefined };

/**
 * Opens the chain of a data directory, finds the contract on it, and brings the index to its head; `rebuilds` wipes the
 * index first, or sets it aside if the chain no longer has its newest block. The embedded chain may still be replayed
 * then: only an index that lacks blocks whose logs weren't kept waits for it.
 * @throws LedgerError CHAIN_REPLACED when the chain has replaced a block that was final, before anything is changed;
 * CHAIN_UNAVAILABLE when it lacks one whose records left the outbox, or that the index lacks. With `rebuilds`, the
 * chain counts as it is now, and AUTHOR_UNPROVED when it has a record that an author of this directory didn't sign.
 */
export const openUnconfirmedChain = async (
  options: LedgerOptions,
  { rebuilds = false } = {},
): Promise<IndexedChain> => {
  await using opened = new AsyncDisposableStack();
  const paths = dataPaths(options.dataDir);
  assertChainKind(options.dataDir, toChainKind(options));
  await createDirectories(options.dataDir);
  opened.defer(await lockDirectory(options.dataDir));
  assertRepaired(options.dataDir);
  const committedBlock = await readCommittedBlock(paths.outbox);
  const keyring = await openKeyring(paths.keys, options.sharedKeys);
  const found = await inspectIndex(paths.index, (done, total) =>
    options.onStep({ title: 'checking the index', unit: 'bytes', done, total }),
  );
  const { chain, ...ofLedger } = opened.adopt(await openChain(options, keyring, found), ({ chain: { close } }) =>
    close(),
  );
  const deployment = await ofLedger.findContract(keyring);
  const { address } = deployment;
  // The embedded chain has been compared with its journal, and its block log is when that is opened.
  const isNetwork = options.network !== undefined;
  const replaced = isNetwork && rebuilds ? await keepReplaced(options.dataDir, found, chain) : undefined;
  const finals = isNetwork && !rebuilds ? await assertKnownFinals(options.dataDir, found, chain) : NO_FINALS;
  const store = opened.adopt(
    await openIndex(paths.index, replaced?.hasIndex ? EMPTY_INDEX : found, options.onProblem, {
      cacheBytes: options.indexCacheBytes,
      isShared: options.startReadPool !== undefined,
    }),
    ({ close }) => close(),
  );
  if (rebuilds) await store.wipe();
  await ofLedger.assertReached(store.readCursor()?.blockNumber ?? 0);
  const { wallets, serving, follower } = await openFollower(options, { keyring, chain, deployment, store, finals });
  opened.defer(follower.stop);
  await catchUp(follower, options, { rebuilds });
  // Before the mark: until it is written, a start is refused, and what a killed rebuild has left isn't forgotten.
  const gone = await openGone(options.dataDir, { chain, contract: address, store }, options.onProblem);
  const finalMark = opened.adopt(openMark(options, store), ({ stop }) => stop());
  await finalMark.write();
  const indexed = store.readCursor()?.blockNumber ?? 0;
  if (indexed < committedBlock) {
    if (!rebuilds) throw refuseBehind(committedBlock);
    await writeCommittedBlock(paths.outbox, indexed);
  }
  const { confirm } = ofLedger;
  const known = await readKnownLedger(options.dataDir, toChainKind(options));
  const issuer = toIssuer({ chainId: chain.chainId, contract: address }, known);
  const all = opened.move();
  return {
    keyring,
    wallets,
    serving,
    chain,
    contract: address,
    issuer,
    isJoined: known?.joined === true,
    deployment,
    store,
    follower,
    finalMark,
    gone,
    replaced,
    confirm,
    close: () => all.disposeAsync(),
  };
};

/**
 * The same, resolved when the chain has been replayed.
 * @throws LedgerError CHAIN_CORRUPT when the replay has other hashes.
 */
export const openIndexedChain = async (...given: Parameters<typeof openUnconfirmedChain>): Promise<IndexedChain> => {
  await using opened = new AsyncDisposableStack();
  const indexed = opened.adopt(await openUnconfirmedChain(...given), ({ close }) => close());
  await indexed.confirm();
  opened.move();
  return indexed;
};
