// A writer on a chain where a mined transaction is durable: what the outbox's files get, when, and what is answered.
import { expect } from 'chai';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import type { Commitment } from '../../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { FULL, watchBatches, withFailingLevel } from '../../support/levelMethod.ts';
import { ALPHA, anEvent, assetOf, eventOf } from '../../support/records.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, WAIT_MS, type WriterFixture } from '../../support/writerFixture.ts';

const STORE_AFTER_MS = 50;

const numbered = (event: number, fields: object = {}): LedgerRecord =>
  anEvent({ identity: eventOf(1, event), ...fields });
const toOutcome = (append: Promise<Commitment>): Promise<string> =>
  append.then(
    ({ confirmation_status: status }) => status,
    (error: LedgerError) => error.code,
  );

describe('records where a mined transaction is durable', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();
  const open = (directory: string, options: Parameters<typeof openWriter>[1] = {}): Promise<WriterFixture> =>
    openWriter(directory, { ...options, limits: { storeAfterMs: STORE_AFTER_MS, ...options.limits } });
  const openNew = async (options?: Parameters<typeof openWriter>[1]): Promise<WriterFixture> =>
    open(await makeDirectory(), options);
  const holdChain = ({ chain }: WriterFixture): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    chain.beforeSubmit = () => promise;
    return resolve;
  };
  const isSubmitted = (fixture: WriterFixture, batches = 1): Promise<void> =>
    time.until(() => fixture.chain.submitted.length === batches);
  const isStored = (fixture: WriterFixture, count: number): Promise<void> =>
    time.passUntil(() => fixture.outbox.readEntries().length === count);
  const identitiesIn = async (directory: string): Promise<string[]> => {
    const outbox = await createOutbox({ directory, entriesMax: 1 });
    await outbox.close();
    return outbox.readEntries().map(({ record, status }) => `${record.identity} ${status}`);
  };

  it('are not written to the outbox when they are committed soon', async () => {
    const fixture = await openNew();
    const writes = await watchBatches(async () => {
      for (const event of [1, 2]) expect(await toOutcome(fixture.append(numbered(event)))).to.equal('CONFIRMED');
      await time.pass(10 * STORE_AFTER_MS);
    });
    expect(writes).to.deep.equal([]);
    expect(fixture.outbox.pendingCount()).to.equal(0);
    await fixture.close();
  });

  it('are shown only once they are stored, and count towards the limit before', async () => {
    const fixture = await openNew({ entriesMax: 1 });
    const letGo = holdChain(fixture);
    const appended = fixture.append(numbered(1));
    await isSubmitted(fixture);
    expect(fixture.outbox.readEntries()).to.deep.equal([]);
    expect(fixture.outbox.readStream(ALPHA, assetOf(1))).to.deep.equal([]);
    expect(fixture.outbox.pendingCount()).to.equal(1);
    expect(await toOutcome(fixture.append(numbered(2)))).to.equal('OUTBOX_FULL');
    await isStored(fixture, 1);
    expect(fixture.outbox.pendingCount()).to.equal(1);
    letGo();
    expect(await toOutcome(appended)).to.equal('CONFIRMED');
    await time.until(() => fixture.outbox.readEntries().length === 0);
    await fixture.close();
  });

  it('are answered PENDING only once they are stored', async () => {
    const directory = await makeDirectory();
    const fixture = await open(directory, { limits: { waitMs: 10 } });
    holdChain(fixture);
    let answer: string | undefined;
    void toOutcome(fixture.append(numbered(1))).then((outcome) => {
      answer = outcome;
    });
    await isSubmitted(fixture);
    await time.pass(STORE_AFTER_MS - 1);
    expect(answer).to.equal(undefined);
    await time.passUntil(() => answer !== undefined);
    expect([answer, fixture.outbox.readEntries().length]).to.deep.equal(['PENDING', 1]);
  });

  it('are waited for by flush, until they are stored or committed', async () => {
    const fixture = await openNew();
    const letGo = holdChain(fixture);
    void fixture.append(numbered(1));
    let isFlushed = false;
    void fixture.writer.flush().then(() => {
      isFlushed = true;
    });
    await isSubmitted(fixture);
    await time.pass(1);
    expect(isFlushed).to.equal(false);
    await isStored(fixture, 1);
    await time.turns();
    expect(isFlushed).to.equal(true);
    letGo();
    await time.until(() => fixture.outbox.pendingCount() === 0);
    void fixture.append(numbered(2));
    await fixture.writer.flush();
    expect(fixture.chain.appended).to.have.length(2);
    await fixture.close();
  });

  it('leave the disk when they are committed while they are being stored', async () => {
    const directory = await makeDirectory();
    const fixture = await open(directory);
    const entry = fixture.outbox.admit(ALPHA, numbered(1), Buffer.from('x'));
    const storing = fixture.outbox.store([entry]);
    await Promise.resolve();
    await Promise.all([storing, fixture.outbox.remove([entry], 7)]);
    expect(fixture.outbox.readEntries()).to.deep.equal([]);
    await fixture.close();
    expect(await identitiesIn(directory)).to.deep.equal([]);
  });

  it('are FAILED in the outbox when the chain refuses them', async () => {
    const directory = await makeDirectory();
    const fixture = await open(directory);
    fixture.chain.refuses = ({ record }) => record.identity === eventOf(1, 1);
    const outcomes = await Promise.all([1, 2].map((event) => toOutcome(fixture.append(numbered(event)))));
    expect(outcomes).to.deep.equal(['FAILED', 'CONFIRMED']);
    await fixture.close();
    expect(await identitiesIn(directory)).to.deep.equal([`${eventOf(1, 1)} FAILED`]);
  });

  it('are stored when the writer stops, and submitted by the next one', async () => {
    const directory = await makeDirectory();
    const fixture = await open(directory, { limits: { batchRecordsMax: 1 } });
    const letGo = holdChain(fixture);
    const appended = [1, 2, 3].map((event) => toOutcome(fixture.append(numbered(event))));
    await isSubmitted(fixture);
    const closing = fixture.close();
    letGo();
    await closing;
    expect(await Promise.all(appended)).to.deep.equal(['CONFIRMED', 'PENDING', 'PENDING']);
    expect(await identitiesIn(directory)).to.deep.equal([2, 3].map((event) => `${eventOf(1, event)} PENDING`));
    const next = await open(directory);
    await time.until(() => next.chain.appended.length === 2);
    await next.close();
  });

  it('are refused while the outbox cannot store them, if they were not submitted', async () => {
    const fixture = await openNew({ limits: { batchRecordsMax: 1 } });
    const letGo = holdChain(fixture);
    await withFailingLevel('batch', async () => {
      const submitted = toOutcome(fixture.append(numbered(1)));
      await isSubmitted(fixture);
      const waiting = toOutcome(fixture.append(numbered(2)));
      await time.pass(STORE_AFTER_MS);
      await time.pass(STORE_AFTER_MS);
      expect(await waiting).to.equal('CHAIN_UNAVAILABLE');
      expect(fixture.outbox.pendingCount()).to.equal(1);
      letGo();
      expect(await submitted).to.equal('CONFIRMED');
    });
    await time.turns();
    expect(fixture.chain.appended.map(({ record }) => record.identity)).to.deep.equal([eventOf(1, 1)]);
    await fixture.close();
  });

  it('are refused with an earlier record of their stream, which they may depend on', async () => {
    const fixture = await openNew({ limits: { batchRecordsMax: 1 } });
    const letGo = holdChain(fixture);
    await withFailingLevel('batch', async () => {
      const submitted = toOutcome(fixture.append(numbered(1)));
      await isSubmitted(fixture);
      const refused = toOutcome(fixture.append(numbered(2)));
      await time.pass(STORE_AFTER_MS);
      const [later, ofOther] = [numbered(3), anEvent({ identity: eventOf(2, 4) })].map((record) =>
        toOutcome(fixture.append(record)),
      );
      await time.pass(STORE_AFTER_MS);
      expect(await Promise.all([refused, later])).to.deep.equal(['CHAIN_UNAVAILABLE', 'CHAIN_UNAVAILABLE']);
      letGo();
      expect(await Promise.all([submitted, ofOther])).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
    });
    await time.turns();
    expect(fixture.chain.appended.map(({ record }) => record.identity)).to.deep.equal([eventOf(1, 1), eventOf(2, 4)]);
    await fixture.close();
  });

  it('are stored once the outbox can be written again in time, and answered PENDING then', async () => {
    const fixture = await openNew();
    holdChain(fixture);
    const appended = toOutcome(fixture.append(numbered(1)));
    await isSubmitted(fixture);
    await withFailingLevel('batch', () => time.pass(WAIT_MS / 2));
    await isStored(fixture, 1);
    await time.pass(WAIT_MS / 2);
    expect(await appended).to.equal('PENDING');
  });

  it('are answered in time when they were submitted and the disk stays full, and committed once', async () => {
    const fixture = await openNew();
    const letGo = holdChain(fixture);
    const appended = toOutcome(fixture.append(numbered(1)));
    await isSubmitted(fixture);
    const flushed = fixture.writer.flush().then(
      () => 'flushed',
      ({ code }: LedgerError) => code,
    );
    await withFailingLevel(
      'batch',
      async () => {
        await time.pass(WAIT_MS - 1);
        await time.pass(3 * STORE_AFTER_MS);
        expect(await Promise.all([appended, flushed])).to.deep.equal(['STORAGE_FULL', 'STORAGE_FULL']);
      },
      FULL,
    );
    await isStored(fixture, 1);
    await fixture.writer.flush();
    letGo();
    await time.until(() => fixture.outbox.readEntries().length === 0);
    expect(fixture.chain.appended.map(({ record }) => record.identity)).to.deep.equal([eventOf(1, 1)]);
    await fixture.close();
  });

  it('are refused again as long as an earlier request with their identity may still be stored', async () => {
    const fixture = await openNew();
    const letGo = holdChain(fixture);
    const appended = toOutcome(fixture.append(numbered(1)));
    await isSubmitted(fixture);
    // The last step is longer, so that the outbox can be written again shortly before the next attempt to store.
    const steps = [STORE_AFTER_MS, STORE_AFTER_MS, WAIT_MS, STORE_AFTER_MS + 10];
    const passAll = async (): Promise<void> => {
      for (const ms of steps) await time.pass(ms);
    };
    await withFailingLevel('batch', passAll, FULL);
    expect(await appended).to.equal('STORAGE_FULL');
    await time.passUntil(() => fixture.outbox.findHealthIssue() === undefined, 10);
    expect(fixture.outbox.readEntries()).to.deep.equal([]);
    const again = toOutcome(fixture.append(numbered(1, { event_attributes: { note: 'other' } })));
    expect(fixture.outbox.pendingCount()).to.equal(1);
    expect(await again).to.equal('STORAGE_FULL');
    await isStored(fixture, 1);
    letGo();
    await time.until(() => fixture.outbox.readEntries().length === 0);
    await fixture.close();
  });

  it('leave their time of acceptance and their block to the next start', async () => {
    const directory = await makeDirectory();
    const fixture = await open(directory);
    await fixture.append(numbered(1, { timestamp_accepted: '2026-11-22T10:00:00.123Z' }));
    await fixture.close();
    const outbox = await createOutbox({ directory, entriesMax: 1 });
    expect(outbox.newestAcceptedMs()).to.equal(Date.parse('2026-11-22T10:00:00.123Z'));
    await outbox.close();
  });
});
