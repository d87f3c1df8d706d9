// What a data directory knows of the network that carries its ledger, so that it never goes on with another.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { LedgerError } from '../ledger/errors.ts';
import type { Hex } from '../ledger/hex.ts';
import { dataPaths } from './config.ts';

export interface KnownNetwork {
  readonly chainId: number;
  readonly genesisHash: Hex;
  readonly contract: Hex;
  readonly deploymentBlock: number;
  /** Hash of the block of the deployment, or of a block before it. */
  readonly deploymentBlockHash: Hex;
}

const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;

const isKnownNetwork = (value: Record<string, unknown>): boolean =>
  Number.isSafeInteger(value.chainId) &&
  Number.isSafeInteger(value.deploymentBlock) &&
  HASH.test(String(value.genesisHash)) &&
  HASH.test(String(value.deploymentBlockHash)) &&
  ADDRESS.test(String(value.contract));

const hasEmbeddedChain = (dataDir: string): boolean => existsSync(join(dataPaths(dataDir).chain, 'CURRENT'));

// What was made of a chain that isn't there any more: another one must not take what waits for it.
const hasRemains = (dataDir: string): boolean => {
  const { index, outbox, recentBlocks } = dataPaths(dataDir);
  return [index, outbox, recentBlocks].some((directory) => existsSync(join(directory, 'CURRENT')));
};

/** Whether there is a ledger in the directory, of either kind. */
export const hasLedger = (dataDir: string): boolean =>
  hasEmbeddedChain(dataDir) || existsSync(dataPaths(dataDir).network);

/**
 * A directory belongs to one chain for good.
 * @throws LedgerError CHAIN_MISMATCH when it belongs to an embedded chain and a network is wanted, or the other way round, or when an embedded
 * chain is wanted and what is there was made of another that is gone.
 */
export const assertChainKind = (dataDir: string, kind: 'embedded' | 'network'): void => {
  const refuse = (message: string): never => {
    throw new LedgerError('CHAIN_MISMATCH', { message });
  };
  if (kind === 'network' && hasEmbeddedChain(dataDir)) {
    refuse(`${dataDir} has the ledger of an embedded chain; unset CHAIN_RPC_URL, or choose another DATA_DIR`);
  }
  if (kind === 'embedded' && existsSync(dataPaths(dataDir).network)) {
    refuse(`${dataDir} has the ledger of a network; set CHAIN_RPC_URL to its nodes, or choose another DATA_DIR`);
  }
  if (kind === 'embedded' && !hasEmbeddedChain(dataDir) && hasRemains(dataDir)) {
    refuse(
      `${dataDir} has an index or an outbox, and neither a chain nor network.json: run npm run repair -- --dry-run to see what can be ` +
        'restored, bring back what is missing from a backup, or name the nodes of its network with CHAIN_RPC_URL',
    );
  }
};

/** What the directory knows; undefined when nothing. @throws Error when the file is damaged. */
export const readKnownNetwork = async (dataDir: string): Promise<KnownNetwork | undefined> => {
  const path = dataPaths(dataDir).network;
  if (!existsSync(path)) return undefined;
  try {
    const known = JSON.parse(await readFile(path, 'utf8')) as KnownNetwork & Record<string, unknown>;
    if (isKnownNetwork(known)) return known;
  } catch (cause) {
    throw new Error(`${path} is damaged; restore it from a backup, or remove it and run npm run deploy`, { cause });
  }
  throw new Error(`${path} is damaged; restore it from a backup, or remove it and run npm run deploy`);
};

/** Writes what the directory knows from now on; whole or not at all. */
export const writeKnownNetwork = async (dataDir: string, known: KnownNetwork): Promise<void> => {
  const path = dataPaths(dataDir).network;
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(known, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
};
