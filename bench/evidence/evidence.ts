// npm run bench:evidence: measures evidence files (size, creation, check) and what checkpoints cost the write path.
// Writes docs/measurements/evidence.md.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { createProgress } from '../../host/operator/progress.ts';
import { describeAim } from '../aims.ts';
import { sendBulk } from '../load/bulkLines.ts';
import { createAssets } from '../load/createAssets.ts';
import { describeMachine } from '../machine.ts';
import { toTable } from '../table.ts';
import { CHECKPOINT_SECONDS, type CheckpointCost, measureCheckpointCost } from './checkpointCost.ts';
import { type EvidenceServer, startEvidenceServer } from './evidenceServer.ts';
import {
  type CreationTimes,
  type EventFile,
  fetchEventFile,
  type HistorySize,
  measureCreation,
  measureHistories,
  measureVerifier,
} from './fileFigures.ts';
import { measureTimestamp } from './timestampBytes.ts';
import type { VerifyTimes } from './verifyTimes.ts';

const PAGE = fileURLToPath(new URL('../../docs/measurements/evidence.md', import.meta.url));
const ASSETS = 50;
const IDLE_SECONDS = 86_400;
const EVENTS_PER_REQUEST = 20_000;
/** Hashes of a path in a tree of a million leaves. */
const LONG_PATH = 20;
/** Characters of one more hash: base64 and a newline in a proof of the log, which JSON escapes; quotes and a comma. */
const [LOG_HASH, TREE_HASH] = [44 + 2, 44 + 3];
const MEMBER = ',"rfc3161":[""]'.length;

const AIMS = {
  eventBytes: 6_500,
  fixedBytes: 5_000,
  recordBytes: 32,
  warmMs: 5,
  firstMs: 50,
  createMs: 10,
  cost: 0.95,
};

interface Figures {
  readonly events: number;
  readonly file: EventFile;
  readonly timestampLength: number;
  readonly creation: CreationTimes;
  readonly histories: readonly HistorySize[];
  readonly verifier: VerifyTimes;
  readonly cost: CheckpointCost;
}

const fill = async (server: EvidenceServer, events: number, onProgress: (done: number) => void): Promise<string[]> => {
  const assets = await createAssets(server.url, server.token, ASSETS);
  for (let done = 0; done < events; done += EVENTS_PER_REQUEST) {
    await sendBulk({ ...server, assets, events: Math.min(EVENTS_PER_REQUEST, events - done) });
    onProgress(Math.min(events, done + EVENTS_PER_REQUEST));
  }
  return assets;
};

const toTrust = ({ text }: EventFile, { logKey, witnessKey }: EvidenceServer): string => {
  const { ledger } = JSON.parse(text) as { ledger: object };
  return JSON.stringify({ ...ledger, logs: [logKey], witnesses: [witnessKey], quorum: 1 });
};

const findNewest = async ({ url, token }: EvidenceServer, asset: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v2/${asset}/events?page_size=1`, { headers });
  return ((await response.json()) as { events: [{ identity: string }] }).events[0].identity;
};

const measureFiles = async (
  events: number,
  onProgress: (done: number) => void,
): Promise<Omit<Figures, 'cost' | 'timestampLength'>> => {
  const server = await startEvidenceServer(IDLE_SECONDS);
  try {
    const assets = await fill(server, events, onProgress);
    const histories = await measureHistories(server);
    const file = await fetchEventFile(server, await findNewest(server, assets[0]!));
    const verifier = await measureVerifier({ file: file.text, trust: toTrust(file, server) });
    if (verifier.exitCode !== 0) throw new Error(`the check of a file ended with ${verifier.exitCode}`);
    return { events, file, histories, verifier, creation: await measureCreation(server, assets) };
  } finally {
    await server.stop();
  }
};

const toLengthAtMillion = ({ length, treePath, logPath }: EventFile): number =>
  length + (LONG_PATH - treePath) * TREE_HASH + (LONG_PATH - logPath) * LOG_HASH;

const toFileRows = ({ file, timestampLength, histories, verifier, creation }: Figures): string[][] => {
  const stamped = toLengthAtMillion(file) + timestampLength + MEMBER;
  const [first, last] = [histories[0]!, histories.at(-1)!];
  const perRecord = (last.bytes - first.bytes) / (last.records - first.records);
  const fixed = first.bytes - first.records * AIMS.recordBytes;
  return [
    ['one event with one witness, bytes', `${file.length}`, ''],
    [
      'the same in a million records and blocks, with a time stamp, bytes',
      `${stamped}`,
      describeAim(`≤ ${AIMS.eventBytes}`, stamped <= AIMS.eventBytes),
    ],
    [
      `completeness, gzip, beside ${AIMS.recordBytes} bytes a record`,
      `${fixed}`,
      describeAim(`≤ ${AIMS.fixedBytes}`, fixed <= AIMS.fixedBytes),
    ],
    ['completeness, gzip, bytes for one more record', perRecord.toFixed(2), ''],
    [
      'check of one event, ms',
      verifier.warmMs.toFixed(2),
      describeAim(`≤ ${AIMS.warmMs}`, verifier.warmMs <= AIMS.warmMs),
    ],
    [
      'the first one of a process, ms',
      verifier.firstMs.toFixed(1),
      describeAim(`≤ ${AIMS.firstMs}`, verifier.firstMs <= AIMS.firstMs),
    ],
    [
      'creation for one event, median of requests, ms',
      creation.medianMs.toFixed(2),
      describeAim(`≤ ${AIMS.createMs}`, creation.medianMs <= AIMS.createMs),
    ],
    ['the same, p99, ms', creation.p99Ms.toFixed(2), ''],
    ["the same, CPU time of the server's main thread, ms", creation.mainMs.toFixed(2), ''],
  ];
};

const toCostRows = ({ cost }: Figures): string[][] => {
  const toCells = ([median, least, most]: CheckpointCost['rate']): string =>
    `${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`;
  return [
    ['events/s with, without', `${cost.ratesPerSecond.map((rate) => rate.toFixed(0)).join(', ')}`, ''],
    ['events/s, with divided by without', toCells(cost.rate), describeAim(`≥ ${AIMS.cost}`, cost.rate[0] >= AIMS.cost)],
    ['CPU time of the main thread an event, with divided by without', toCells(cost.mainCpu), ''],
  ];
};

const toReport = (figures: Figures, { rounds, seconds }: { rounds: number; seconds: number }): string => {
  const { events, file } = figures;
  return `# Evidence files and checkpoints

Written by \`npm run bench:evidence\`: all figures are from one run.

- Machine: ${describeMachine()}.
- Ledger: ${events.toLocaleString('en')} events on the embedded chain, one witness.

## Files

Lengths are those of the JSON as the API returns it, without the event's own JSON. The paths of the measured file have
${file.treePath} hashes in the tenant's tree and ${file.logPath} in the block log. In a million records, each in its own block, both
have ${LONG_PATH}: ${TREE_HASH} and ${LOG_HASH} bytes more for each hash. The time stamp is a token of OpenSSL, RSA-2048, without
certificates. Requests are sent one after the other by a second process on the same machine.

${toTable(['', 'measured', 'aim'], toFileRows(figures))}

## The write path

Two servers in turn, ${rounds} rounds of ${seconds} s with 64 clients in a closed loop: one with a checkpoint every ${CHECKPOINT_SECONDS} s (the default
of the embedded chain is 600 s), each with an attestation and a witness; one with none. Medians, and the outermost
rounds. The contract keeps the tree in both; what it costs the chain is in [performance.md](performance.md).

${toTable(['', 'measured', 'aim'], toCostRows(figures))}
`;
};

const asCount = (name: string, text: string): number => {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new Error(`--${name} is a whole number, 1 or more`);
};

const run = async (options: { events: string; rounds: string; seconds: string; record: boolean }): Promise<void> => {
  const events = asCount('events', options.events);
  const order = { rounds: asCount('rounds', options.rounds), seconds: asCount('seconds', options.seconds) };
  const progress = createProgress();
  const timestampLength = await measureTimestamp();
  const files = await measureFiles(events, (done) =>
    progress({ title: 'recording events', unit: 'events', done, total: events }),
  );
  const cost = await measureCheckpointCost(order, (done) =>
    progress({ title: 'measuring checkpoints', unit: 'rounds', done, total: order.rounds }),
  );
  const report = toReport({ ...files, timestampLength, cost }, order);
  console.log(report);
  if (options.record) await writeFile(PAGE, report);
};

await new Command('bench:evidence')
  .description('Measures evidence files, and what checkpoints cost the write path')
  .option('--events <n>', 'events of the ledger', '100000')
  .option('--rounds <n>', 'rounds with and without checkpoints', '6')
  .option('--seconds <n>', 'length of a round', '20')
  .option('--record', 'write docs/measurements/evidence.md', false)
  .action(run)
  .parseAsync();
