// Pages that threads read: the same as those of the main thread, whatever happens to the threads or the index.
import { execFile } from 'node:child_process';
import { mock } from 'node:test';
import { promisify } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { Level } from 'level';
import { createReadThreads } from '../../../host/indexing/readThreads.ts';
import type { ReadThreads } from '../../../host/ledgerOptions.ts';
import { memberKey } from '../../../indexer/keys.ts';
import type { EncodedPage, EventQuery, LedgerView, PageQuery } from '../../../indexer/ledgerView.ts';
import { createIndexStore } from '../../../indexer/store.ts';
import { toKey } from '../../../ledger/identity.ts';
import { useDirectories } from '../../support/directories.ts';
import { TENANTS, words } from '../../support/histories.ts';
import { momentsOf } from '../../support/ledgers.ts';
import { withStepwiseBatches } from '../../support/levelMethod.ts';
import { assetQueriesOf, eventQueriesOf } from '../../support/queries.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, assetOf, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { delay } from '../../support/until.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const EVENTS: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };
const ALL: PageQuery = { limit: 1_000, position: undefined, isCounted: true };
const CONTEXT = { chainId: 1, at_time: '2026-01-01T00:00:00.000Z' };
const PROGRAM = new URL('../../../host/indexing/readProgram.ts', import.meta.url);

const programOf = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`);
const ON_READ = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('open');";

interface PooledIndex extends OpenIndex {
  readonly directory: string;
  readonly problems: string[];
  /** Reads that threads have taken. */
  taken(): number;
  /** Resolves when a thread takes reads. */
  ready(): Promise<void>;
}

describe('threads that read pages', () => {
  const makeDirectory = useDirectories();
  const opened: OpenIndex[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ store }) => store.close())));

  const open = async ({ program = PROGRAM, directory = '', count = 2 } = {}): Promise<PooledIndex> => {
    const path = directory || (await makeDirectory());
    const problems: string[] = [];
    const onProblem = (_message: string, cause?: unknown): number => problems.push((cause as Error).message);
    const threads = createReadThreads({ directory: path, count, onProblem, program });
    let taken = 0;
    const counting: ReadThreads = {
      ...threads,
      read: (delegated) => {
        const answer = threads.read(delegated);
        if (answer !== undefined) taken += 1;
        return answer;
      },
    };
    const index = await openIndex(path, counting);
    opened.push(index);
    const ready = async (): Promise<void> => {
      for (const before = taken; taken === before; await delay(5)) {
        await index.pooled.encodeEventPage(BETA, EVENTS, { ...ALL, isCounted: false, limit: 1 });
      }
    };
    return { ...index, directory: path, problems, taken: () => taken, ready };
  };

  const takeEvents = (index: OpenIndex, from: number, to: number): Promise<void> => {
    const records = Array.from({ length: to - from }, (_, at) => anEvent({ identity: eventOf(1, from + at) }));
    return index.take(records.map((record, at) => toRecordLog({ record }, from + at + 10)));
  };
  const fill = async (index: OpenIndex, events: number): Promise<void> => {
    await index.take([aTenantRecord(ALPHA), aCreation()].map((record, at) => toRecordLog({ record }, at + 1)));
    await takeEvents(index, 1, events);
  };
  const list = (index: OpenIndex): Promise<EncodedPage> => index.pooled.encodeEventPage(ALPHA, EVENTS, ALL);
  const total = async (index: OpenIndex): Promise<number> => (await list(index)).total!;

  // New threads can't be open yet.
  const expectNoThread = async (index: PooledIndex): Promise<void> => {
    const taken = index.taken();
    await total(index);
    expect(index.taken()).to.equal(taken);
  };

  const allPages = async (view: LedgerView, tenant: string, query: EventQuery, limit: number) => {
    const pages: unknown[] = [];
    let position: string | undefined;
    do {
      const { json, ...page } = await view.encodeEventPage(tenant, query, { limit, position, isCounted: true });
      pages.push([Buffer.from(json).toString(), page]);
      position = page.nextPosition;
    } while (position !== undefined);
    return pages;
  };

  it('answer as the main thread on generated ledgers', async () => {
    const index = await open();
    const requests = words.chain((of) =>
      fc.tuple(
        momentsOf(of),
        fc.array(eventQueriesOf(of), { minLength: 30, maxLength: 30 }),
        fc.array(assetQueriesOf(of), { minLength: 10, maxLength: 10 }),
      ),
    );
    for (const [{ logs, outbox }, ofEvents, ofAssets] of fc.sample(requests, 5)) {
      await index.clear();
      await index.take(logs.map(({ log }) => log));
      index.outbox.push(...outbox);
      await index.ready();
      const before = index.taken();
      for (const tenant of TENANTS.slice(0, 2)) {
        for (const query of ofEvents) {
          const expected = await allPages(index.view, tenant, query, 3);
          expect(await allPages(index.pooled, tenant, query, 3)).to.deep.equal(expected);
        }
        for (const query of ofAssets) {
          const given = [tenant, query, ALL, CONTEXT] as const;
          const { json, ...page } = await index.pooled.encodeAssetPage(...given);
          const expected = await index.view.encodeAssetPage(...given);
          expect({ ...page, json: Buffer.from(json) }).to.deep.equal({ ...expected, json: Buffer.from(expected.json) });
        }
      }
      expect(index.taken() - before).to.be.at.least(80);
    }
    expect(index.problems).to.deep.equal([]);
  });

  it('show each record from its acceptance on, once, while it moves from the outbox to the index', async () => {
    const index = await open();
    await fill(index, 5);
    await index.ready();
    let accepted = 5;
    const readWithin = async (): Promise<void> => {
      const least = accepted;
      expect(await total(index)).to.be.within(least, accepted);
    };
    for (let number = 5; number < 105; number += 1) {
      const record = anEvent({ identity: eventOf(1, number) });
      const entry = { sequence: number, tenantIdentity: ALPHA, streamIdentity: assetOf(1), record } as const;
      index.outbox.push({ ...entry, status: 'PENDING' });
      accepted += 1;
      const reads = [readWithin(), readWithin()];
      const taking = takeEvents(index, number, number + 1);
      reads.push(readWithin());
      await taking;
      reads.push(readWithin());
      index.outbox.shift();
      reads.push(readWithin());
      await Promise.all(reads);
    }
    expect(index.taken()).to.be.at.least(500);
    expect(index.problems).to.deep.equal([]);
  });

  it('leave reads to the main thread when they end, and are started again', async () => {
    const program = programOf(`import ${JSON.stringify(PROGRAM.href)}; setTimeout(() => process.exit(3), 300);`);
    const index = await open({ program, count: 1 });
    await fill(index, 20);
    for (let lives = 0; lives < 2; lives += 1) {
      await index.ready();
      while (index.problems.length === lives) {
        const totals = await Promise.all(Array.from({ length: 8 }, () => total(index)));
        expect(new Set(totals)).to.deep.equal(new Set([20]));
      }
    }
    expect(new Set(index.problems)).to.deep.equal(new Set(['a thread that reads lists has ended with code 3']));
  });

  it('leave reads in progress to the main thread when they throw', async () => {
    const index = await open({ program: programOf(`${ON_READ} parentPort.on('message', () => { throw 1; });`) });
    await fill(index, 20);
    await index.ready();
    expect(await Promise.all(Array.from({ length: 8 }, () => total(index)))).to.deep.equal(Array(8).fill(20));
    expect(index.problems).to.include('a thread that reads lists has failed: 1');
  });

  it('take a bounded number of reads; the main thread answers the others, and these when the threads end', async () => {
    const index = await open({ program: programOf(`${ON_READ} parentPort.on('message', () => undefined);`) });
    await fill(index, 20);
    const waiting: Promise<number>[] = [];
    // The threads open one after the other. A read that a thread takes is never answered.
    for (let answered = 0; waiting.length < 128 || answered < 2; await delay(1)) {
      const taken = index.taken();
      const read = total(index);
      let isAnswered = false;
      const end = (): void => {
        isAnswered = true;
      };
      read.then(end, end);
      while (!isAnswered && index.taken() === taken) await new Promise(setImmediate);
      if (!isAnswered) waiting.push(read);
      else if (waiting.length === 128) answered += 1;
      if (isAnswered) expect(await read).to.equal(20);
    }
    expect(waiting).to.have.length(128);
    await index.store.wipe();
    for (const found of await Promise.all(waiting)) expect(found).to.be.oneOf([0, 20]);
  });

  it('have no handle while rows are deleted, and read the new rows afterwards', async () => {
    const index = await open();
    await fill(index, 300);
    await index.ready();
    const reads = Array.from({ length: 40 }, () => total(index));
    await index.clear();
    await expectNoThread(index);
    for (const found of await Promise.all(reads)) expect(found).to.be.oneOf([0, 300]);
    await fill(index, 7);
    await index.ready();
    expect(await total(index)).to.equal(7);
    expect(index.problems).to.deep.equal([]);
  });

  it('have no handle while the index is reopened after a failed write', async () => {
    const index = await open();
    await fill(index, 50);
    await index.ready();
    const full = new Error('the disk is full');
    await withStepwiseBatches(
      () => Promise.reject(full),
      async () => {
        await takeEvents(index, 50, 51);
        expect(await rejectionOf(index.store.written())).to.equal('STORAGE_FULL');
      },
    );
    expect(await rejectionOf(list(index))).to.equal('STORAGE_FULL');
    const recovered = index.store.recover();
    while (index.store.opening() === undefined) await new Promise(setImmediate);
    const reads = Array.from({ length: 40 }, () => total(index));
    expect(await recovered).to.equal(true);
    await expectNoThread(index);
    expect(new Set(await Promise.all(reads))).to.deep.equal(new Set([51]));
    await takeEvents(index, 51, 60);
    await index.ready();
    expect(await total(index)).to.equal(60);
    await index.store.close();
    const again = await open({ directory: index.directory });
    expect(await total(again)).to.equal(60);
  });

  const changeRow = async (directory: string, key: Buffer): Promise<void> => {
    const db = new Level<Buffer, Buffer>(directory, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
    const stored = (await db.get(key))!;
    stored[9]! ^= 1;
    await db.put(key, stored);
    await db.close();
  };

  it('report the damage that they find, which refuses later reads until the index is rebuilt', async () => {
    const index = await open();
    await fill(index, 20);
    await index.store.close();
    await changeRow(index.directory, memberKey(toKey(ALPHA), 'events', 3));
    const damaged = await open({ directory: index.directory });
    await damaged.ready();
    const taken = damaged.taken();
    expect(await rejectionOf(list(damaged))).to.equal('INDEX_DAMAGED');
    expect(damaged.taken()).to.equal(taken + 1);
    expect(damaged.store.damage.found()).to.have.property('code', 'INDEX_DAMAGED');
    expect(await rejectionOf(list(damaged))).to.equal('INDEX_REBUILDING');
    expect(await damaged.store.recover()).to.equal(true);
    await fill(damaged, 20);
    damaged.store.damage.markComplete();
    await damaged.ready();
    expect(await total(damaged)).to.equal(20);
    expect(damaged.problems).to.deep.equal([]);
  });

  it('complete their reads before the index is closed, and leave no lock', async () => {
    const index = await open();
    await fill(index, 300);
    await index.ready();
    const taken = index.taken();
    const reads = Array.from({ length: 40 }, () => total(index));
    while (index.taken() < taken + 40) await new Promise(setImmediate);
    // Without a limit for the reads, which a stall of the machine would exceed.
    mock.timers.enable({ apis: ['setTimeout'] });
    await index.store.close().finally(() => mock.timers.reset());
    expect(await Promise.all(reads)).to.deep.equal(Array(40).fill(300));
    const alone = await createIndexStore(index.directory);
    expect(alone.readCursor()?.blockNumber).to.equal(309);
    await alone.close();
  });

  it('share the index with no other process', async () => {
    const index = await open();
    await fill(index, 20);
    await index.ready();
    const source = `const { openSharedIndex } = await import(${JSON.stringify(new URL('../../../indexer/sharedIndex.ts', import.meta.url).href)});
      await openSharedIndex(${JSON.stringify(index.directory)}).catch(({ cause }) => console.log(cause.code));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source]);
    expect(stdout.trim()).to.equal('LEVEL_LOCKED');
    expect(await total(index)).to.equal(20);
  });
});
