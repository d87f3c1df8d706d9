// Fills an index with the follower, as a rebuild does, and measures the cost and the space on disk.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startDecodingThread } from '../../host/indexing/decodingThread.ts';
import type { OnStep } from '../../host/ledgerOptions.ts';
import { createFollower } from '../../indexer/follower.ts';
import { counterKey } from '../../indexer/keys.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { toKey } from '../../ledger/identity.ts';
import { BENCH_CONTRACT, BENCH_DOMAIN, createBenchChain } from './benchChain.ts';
import { type Cost, minus, readCost } from './cost.ts';
import { type BenchTenant, createBenchTenant } from './readsLedger.ts';

/** The blocks that an installation's follower requests at once. */
const PAGE_BLOCKS = 64;
/** The second tenant has the first tenant's events divided by this. */
export const SECOND_TENANT_PART = 50;

/** A filled index and what filling it cost. */
export interface FilledIndex {
  readonly tenant: BenchTenant;
  /** Events of both tenants. */
  readonly events: number;
  readonly blocks: number;
  /** The cost of decoding, projection and writes, without the generation of the logs. */
  readonly rebuild: Cost;
  readonly bytes: number;
}

const readBytes = async (directory: string): Promise<number> => {
  const names = await readdir(directory);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

// A record that the projection skips would improve every figure.
const assertComplete = (store: IndexStore, { identity, events }: BenchTenant): void => {
  const indexed = store.read(counterKey(toKey(identity), 'events'));
  if (indexed !== events) throw new Error(`the index has ${indexed} of ${events} events of ${identity}`);
};

/** Fills the index in an empty directory with a tenant of `events` events and a small one. */
export const fillIndex = async (directory: string, events: number, onStep: OnStep): Promise<FilledIndex> => {
  const [tenant, second] = [createBenchTenant(1, events), createBenchTenant(2, Math.ceil(events / SECOND_TENANT_PART))];
  const chain = createBenchChain(tenant, second);
  const store = await createIndexStore(directory);
  const follower = await createFollower({
    chain,
    store,
    contract: BENCH_CONTRACT,
    domain: BENCH_DOMAIN,
    deploymentBlock: 1,
    pageBlocks: PAGE_BLOCKS,
    startDecoder: startDecodingThread,
    onProgress: (done, total) => onStep({ title: `indexing ${events} events`, unit: 'blocks', done, total }),
    onWipe: () => undefined,
  });
  const started = readCost();
  await follower.catchUp();
  const rebuild = minus(minus(readCost(), started), chain.generation());
  for (const each of [tenant, second]) assertComplete(store, each);
  await store.close();
  // When LevelDB is reopened, it writes its log to a sorted file.
  await (await createIndexStore(directory)).close();
  return {
    tenant,
    events: tenant.events + second.events,
    blocks: chain.blocks,
    rebuild,
    bytes: await readBytes(directory),
  };
};
