// What a data directory knows of its ledger: chain, contract and administrator, so that it never goes on with another, and never begins a
// new one beside it. `network.json` for a ledger on a network, `ledger.json` for one on the embedded chain.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { toLedgerAddress } from '../chain/administration.ts';
import { hasDatabaseFiles } from '../chain/leveldb/fileDamage.ts';
import type { Wallet } from '../chain/wallet.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { dataPaths } from './files/dataPaths.ts';
import { syncDirectory } from './files/syncDirectory.ts';

export interface KnownLedger {
  readonly chainId: number;
  readonly genesisHash: Hex;
  readonly contract: Hex;
  /** Address of the ledger's administrator; files of version 0.1 have none. */
  readonly administrator?: Hex;
  readonly deploymentBlock: number;
  /** Hash of the block of the deployment, or of a block before it. */
  readonly deploymentBlockHash: Hex;
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
  (value.administrator === undefined || ADDRESS.test(String(value.administrator)));

const refuse = (message: string): never => {
  throw new LedgerError('CHAIN_MISMATCH', { message });
};

const toPath = (dataDir: string, kind: ChainKind): string =>
  kind === 'network' ? dataPaths(dataDir).network : dataPaths(dataDir).ledger;

const hasEmbeddedChain = (dataDir: string): boolean => hasDatabaseFiles(dataPaths(dataDir).chain);

// What only a ledger that was open leaves there. An index counts once it has a cursor or is damaged, which `hasIndex` says.
const findRemains = (dataDir: string, hasIndex: boolean): string | undefined => {
  const { outbox, ledger, keys, blobs } = dataPaths(dataDir);
  const remains: readonly (readonly [name: string, isThere: boolean])[] = [
    ['an index', hasIndex],
    ['an outbox', hasDatabaseFiles(outbox)],
    ['ledger.json', existsSync(ledger)],
    ["the keys of a ledger's first start", existsSync(join(keys, 'relayer.key'))],
    ['files of blobs', existsSync(join(blobs, 'content'))],
  ];
  return remains.find(([, isThere]) => isThere)?.[0];
};

/** Whether there is a ledger in the directory, of either kind, or what a repair that was cut off has left of one. */
export const hasLedger = (dataDir: string): boolean => {
  const { network, ledger, chain, recentBlocks, repairedChain, repairing } = dataPaths(dataDir);
  return (
    hasDatabaseFiles(chain) ||
    hasDatabaseFiles(recentBlocks) ||
    [network, ledger, repairedChain, repairing].some((path) => existsSync(path))
  );
};

/**
 * A directory belongs to one chain.
 * @throws LedgerError CHAIN_MISMATCH when it belongs to an embedded chain and a network is wanted, or the other way round.
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
 * A new embedded chain begins only in a directory without anything of another ledger. `hasIndex`: whether its index has a cursor, or is damaged.
 * @throws LedgerError CHAIN_MISMATCH when something is there.
 */
export const assertMayBegin = (dataDir: string, hasIndex: boolean): void => {
  const remains = findRemains(dataDir, hasIndex);
  if (remains === undefined) return;
  refuse(
    `${dataDir} has ${remains}, and no chain: a new ledger begins only in an empty directory. Run npm run repair -- --dry-run to see what can ` +
      'be restored, restore a backup, or name the nodes of its network with CHAIN_RPC_URL',
  );
};

/** The same, for a directory without the database of a chain. */
export const assertChainThere = (dataDir: string, hasIndex: boolean): void => {
  if (!hasEmbeddedChain(dataDir))
    assertMayBegin(dataDir, hasIndex || hasDatabaseFiles(dataPaths(dataDir).recentBlocks));
};

const toDifference = (name: string, known: unknown, found: unknown): string[] =>
  known === undefined || known === found ? [] : [`${name} is ${String(found)}, not ${String(known)}`];

const REMEDY =
  'Nothing was changed. Bring the file that differs from a backup: ledger.json or network.json, keys/ledger-administrator.key, or the chain';

/**
 * Compares what the directory knows with what is there.
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

/** The key of the administrator must be the one that deployed the contract. @throws LedgerError CHAIN_MISMATCH when it is another. */
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

/** What the directory knows; undefined when nothing. @throws Error when the file is damaged. */
export const readKnownLedger = async (dataDir: string, kind: ChainKind): Promise<KnownLedger | undefined> => {
  const path = toPath(dataDir, kind);
  if (!existsSync(path)) return undefined;
  let known: KnownLedger & Record<string, unknown>;
  try {
    known = JSON.parse(await readFile(path, 'utf8')) as typeof known;
  } catch (cause) {
    throw toDamage(path, cause);
  }
  if (isKnownLedger(known)) return known;
  throw toDamage(path);
};

/** Writes what the directory knows from now on; whole or not at all. */
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
