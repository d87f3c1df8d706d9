// What one size of the ledger costs: to reach it by writing, to start a server on it, to rebuild its index, to read it.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { createProgress } from '../../host/operator/progress.ts';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../indexer/reads/uncommitted.ts';
import { createIndexStore } from '../../indexer/store.ts';
import { readResidentBytes } from '../load/processUsage.ts';
import { createQueries } from '../reads/benchQueries.ts';
import { fillIndex } from '../reads/fill.ts';
import { measure } from '../reads/measure.ts';
import { growLedger } from './growLedger.ts';
import type { GrowthOrder } from './growthOrder.ts';

/** The figures of one size. */
export interface SizeFigures {
  readonly events: number;
  readonly writeCpuUs: number;
  readonly writeMemoryBytes: number;
  readonly journalBytes: number;
  readonly indexBytes: number;
  readonly startSeconds: number;
  /** Of the server when it answers its first read. */
  readonly startedMemoryBytes: number;
  readonly rebuildCpuUs: number;
  readonly pageMs: number;
  readonly countMs: number;
}

const RETRY_MS = 20;
const PAGE = 'events';
const COUNT = 'count of events, 1 filter that 29 % meet';
const NO_OUTBOX = toUncommittedRecords([]);

const readBytes = async (directory: string): Promise<number> => {
  const names = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => stat(join(directory, name))));
  return sizes.filter((found) => found.isFile()).reduce((sum, { size }) => sum + size, 0);
};

// From the start of the process to the answer to its first read.
const measureStart = async (dataDir: string, token: string) => {
  const beganMs = performance.now();
  const server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'warn' });
  try {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const read = () => fetch(`${server.url}/archivist/v2/assets?page_size=1`, { headers });
    for (let answer = await read(); answer.status !== 200; answer = await read()) {
      if (answer.status !== 503) throw new Error(`the first read is answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      await setTimeout(RETRY_MS);
    }
    const startSeconds = (performance.now() - beganMs) / 1_000;
    return { startSeconds, startedMemoryBytes: await readResidentBytes(server.process.pid!) };
  } finally {
    await server.stop('SIGTERM');
  }
};

const measureIndex = async (directory: string, events: number) => {
  await mkdir(directory);
  const filled = await fillIndex(directory, events, createProgress());
  const store = await createIndexStore(directory);
  try {
    const makers = createQueries(createLedgerView({ store, outbox: NO_OUTBOX }), filled.tenant);
    const queries = await Promise.all(makers.map(async (make) => make()));
    const measureQuery = async (title: string): Promise<number> => {
      const query = queries.find((one) => one.title === title);
      if (query === undefined) throw new Error(`there is no request "${title}"`);
      return (await measure(query.send, 1)).medianMs;
    };
    const rebuildCpuUs = (filled.rebuild.cpuMs * 1_000) / filled.events;
    return { rebuildCpuUs, pageMs: await measureQuery(PAGE), countMs: await measureQuery(COUNT) };
  } finally {
    await store.close();
    await rm(directory, { recursive: true });
  }
};

/** Brings a ledger to a size, and measures. The data directory remains. */
export const measureSize = async (root: string, order: GrowthOrder): Promise<SizeFigures> => {
  const { dataDir, to: events } = order;
  const paths = dataPaths(dataDir);
  const written = await growLedger(order);
  const started = await measureStart(dataDir, written.token);
  return {
    events,
    writeCpuUs: written.mainThreadCpuUs,
    writeMemoryBytes: written.memoryBytes,
    journalBytes: (await readBytes(paths.chain)) / events,
    indexBytes: (await readBytes(paths.index)) / events,
    ...started,
    ...(await measureIndex(join(root, `index-${events}`), events)),
  };
};
