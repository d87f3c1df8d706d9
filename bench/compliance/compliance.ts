// npm run bench:compliance: measures checks of one asset with 1,000, 10,000 or 100,000 events by 20 policies, four of
// each kind. Writes docs/measurements/compliance.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { createProgress } from '../../host/operator/progress.ts';
import { SERVER_LIMITS } from '../../host/settings/installationLimits.ts';
import { LAYOUT_VERSION } from '../../indexer/keys.ts';
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { applyLogs } from '../../indexer/projection/applyLogs.ts';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../indexer/reads/uncommitted.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { createAcceptanceClock } from '../../server/acceptanceClock.ts';
import { createServerTurns } from '../../server/fairness/serverTurns.ts';
import { createPageTokens } from '../../server/lists/pageTokens.ts';
import { checkCompliance } from '../../server/operations/compliance/checkCompliance.ts';
import { describeMachine } from '../machine.ts';
import { quantile } from '../quantile.ts';
import { type Measured, measure } from '../reads/measure.ts';
import { toTable } from '../table.ts';
import {
  ASSET_UUID,
  type BenchLedger,
  CALLER,
  CONTRACT,
  createComplianceLogs,
  POLICY_COUNT,
  TENANT,
  toEndMs,
  toUsualPolicies,
  type Works,
} from './complianceLedger.ts';
import { COSTLY_POLICIES } from './compliancePolicies.ts';

const SIZES = [1_000, 10_000, 100_000];
const AIM_MS = 50;
const BATCH = 8_192;
const REPORT = fileURLToPath(new URL('../../docs/measurements/compliance.md', import.meta.url));

const fill = async (store: IndexStore, ledger: BenchLedger): Promise<void> => {
  const onStep = createProgress();
  let blockNumber = 0;
  for (const logs of createComplianceLogs(ledger, BATCH)) {
    blockNumber = logs.at(-1)!.blockNumber;
    const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber, blockHash: CONTRACT };
    await applyLogs(store, { records: logs, attestations: [] }, cursor);
    onStep({
      title: `indexing ${ledger.events} events`,
      unit: 'blocks',
      done: blockNumber,
      total: ledger.events + 1,
    });
  }
  await store.written();
};

const createCheck = (view: LedgerView, nowMs: number) => {
  const handler = checkCompliance({
    view,
    writer: { flush: async () => {} },
    clock: createAcceptanceClock(() => nowMs),
    ...createServerTurns(),
    now: () => nowMs,
    pageTokens: createPageTokens(Buffer.alloc(32, 1)),
    limits: SERVER_LIMITS,
  } as unknown as Parameters<typeof checkCompliance>[0]);
  return (query: Record<string, string>) =>
    handler({ caller: CALLER, params: { uuid: ASSET_UUID }, query } as unknown as Parameters<typeof handler>[0]);
};

interface ComplianceResult {
  readonly works: Works;
  readonly events: number;
  readonly now: Measured;
  readonly past: Measured;
}

type Check = ReturnType<typeof createCheck>;

const withLedger = async <T>(ledger: BenchLedger, task: (check: Check) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  const store = await createIndexStore(directory);
  try {
    await fill(store, ledger);
    const outbox = toUncommittedRecords([]);
    const check = createCheck(createLedgerView({ store, outbox }), toEndMs(ledger.events));
    const { body } = await check({});
    const { length } = ledger.policies;
    if (body.compliance.length !== length)
      throw new Error(`${body.compliance.length} of ${length} policies were evaluated`);
    return await task(check);
  } finally {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
};

const measureSize = (events: number, works: Works): Promise<ComplianceResult> =>
  withLedger({ events, works, policies: toUsualPolicies(works) }, async (check) => {
    const compliant_at = new Date(toEndMs(Math.floor(events / 2))).toISOString();
    return {
      works,
      events,
      now: await measure(() => check({}), 1),
      past: await measure(() => check({ compliant_at }), 1),
    };
  });

interface Delay {
  readonly policies: string;
  readonly medianMs: number;
  /** The longest delay of the event loop, in milliseconds. */
  readonly longestMs: number;
}

const CHECKS = 20;
const NANOSECONDS_PER_MS = 1e6;

const measureDelay = (policies: string): Promise<Delay> =>
  withLedger({ events: SIZES.at(-1)!, works: 1, policies: COSTLY_POLICIES[policies]! }, async (check) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const elapsedMs: number[] = [];
    delay.enable();
    for (let sent = 0; sent < CHECKS; sent += 1) {
      const startedMs = performance.now();
      await check({});
      elapsedMs.push(performance.now() - startedMs);
      await setImmediate();
    }
    delay.disable();
    const medianMs = quantile(
      elapsedMs.toSorted((a, b) => a - b),
      0.5,
    );
    return { policies, medianMs, longestMs: delay.max / NANOSECONDS_PER_MS };
  });

const toDelayTable = (delays: readonly Delay[]): string =>
  toTable(
    ['policies', 'a check: p50, ms', 'longest delay of the event loop, ms'],
    delays.map((row) => [row.policies, row.medianMs.toFixed(0), row.longestMs.toFixed(1)]),
  );

const toCheckTable = (rows: readonly ComplianceResult[]): string =>
  toTable(
    [
      'kinds of work',
      'events of the asset',
      'now: p50, ms',
      'p99, ms',
      'at half of its life: p50, ms',
      'p99, ms',
      'aim: 50 ms',
    ],
    rows.map(({ works, events, now, past }) => {
      const isMet = Math.max(now.medianMs, past.medianMs) <= AIM_MS;
      const figures = [now.medianMs, now.p99Ms, past.medianMs, past.p99Ms].map((ms) => ms.toFixed(1));
      return [works, events.toLocaleString('en'), ...figures, `${isMet ? 'met' : 'missed'} at p50`];
    }),
  );

const toReport = (table: string, delays: string): string => `# Compliance checks

Written by \`npm run bench:compliance\`. One asset of ${TENANT} is checked against ${POLICY_COUNT} policies, four of each
type, by the operation \`GET v1/compliance/assets/{uuid}\` without HTTP: past state, policies, events, verdicts and
evidence. Half of the events open or close a pair (correlated, some never closed), a quarter are inspections, a
quarter readings. They are of one kind of work, so that all policies apply to the same events, or of 20 kinds with
their own display types, one policy for each.

Machine: ${describeMachine()}.

${table}

Effect of the costliest policies on other requests: the same asset with ${SIZES.at(-1)!.toLocaleString('en')} events,
checked ${CHECKS} times. The delay is that of Node's \`monitorEventLoopDelay\`, which includes the pauses of the garbage
collector.

${delays}
`;

const run = async ({ print }: { print: boolean }): Promise<void> => {
  const rows: ComplianceResult[] = [];
  for (const works of [1, 20] as const) for (const events of SIZES) rows.push(await measureSize(events, works));
  const table = toCheckTable(rows);
  const delays: Delay[] = [];
  for (const policies of Object.keys(COSTLY_POLICIES)) delays.push(await measureDelay(policies));
  const delayTable = toDelayTable(delays);
  console.log(`${table}\n\n${delayTable}`);
  if (!print) await writeFile(REPORT, toReport(table, delayTable));
};

await new Command('bench:compliance')
  .description('Measures compliance checks of assets of three sizes, and writes docs/measurements/compliance.md')
  .option('--print', 'only print, leave docs/measurements/compliance.md as it is', false)
  .action(run)
  .parseAsync();
