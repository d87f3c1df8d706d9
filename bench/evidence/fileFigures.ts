// The sizes of evidence files as the API returns them, and the time that a server needs for one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { sendBulk } from '../load/bulkLines.ts';
import { createAssets } from '../load/createAssets.ts';
import { readProcessUsage } from '../load/processUsage.ts';
import { quantile } from '../quantile.ts';
import type { EvidenceServer } from './evidenceServer.ts';
import type { VerifyOrder, VerifyTimes } from './verifyTimes.ts';

const PROGRAM = fileURLToPath(new URL('verifyTimes.ts', import.meta.url));
const EVENTS_OF_PAGE = 100;
const WARM_FILES = 200;
/** Lengths of histories whose files are measured. */
const HISTORIES = [10, 100, 1_000, 10_000];

/** An event file as text, in a ledger of this size. */
export interface EventFile {
  readonly text: string;
  /** Characters without the event's own JSON. */
  readonly length: number;
  /** Hashes of the path in the tenant's tree, and in the log of blocks. */
  readonly treePath: number;
  readonly logPath: number;
}

/** How long the server needs for a file of an event. */
export interface CreationTimes {
  readonly medianMs: number;
  readonly p99Ms: number;
  /** CPU time of the server's main thread. */
  readonly mainMs: number;
}

const fetchText = async ({ url, token }: EvidenceServer, path: string): Promise<string> => {
  const response = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 206)
    throw new Error(`${path} answers ${response.status}: ${text}`);
  return text;
};

const listEvents = async (server: EvidenceServer, asset: string): Promise<string[]> => {
  const page = JSON.parse(await fetchText(server, `v2/${asset}/events?page_size=${EVENTS_OF_PAGE}`)) as {
    events: { identity: string }[];
  };
  return page.events.map(({ identity }) => identity);
};

interface ParsedFile {
  readonly claim: { readonly event: object };
  readonly blocks: readonly { readonly anchors: readonly { readonly proof: string }[] }[];
  readonly proofs: readonly { readonly path?: readonly string[] }[];
}

const countLogPath = (proof: string): number => proof.slice(0, proof.indexOf('\n\n')).split('\n').length - 2;

/** The file of one event. */
export const fetchEventFile = async (server: EvidenceServer, event: string): Promise<EventFile> => {
  const text = await fetchText(server, `v2/${event}:evidence`);
  const { claim, blocks, proofs } = JSON.parse(text) as ParsedFile;
  const [anchor] = blocks[0]!.anchors;
  return {
    text,
    length: text.length - JSON.stringify(claim.event).length,
    treePath: proofs[1]?.path?.length ?? 0,
    logPath: anchor === undefined ? 0 : countLogPath(anchor.proof),
  };
};

/** Fetches the files of events one after the other, without new checkpoints. */
export const measureCreation = async (server: EvidenceServer, assets: readonly string[]): Promise<CreationTimes> => {
  const events = (await Promise.all(assets.map((asset) => listEvents(server, asset)))).flat();
  const fetchTimed = async (event: string): Promise<number> => {
    const beganMs = performance.now();
    await fetchText(server, `v2/${event}:evidence`);
    return performance.now() - beganMs;
  };
  for (const event of events.slice(0, WARM_FILES)) await fetchTimed(event);
  const before = await readProcessUsage(server.pid);
  const measured = events.slice(WARM_FILES);
  const times: number[] = [];
  for (const event of measured) times.push(await fetchTimed(event));
  const { mainThreadCpuMs } = await readProcessUsage(server.pid);
  times.sort((a, b) => a - b);
  const mainMs = (mainThreadCpuMs - before.mainThreadCpuMs) / measured.length;
  return { medianMs: quantile(times, 0.5), p99Ms: quantile(times, 0.99), mainMs };
};

/** The size of the file of a history, as gzip. */
export interface HistorySize {
  readonly records: number;
  readonly bytes: number;
}

/** Sizes of the files of histories, compressed with gzip. */
export const measureHistories = async (server: EvidenceServer): Promise<HistorySize[]> => {
  const sizes: HistorySize[] = [];
  for (const records of HISTORIES) {
    const assets = await createAssets(server.url, server.token, 1);
    await sendBulk({ ...server, assets, events: records - 1 });
    sizes.push({ records, bytes: gzipSync(await fetchText(server, `v2/${assets[0]}:evidence`)).length });
  }
  return sizes;
};

/** How long the check of a file takes, in a fresh process. */
export const measureVerifier = async (order: VerifyOrder): Promise<VerifyTimes> => {
  const child = fork(PROGRAM, { stdio: 'inherit' });
  child.send(order);
  const [times] = (await once(child, 'message')) as [VerifyTimes];
  await once(child, 'exit');
  return times;
};
