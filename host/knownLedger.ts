// The identity of a data directory's ledger: chain, contract and administrator. A start compares it, so that a
// directory never continues with another ledger, and never begins a new one beside it. The file is `network.json` for a
// ledger on a network, `ledger.json` for one on the embedded chain.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { toLedgerAddress } from '../chain/administration.ts';
import { hasDatabaseFiles } from '../chain/leveldb/cutOffStart.ts';
import { syncDirectory } from '../chain/leveldb/syncDirectory.ts';
import type { Wallet } from '../chain/wallet.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { dataPaths } from './files/dataPaths.ts';
import { trimText } from './files/privateFile.ts';

export interface KnownLedger {
  readonly chainId: number;
  readonly genesisHash: Hex;
  readonly contract: Hex;
  /** Address of the ledger's administrator; files of version 0.1 have none. */
  readonly administrator?: Hex;
  readonly deploymentBlock: number;
  /** Hash of the block of the deployment, or of a block before it. */
  readonly deploymentBlockHash: Hex;
  /** Whether another installation deployed it, so that no key of its administrator is here. */
  readonly joined?: true;
  /** Issuer of the ledger's own tokens and principals, where this ledger continues another one, whose issuer it is. */
  readonly issuer?: string;
}

export type ChainKind = 'embedded' | 'network';

const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;

const isKnownLedger = (value: Record<string, unknown>): boolean =>
  Number.isSafeInteger(value.chainId) &&
  Number.isSafeInteger(value.deploymentBlock) &&
  HASH.test(String(value.genesisHash)) &&
  HASH.test(String(value.deploymentBlockHash)) &&
  ADDRESS.test(String(value.contract)) &&
  (value.administrator === undefined || ADDRESS.test(String(value.administrator))) &&
  (value.joined === undefined || value.joined === true) &&
  (value.issuer === undefined || (typeof value.issuer === 'string' && value.issuer !== ''));

const refuse = (message: string): never => {
  throw new LedgerError('CHAIN_MISMATCH', { message });
};

const toPath = (dataDir: string, kind: ChainKind): string =>
  kind === 'network' ? dataPaths(dataDir).network : dataPaths(dataDir).ledger;

const hasEmbeddedChain = (dataDir: string): boolean => hasDatabaseFiles(dataPaths(dataDir).chain);

// Only an opened ledger leaves these parts. An index counts if it has a cursor or is damaged, which `hasIndex`
// states.
const findRemains = (dataDir: string, hasIndex: boolean): string | undefined => {
  const { outbox, ledger, keys, blobs, log } = dataPaths(dataDir);
  const remains: readonly (readonly [name: string, isThere: boolean])[] = [
    ['an index', hasIndex],
    ['an outbox', hasDatabaseFiles(outbox)],
    ['ledger.json', existsSync(ledger)],
    ['a block log', existsSync(log)],
    ["the keys of a ledger's first start", existsSync(join(keys, 'relayer.key'))],
    ['files of blobs', existsSync(join(blobs, 'content'))],
  ];
  return remains.find(([, isThere]) => isThere)?.[0];
};

/** Whether the directory has a ledger of either kind, or the remains of an interrupted repair. */
export const hasLedger = (dataDir: string): boolean => {
  const { network, ledger, chain, recentBlocks, repairedChain, repairing } = dataPaths(dataDir);
  return (
    hasDatabaseFiles(chain) ||
    hasDatabaseFiles(recentBlocks) ||
    [network, ledger, repairedChain, repairing].some((path) => existsSync(path))
  );
};

/**
 * Asserts that a directory has no ledger of the other kind.
 * @throws LedgerError CHAIN_MISMATCH when it has the ledger of an embedded chain and the settings name a network, or
 * the reverse.
 */
export const assertChainKind = (dataDir: string, kind: ChainKind): void => {
  if (kind === 'network' && (hasEmbeddedChain(dataDir) || existsSync(dataPaths(dataDir).ledger))) {
    refuse(`${dataDir} has the ledger of an embedded chain; unset CHAIN_RPC_URL, or choose another DATA_DIR`);
  }
  if (kind === 'embedded' && existsSync(dataPaths(dataDir).network)) {
    refuse(`${dataDir} has the ledger of a network; set CHAIN_RPC_URL to its nodes, or choose another DATA_DIR`);
  }
};

/**
 * Asserts that a new embedded chain may begin: the directory has no part of another ledger. `hasIndex`: whether its
 * index has a cursor, or is damaged.
 * @throws LedgerError CHAIN_MISMATCH that names the part.
 */
export const assertMayBegin = (dataDir: string, hasIndex: boolean): void => {
  const remains = findRemains(dataDir, hasIndex);
  if (remains === undefined) return;
  refuse(
    `${dataDir} has ${remains}, and no chain: a new ledger begins only in an empty directory. Run npm run repair -- --dry-run to see what can ` +
      'be restored, restore a backup, or name the nodes of its network with CHAIN_RPC_URL',
  );
};

/**
 * Asserts that the directory has the database of a chain, or that a new chain may begin.
 * @throws LedgerError CHAIN_MISMATCH.
 */
export const assertChainThere = (dataDir: string, hasIndex: boolean): void => {
  if (!hasEmbeddedChain(dataDir))
    assertMayBegin(dataDir, hasIndex || hasDatabaseFiles(dataPaths(dataDir).recentBlocks));
};

const toDifference = (name: string, known: unknown, found: unknown): string[] =>
  known === undefined || known === found ? [] : [`${name} is ${String(found)}, not ${String(known)}`];

const REMEDY =
  'Nothing was changed. Restore the file that differs from a backup: ledger.json or network.json, keys/ledger-administrator.key, or the chain';

/**
 * Compares the ledger of the directory's file with the one that was found.
 * @throws LedgerError CHAIN_MISMATCH that names each difference.
 */
export const assertKnown = (known: KnownLedger, found: KnownLedger): void => {
  const names = [
    'chainId',
    'genesisHash',
    'administrator',
    'contract',
    'deploymentBlock',
    'deploymentBlockHash',
  ] as const;
  const differences = names.flatMap((name) => toDifference(name, known[name], found[name]));
  if (differences.length > 0) refuse(`this is not the ledger of the directory: ${differences.join('; ')}. ${REMEDY}`);
};

/**
 * Asserts that the key of the administrator deployed the contract.
 * @throws LedgerError CHAIN_MISMATCH when it is another key.
 */
export const assertAdministrator = (
  { address }: Pick<Wallet, 'address'>,
  { contract, administrator }: KnownLedger,
): void => {
  if (toLedgerAddress({ address }) === contract && (administrator ?? address) === address) return;
  refuse(
    `keys/ledger-administrator.key is the key of ${address}, and the ledger at ${contract} has the administrator ` +
      `${administrator ?? 'of another key'}. ${REMEDY}`,
  );
};

const toDamage = (path: string, cause?: unknown): Error =>
  new Error(
    `${path} is damaged; restore it from a backup, or remove it: it is written again once chain and key were compared`,
    { cause },
  );

/** The ledger of the directory's file; undefined without a file. @throws Error when the file is damaged. */
export const readKnownLedger = async (dataDir: string, kind: ChainKind): Promise<KnownLedger | undefined> => {
  const path = toPath(dataDir, kind);
  if (!existsSync(path)) return undefined;
  let known: KnownLedger & Record<string, unknown>;
  try {
    known = JSON.parse(trimText(await readFile(path, 'utf8'))) as typeof known;
  } catch (cause) {
    throw toDamage(path, cause);
  }
  if (isKnownLedger(known)) return known;
  throw toDamage(path);
};

/**
 * The issuer of a ledger's own tokens and principals. It names the first chain and contract that the ledger was on, so
 * it never changes. `known` is undefined while there is no file.
 */
export const toIssuer = (
  { chainId, contract }: Pick<KnownLedger, 'chainId' | 'contract'>,
  known: KnownLedger | undefined,
): string => known?.issuer ?? `urn:provenance-ledger:${chainId}:${contract}`;

/** Writes the file of the directory's ledger, atomically. */
export const writeKnownLedger = async (dataDir: string, kind: ChainKind, known: KnownLedger): Promise<void> => {
  const path = toPath(dataDir, kind);
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(known, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncDirectory(dataDir);
};
