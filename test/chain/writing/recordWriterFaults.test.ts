// Failures of the write path: refused records, a chain that is unavailable or answers late, stops and restarts.
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import type { Commitment } from '../../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import type { Fault } from '../../support/fakeChainAndIndex.ts';
import { anEvent, eventOf } from '../../support/records.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, WAIT_MS, type WriterFixture } from '../../support/writerFixture.ts';

// Longer than any test advances the time.
const PATIENT_MS = 2_000_000_000;

const numbered = (event: number): LedgerRecord => anEvent({ identity: eventOf(1, event) });
const identities = (...events: number[]): string[] => events.map((event) => eventOf(1, event));
const onChain = ({ chain }: WriterFixture): string[] => chain.appended.map(({ record }) => record.identity);
const inOutbox = ({ outbox }: WriterFixture): string[] =>
  outbox.readEntries().map(({ record, status }) => `${record.identity} ${status}`);
const statusOf = async (answer: Promise<Commitment>): Promise<string> => (await answer).confirmation_status;

describe('record writer with faults', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();
  const openWaiting = async (waitMs: number, faults: readonly Fault[]): Promise<WriterFixture> => {
    const fixture = await openWriter(await makeDirectory(), { limits: { waitMs } });
    fixture.chain.faults.push(...faults);
    return fixture;
  };
  const openNew = (...faults: Fault[]): Promise<WriterFixture> => openWaiting(PATIENT_MS, faults);
  // Appends records so that they form one batch, and returns their statuses.
  const appendTogether = (fixture: WriterFixture, events: readonly number[]): Promise<string[]> =>
    Promise.all(events.map((event) => statusOf(fixture.append(numbered(event)))));

  // Requests are answered before the entries are removed from the outbox.
  const tidied = (fixture: WriterFixture, left: number): Promise<void> =>
    time.until(() => inOutbox(fixture).length === left);

  const refuse = (fixture: WriterFixture, ...events: number[]): void => {
    fixture.chain.refuses = ({ record }) => identities(...events).includes(record.identity);
  };

  for (const [refused, name] of [
    [[4], 'one in the middle'],
    [[0], 'the first'],
    [[8], 'the last'],
    [[2, 3, 7], 'several'],
    [[0, 1, 2, 3, 4, 5, 6, 7, 8], 'every one'],
  ] as const) {
    it(`splits a batch so that only the refused records are FAILED: ${name}`, async () => {
      const fixture = await openNew();
      refuse(fixture, ...refused);
      const events = [0, 1, 2, 3, 4, 5, 6, 7, 8];
      const statuses = await appendTogether(fixture, events);
      const isRefused = (event: number): boolean => (refused as readonly number[]).includes(event);
      expect(fixture.chain.submitted[0]).to.have.length(9);
      expect(statuses).to.deep.equal(events.map((event) => (isRefused(event) ? 'FAILED' : 'CONFIRMED')));
      expect(onChain(fixture)).to.deep.equal(identities(...events.filter((event) => !isRefused(event))));
      await tidied(fixture, refused.length);
      expect(inOutbox(fixture)).to.deep.equal(identities(...refused).map((identity) => `${identity} FAILED`));
      expect(fixture.problems).to.have.length(refused.length);
      await fixture.close();
    });
  }

  it('continues after a record that the chain refused', async () => {
    const fixture = await openNew();
    refuse(fixture, 1);
    expect(await appendTogether(fixture, [1])).to.deep.equal(['FAILED']);
    expect(await appendTogether(fixture, [2])).to.deep.equal(['CONFIRMED']);
    await fixture.close();
  });

  it('refuses a record whose identity is on the chain with other content, and does not change that', async () => {
    const fixture = await openNew();
    await fixture.append(numbered(1));
    const other = anEvent({ identity: eventOf(1, 1), event_attributes: { note: 'another' } });
    const error = await fixture.append(other).catch((cause: unknown) => cause);
    expect(error).to.include({ code: 'IDENTITY_PRESENT' });
    expect([fixture.outbox.readEntries(), fixture.problems]).to.deep.equal([[], []]);
    expect(fixture.chain.appended.map(({ record }) => record)).to.deep.equal([numbered(1)]);
    await fixture.close();
  });

  it('commits a record that is accepted twice once, and answers both requests', async () => {
    const fixture = await openNew();
    expect(await appendTogether(fixture, [1, 1])).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
    expect(onChain(fixture)).to.deep.equal(identities(1));
    await tidied(fixture, 0);
    await fixture.close();
  });

  it('retries until the chain is back, and answers CONFIRMED if that is in time', async () => {
    const fixture = await openNew('away', 'away');
    const answers = appendTogether(fixture, [1, 2]);
    await time.passUntil(() => fixture.outbox.readEntries().length === 0 && fixture.chain.appended.length === 2);
    expect(await answers).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
    await time.passUntil(() => fixture.problems.length === 2);
    expect([fixture.problems, fixture.failedAttempts()]).to.deep.equal([
      [
        'records wait for the chain; attempts are repeated, every 5 s at least',
        'the chain takes records again, after 2 failed attempts',
      ],
      2,
    ]);
    await fixture.close();
  });

  it('answers PENDING while the chain is unavailable, and commits everything in order when it is back', async () => {
    const fixture = await openWaiting(WAIT_MS, Array<Fault>(20).fill('away'));
    const early = appendTogether(fixture, [1, 2]);
    await time.until(() => fixture.problems.length === 1);
    const late = appendTogether(fixture, [3]);
    await time.until(() => fixture.outbox.readEntries().length === 3);
    await time.pass(WAIT_MS);
    expect([...(await early), ...(await late)]).to.deep.equal(['PENDING', 'PENDING', 'PENDING']);
    expect(inOutbox(fixture)).to.have.length(3);
    await time.passUntil(() => inOutbox(fixture).length === 0);
    expect(onChain(fixture)).to.deep.equal(identities(1, 2, 3));
    await fixture.close();
  });

  it('waits longer after each attempt, up to 5 seconds', async () => {
    const fixture = await openNew(...Array<Fault>(10).fill('away'));
    void fixture.append(numbered(1));
    for (const [tries, waitMs] of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].entries()) {
      await time.until(() => fixture.failedAttempts() === tries + 1);
      await time.pass(waitMs - 1);
      expect(fixture.chain.submitted).to.have.length(tries + 1);
      await time.pass(1);
      await time.until(() => fixture.chain.submitted.length === tries + 2);
    }
    await fixture.close();
  });

  it('looks up a record whose answer was lost, and does not submit it again', async () => {
    const fixture = await openNew('answerLost');
    const answer = statusOf(fixture.append(numbered(1)));
    await time.passUntil(() => inOutbox(fixture).length === 0 && onChain(fixture).length === 1);
    expect(await answer).to.equal('CONFIRMED');
    expect(fixture.chain.submitted).to.have.length(1);
    await fixture.close();
  });

  for (const fault of ['answerLostIndexBehind', 'indexAway'] as const) {
    it(`has a record on the chain once after ${fault}`, async () => {
      const fixture = await openNew(fault);
      const answers = appendTogether(fixture, [1, 2]);
      await time.passUntil(() => onChain(fixture).length === 2 && inOutbox(fixture).length === 0);
      expect(await answers).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
      expect(onChain(fixture)).to.deep.equal(identities(1, 2));
      await fixture.close();
    });
  }

  it('finds the refused record of a batch whose first answer was lost', async () => {
    const fixture = await openNew('answerLost', 'away', 'none', 'answerLost');
    refuse(fixture, 2);
    const answers = appendTogether(fixture, [1, 2, 3]);
    await time.passUntil(
      () => inOutbox(fixture).every((line) => line.endsWith('FAILED')) && onChain(fixture).length === 2,
    );
    expect(await answers).to.deep.equal(['CONFIRMED', 'FAILED', 'CONFIRMED']);
    expect(onChain(fixture)).to.deep.equal(identities(1, 3));
    await fixture.close();
  });

  it('marks a refused record as FAILED once the disk accepts that', async () => {
    const fixture = await openNew();
    refuse(fixture, 1);
    const { fail } = fixture.outbox;
    let failures = 2;
    fixture.outbox.fail = async (...given) => {
      if (failures-- > 0) throw new LedgerError('STORAGE_FULL');
      return fail(...given);
    };
    const answers = appendTogether(fixture, [1]);
    await time.passUntil(() => inOutbox(fixture).some((line) => line.endsWith('FAILED')));
    expect(await answers).to.deep.equal(['FAILED']);
    await fixture.close();
  });

  it('continues with a batch after a failed query of the index', async () => {
    const fixture = await openNew('answerLost');
    fixture.chain.failingLooks = 2;
    const answers = appendTogether(fixture, [1, 2]);
    await time.passUntil(() => onChain(fixture).length === 2 && inOutbox(fixture).length === 0);
    expect(await answers).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
    await fixture.close();
  });

  it('stops during a retry without waiting for it, and keeps the records', async () => {
    const fixture = await openNew('away');
    void fixture.append(numbered(1));
    await time.until(() => fixture.problems.length === 1);
    await fixture.writer.stop();
    expect(fixture.chain.submitted).to.have.length(1);
    expect(inOutbox(fixture)).to.deep.equal([`${eventOf(1, 1)} PENDING`]);
    await time.pass(WAIT_MS);
    expect(fixture.chain.submitted).to.have.length(1);
    expect(fixture.problems).to.have.length(1);
    await fixture.close();
  });

  it('completes a mined batch before it stops, also during a retry of the next', async () => {
    const fixture = await openWriter(await makeDirectory(), { limits: { waitMs: PATIENT_MS, batchRecordsMax: 1 } });
    fixture.chain.faults.push('none', 'away');
    const { promise, resolve } = Promise.withResolvers<void>();
    fixture.chain.beforeCatchUp = () => promise;
    const first = statusOf(fixture.append(numbered(1)));
    void fixture.append(numbered(2));
    await time.until(() => onChain(fixture).length === 1);
    await time.turns();
    let isStopped = false;
    const stopping = fixture.writer.stop().then(() => {
      isStopped = true;
    });
    await time.turns();
    expect(isStopped).to.equal(false);
    resolve();
    await stopping;
    expect(await first).to.equal('CONFIRMED');
    expect(inOutbox(fixture)).to.deep.equal([`${eventOf(1, 2)} PENDING`]);
    await fixture.close();
  });

  it('submits what the outbox holds before anything new, and never the failed records', async () => {
    const directory = await makeDirectory();
    const before = await openWriter(directory);
    refuse(before, 1);
    await appendTogether(before, [1]);
    before.chain.faults.push('away');
    void before.append(numbered(2));
    void before.append(numbered(3));
    await time.until(() => before.problems.length === 2);
    await before.close();
    const after = await openWriter(directory);
    await appendTogether(after, [4]);
    await tidied(after, 1);
    expect(onChain(after)).to.deep.equal(identities(2, 3, 4));
    expect(inOutbox(after)).to.deep.equal([`${eventOf(1, 1)} FAILED`]);
    await after.close();
  });

  for (const [fault, submissions] of [
    ['answerLost', 1],
    ['answerLostIndexBehind', 2],
  ] as const) {
    it(`completes after a restart what was mined before it, and does not duplicate it: ${fault}`, async () => {
      const directory = await makeDirectory();
      const before = await openWriter(directory);
      before.chain.faults.push(fault);
      void before.append(numbered(1));
      await time.until(() => before.problems.length === 1);
      await before.close();
      const after = await openWriter(directory, { chain: before.chain });
      await time.until(() => inOutbox(after).length === 0);
      expect(onChain(after)).to.deep.equal(identities(1));
      expect(after.chain.submitted).to.have.length(submissions);
      await after.close();
    });
  }
});
