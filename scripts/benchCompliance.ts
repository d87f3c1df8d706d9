// npm run bench:compliance: how long one asset with 1,000, 10,000 and 100,000 events is judged by 20 policies, four of each kind. Writes docs/compliance-bench.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { createLedgerView } from '../indexer/createLedgerView.ts';
import { LAYOUT_VERSION } from '../indexer/keys.ts';
import type { LedgerView } from '../indexer/ledgerView.ts';
import { createIndexStore, type IndexStore } from '../indexer/store.ts';
import { createWriteBehind } from '../indexer/writeBehind.ts';
import { createAcceptanceClock } from '../server/acceptanceClock.ts';
import { checkCompliance } from '../server/operations/checkCompliance.ts';
import { createPageTokens } from '../server/pageTokens.ts';
import { createRunInTurns, TURN_MS } from '../server/turns.ts';
import {
  ASSET_UUID,
  CALLER,
  CONTRACT,
  createComplianceLogs,
  POLICIES,
  TENANT,
  toEndMs,
  type Works,
} from './benchComplianceLedger.ts';
import { describeMachine } from './benchMachine.ts';
import { type Measured, measure } from './benchReadsMeasure.ts';
import { SERVER_LIMITS } from './limits.ts';
import { createProgress } from './progress.ts';

const SIZES = [1_000, 10_000, 100_000];
const AIM_MS = 50;
const BATCH = 8_192;
const REPORT = fileURLToPath(new URL('../docs/compliance-bench.md', import.meta.url));

const fill = async (store: IndexStore, events: number, works: Works): Promise<void> => {
  const onStep = createProgress();
  const writer = createWriteBehind(store);
  let blockNumber = 0;
  for (const logs of createComplianceLogs(events, works, BATCH)) {
    blockNumber = logs.at(-1)!.blockNumber;
    const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber, blockHash: CONTRACT };
    await writer.put(logs, cursor, () =>
      onStep({ title: `indexing ${events} events`, unit: 'blocks', done: blockNumber, total: events + 1 }),
    );
  }
  await writer.end();
};

const createCheck = (view: LedgerView, nowMs: number) => {
  const handler = checkCompliance({
    view,
    writer: { flush: async () => {} },
    clock: createAcceptanceClock(() => nowMs),
    runInTurns: createRunInTurns({ nowMs: () => performance.now(), pause: setImmediate, turnMs: TURN_MS }),
    now: () => nowMs,
    pageTokens: createPageTokens(Buffer.alloc(32, 1)),
    limits: SERVER_LIMITS,
  } as unknown as Parameters<typeof checkCompliance>[0]);
  return (query: Record<string, string>) =>
    handler({ caller: CALLER, params: { uuid: ASSET_UUID }, query } as unknown as Parameters<typeof handler>[0]);
};

interface Row {
  readonly works: Works;
  readonly events: number;
  readonly now: Measured;
  readonly past: Measured;
}

const measureSize = async (events: number, works: Works): Promise<Row> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  const store = await createIndexStore(directory);
  try {
    await fill(store, events, works);
    const outbox = { readEntries: () => [], readStream: () => [] };
    const check = createCheck(createLedgerView({ store, outbox }), toEndMs(events));
    const { body } = await check({});
    if (body.compliance.length !== POLICIES) throw new Error(`${body.compliance.length} policies were judged`);
    const compliant_at = new Date(toEndMs(Math.floor(events / 2))).toISOString();
    return {
      works,
      events,
      now: await measure(() => check({}), 1),
      past: await measure(() => check({ compliant_at }), 1),
    };
  } finally {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
};

const toTable = (rows: readonly Row[]): string =>
  [
    '| kinds of work | events of the asset | now: p50, ms | p99, ms | at half of its life: p50, ms | p99, ms | aim: 50 ms |',
    '|---:|---:|---:|---:|---:|---:|---|',
    ...rows.map(({ works, events, now, past }) => {
      const isMet = Math.max(now.medianMs, past.medianMs) <= AIM_MS;
      const figures = [now.medianMs, now.p99Ms, past.medianMs, past.p99Ms].map((ms) => ms.toFixed(1)).join(' | ');
      return `| ${works} | ${events.toLocaleString('en')} | ${figures} | ${isMet ? 'met' : 'missed'} at p50 |`;
    }),
  ].join('\n');

const toReport = (table: string): string => `# Compliance checks

Written by \`npm run bench:compliance\`. One asset of ${TENANT}, judged by ${POLICIES} policies, four of each kind, by the operation
\`GET v1/compliance/assets/{uuid}\` without HTTP: past state, policies, events, verdicts and evidence. Half of the events open or close something
(correlated, some never closed), a quarter are inspections, a quarter readings: of one kind of work, so that all policies are about the same events, or of 20
kinds with display types of their own, a policy for each.

Machine: ${describeMachine()}.

${table}
`;

const run = async ({ print }: { print: boolean }): Promise<void> => {
  const rows: Row[] = [];
  for (const works of [1, 20] as const) for (const events of SIZES) rows.push(await measureSize(events, works));
  const table = toTable(rows);
  console.log(table);
  if (!print) await writeFile(REPORT, toReport(table));
};

await new Command('bench:compliance')
  .description('Measures compliance checks of assets of three sizes, and writes docs/compliance-bench.md')
  .option('--print', 'only print, leave docs/compliance-bench.md as it is', false)
  .action(run)
  .parseAsync();
