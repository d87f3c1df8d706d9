// A ledger whose checkpoints are recorded on another one, for one test file.
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoints, openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { useDirectories } from './directories.ts';
import type { EvidenceFile } from './evidenceFiles.ts';
import { type AnotherLedger, openAnotherLedger } from './otherLedger.ts';
import { type SharedLedger, useSharedLedger } from './sharedLedger.ts';
import { until } from './until.ts';

/** Settings of records on another ledger. */
export type TestAnchorSettings = Awaited<ReturnType<AnotherLedger['writeSettings']>>;

/** Anchors of the only block of a file. */
export const anchorsOf = (file: EvidenceFile): EvidenceFile[] =>
  (file.blocks as { anchors: EvidenceFile[] }[])[0]!.anchors;

/** Registers mocha hooks that open both ledgers. */
export const useAnchoredLedger = () => {
  const [own, foreign] = [useSharedLedger(), useSharedLedger()];
  const makeDirectory = useDirectories();
  const problems: string[] = [];
  const causes: unknown[] = [];
  const clock = { nowMs: Date.now() };
  const opened: Checkpoints[] = [];
  let other: AnotherLedger;
  let settings: TestAnchorSettings;

  const open = async (changed: Partial<TestAnchorSettings> = {}): Promise<Checkpoints> => {
    const ledger = { ...own().ledger, now: () => clock.nowMs };
    const options = { checkpointSeconds: 3_600, logOrigin: 'own.example/1', ...settings, ...changed };
    const checkpoints = (await openCheckpoints(ledger, options, (message, cause) => {
      problems.push(message);
      causes.push(cause);
    }))!;
    opened.push(checkpoints);
    return checkpoints;
  };

  before(async () => {
    other = await openAnotherLedger(foreign());
    settings = await other.writeSettings(await makeDirectory());
    // So that the first checkpoint of each test is not due: the one of its event is.
    const { recorded, close } = await open();
    await until(() => recorded.newest() !== undefined);
    opened.pop();
    await close();
  });
  beforeEach(() => {
    problems.length = 0;
    causes.length = 0;
    other.intercept(undefined);
  });
  afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())));
  after(() => other.close());

  const toDirectory = (): string => join(dataPaths(own().dataDir).log, 'elsewhere');
  return {
    own,
    makeDirectory,
    problems,
    /** Those of the problems, undefined where there is none. */
    causes,
    clock,
    toDirectory,
    other: (): AnotherLedger => other,
    foreign: (): SharedLedger => foreign(),
    listRecords: async (): Promise<string[]> =>
      (await readdir(toDirectory()).catch(() => [] as string[])).filter((name) => name !== 'pending').sort(),
    isPending: (): Promise<boolean> =>
      access(join(toDirectory(), 'pending')).then(
        () => true,
        () => false,
      ),
    /** Opens the checkpoints; they are closed after the test. */
    open,
    /** Closes the checkpoints that were opened last. */
    close: async (): Promise<void> => opened.pop()?.close(),
    /** Records an event in a new block, and has a checkpoint of it, at least a period after the one before. */
    recordAndCheckpoint: async ({ request, log }: Checkpoints): Promise<{ event: EventResource; block: number }> => {
      const { alpha } = own();
      const { body } = await alpha.record(await alpha.createAsset(), 'anchored');
      clock.nowMs += 2_000;
      await request([]);
      return { event: body, block: log.head()!.newestBlock };
    },
    fetchFile: async (checkpoints: Checkpoints, event: EventResource): Promise<EvidenceFile> => {
      const { ledger } = own();
      return JSON.parse(await openEvidence({ ledger, checkpoints, waitMs: 30_000 }).makeEventEvidence(event));
    },
    isRecorded: async ({ recorded }: Checkpoints, block: number): Promise<boolean> =>
      (await recorded.find(block)) !== undefined,
  };
};
