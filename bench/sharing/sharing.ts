// npm run bench:sharing: how long lists over own and shared records take beside the same lists without sharing. Writes
// its page in docs/measurements/.
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { createProgress } from '../../host/operator/progress.ts';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../indexer/reads/uncommitted.ts';
import { createIndexStore } from '../../indexer/store.ts';
import { fillIndex, SECOND_TENANT_PART } from '../reads/fill.ts';
import { createBenchTenant } from '../reads/readsLedger.ts';
import { type SharingRow, type SharingRun, toSections, toSharingReport } from './report.ts';
import { openSharingLedger, type SharingLedger } from './sharingLedger.ts';
import { createSharingQueries, type ListReader, type SharingQuery } from './sharingQueries.ts';
import { measureSideBySide } from './sideBySide.ts';

const REPORT = fileURLToPath(new URL('../../docs/measurements/sharing.md', import.meta.url));
const NO_OUTBOX = toUncommittedRecords([]);

interface Options {
  readonly events: string;
  readonly policies: string;
  readonly requests: string;
  readonly seconds: string;
  readonly match: string;
  readonly index?: string;
  readonly print: boolean;
}

interface Scenario {
  readonly title: string;
  readonly text: string;
  before(ledger: SharingLedger): Promise<void>;
}

const SCENARIOS: readonly Scenario[] = [
  { title: 'Nothing changes', text: 'No record is committed meanwhile.', before: () => Promise.resolve() },
  {
    title: 'Assets change',
    text: 'Before each request, a block is committed with an event for one asset of each chunk of 4,096 assets.',
    before: (ledger) => ledger.changeAssets(),
  },
  {
    title: 'A policy changes',
    text: 'Before each request, another version of an access policy is committed, with other filters and permissions.',
    before: (ledger) => ledger.changePolicy(),
  },
];

const onStep = createProgress();

// The benchmark writes to a copy, so that a kept index stays as it was filled.
const prepareIndex = async (kept: string, copy: string, events: number): Promise<void> => {
  await mkdir(kept, { recursive: true });
  if ((await readdir(kept)).length === 0) await fillIndex(kept, events, onStep);
  await cp(kept, copy, { recursive: true });
};

const measureAll = async (
  directory: string,
  { events, policies, requests, seconds, match }: Options,
): Promise<SharingRun['sections']> => {
  await using opened = new AsyncDisposableStack();
  const store = opened.adopt(await createIndexStore(directory), (each) => each.close());
  const owner = createBenchTenant(1, Number(events));
  const second = createBenchTenant(2, Math.ceil(Number(events) / SECOND_TENANT_PART));
  const ledger = openSharingLedger(store, owner, second);
  await ledger.share(Number(policies));
  const view = createLedgerView({ store, outbox: NO_OUTBOX });
  const readers: ListReader[] = [
    { tenantIdentity: owner.identity, reader: undefined },
    { tenantIdentity: second.identity, reader: { claims: {}, isOwnRestricted: false } },
  ];
  const bounds = { requests: Number(requests), ms: Number(seconds) * 1000 };
  const measure = async (query: SharingQuery, { before }: Scenario): Promise<SharingRow> => {
    const sends = await Promise.all(readers.map((reader) => query.open(view, reader)));
    const bytes = await Promise.all(sends.map((send) => send()));
    const [without, withSharing] = await measureSideBySide(sends, () => before(ledger), bounds);
    const { title, pageSize } = query;
    return { title, pageSize, bytes: [bytes[0]!, bytes[1]!], without: without!, withSharing: withSharing! };
  };
  const queries = createSharingQueries().filter(({ title }) => title.includes(match));
  const sections: { title: string; text: string; rows: SharingRow[] }[] = [];
  for (const scenario of SCENARIOS) {
    const rows: SharingRow[] = [];
    for (const query of queries) {
      rows.push(await measure(query, scenario));
      const total = SCENARIOS.length * queries.length;
      onStep({ title: 'measuring', unit: 'requests', done: sections.length * queries.length + rows.length, total });
    }
    sections.push({ title: scenario.title, text: scenario.text, rows });
  }
  return sections;
};

const run = async (options: Options): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  try {
    const directory = join(root, 'index');
    await prepareIndex(options.index ?? join(root, 'filled'), directory, Number(options.events));
    const loads = [loadavg()[0]!];
    const sections = await measureAll(directory, options);
    loads.push(loadavg()[0]!);
    console.log(toSections({ sections }));
    const { events, policies } = options;
    const report = toSharingReport({ sections, events: Number(events), policies: Number(policies), loads });
    if (!options.print) await writeFile(REPORT, report);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};

await new Command('bench:sharing')
  .description('Measures lists over own and shared records beside the same without sharing, and writes sharing.md')
  .option('--events <n>', "events of the owner's ledger", '1000000')
  .option('--policies <n>', 'access policies', '100')
  .option('--requests <n>', 'requests of each kind at most', '300')
  .option('--seconds <n>', 'time of each kind at most', '10')
  .option('--match <text>', 'only requests with this text in their titles; for --print', '')
  .option('--index <directory>', 'keep the filled index here; a directory with files has the index already')
  .option('--print', 'only print, leave the page as it is', false)
  .action(run)
  .parseAsync();
