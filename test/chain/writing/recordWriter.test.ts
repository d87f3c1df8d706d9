import { expect } from 'chai';
import type { LedgerError } from '../../../ledger/errors.ts';
import { encodePayload, PAYLOAD_BYTES_MAX } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, anEvent, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, WAIT_MS, type WriterFixture } from '../../support/writerFixture.ts';

const numbered = (event: number, note = '') => anEvent({ identity: eventOf(1, event), event_attributes: { note } });
const identities = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => eventOf(1, from + index));
// A record whose payload has exactly this many bytes.
const ofBytes = (bytes: number) => {
  const attributes = (length: number) =>
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`n${at}`, 'x'.repeat(at === 0 ? length : 3_000)]));
  const frame = encodePayload(anEvent({ event_attributes: attributes(0) })).length;
  return anEvent({ event_attributes: attributes(bytes - frame) });
};

describe('record writer', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();
  const openNew = async (options: Parameters<typeof openWriter>[1] = {}): Promise<WriterFixture> =>
    openWriter(await makeDirectory(), options);

  // Submissions wait until the returned function is called.
  const holdChain = ({ chain }: WriterFixture): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    chain.beforeSubmit = () => promise;
    return () => resolve();
  };

  const accepted = (fixture: WriterFixture, count: number): Promise<void> =>
    time.until(() => fixture.outbox.readEntries().length === count);
  const inFlight = (fixture: WriterFixture): Promise<void> => time.until(() => fixture.chain.submitted.length === 1);

  it('answers with the commitment, and its outbox is empty then', async () => {
    const fixture = await openNew();
    expect(await fixture.append(numbered(1))).to.include({ confirmation_status: 'CONFIRMED', block_number: 1 });
    expect(await fixture.append(numbered(2))).to.include({ confirmation_status: 'CONFIRMED', block_number: 2 });
    await accepted(fixture, 0);
    expect(fixture.problems).to.deep.equal([]);
    await fixture.close();
  });

  it('commits alone what arrives when it is idle, and together what arrives meanwhile', async () => {
    const fixture = await openNew();
    const letGo = holdChain(fixture);
    const first = fixture.append(numbered(0));
    await inFlight(fixture);
    const later = identities(1, 10).map((_, at) => fixture.append(numbered(at + 1)));
    await accepted(fixture, 10);
    expect(fixture.chain.submitted).to.deep.equal([identities(0, 1)]);
    letGo();
    await Promise.all([first, ...later]);
    expect(fixture.chain.submitted).to.deep.equal([identities(0, 1), identities(1, 10)]);
    await fixture.close();
  });

  it("has a tenant's record in the next batch, however many of another tenant wait", async () => {
    const fixture = await openNew({ limits: { batchRecordsMax: 10 } });
    const letGo = holdChain(fixture);
    const first = fixture.append(numbered(0));
    await inFlight(fixture);
    const many = identities(1, 51).map((_, at) => fixture.append(numbered(at + 1)));
    const other = fixture.append(anEvent({ identity: eventOf(2, 1) }), BETA);
    await accepted(fixture, 52);
    letGo();
    await Promise.all([first, ...many, other]);
    expect(fixture.chain.submitted[1]).to.deep.equal([...identities(1, 10), eventOf(2, 1)]);
    expect(fixture.chain.submitted.flat().filter((identity) => identity !== eventOf(2, 1))).to.deep.equal(
      identities(0, 51),
    );
    await fixture.close();
  });

  it('has short batches while several tenants write', async () => {
    const fixture = await openNew({ limits: { batchRecordsMax: 10, sharedBatchRecordsMax: 4 } });
    const letGo = holdChain(fixture);
    const first = fixture.append(numbered(0));
    await inFlight(fixture);
    const many = identities(1, 51).map((_, at) => fixture.append(numbered(at + 1)));
    const other = fixture.append(anEvent({ identity: eventOf(2, 1) }), BETA);
    await accepted(fixture, 52);
    letGo();
    await Promise.all([first, ...many, other]);
    expect(fixture.chain.submitted[1]).to.deep.equal([...identities(1, 4), eventOf(2, 1)]);
    expect(Math.max(...fixture.chain.submitted.map((batch) => batch.length))).to.equal(4);
    await fixture.close();
  });

  it('commits records while the batch before is being indexed', async () => {
    const fixture = await openNew();
    const { promise, resolve } = Promise.withResolvers<void>();
    fixture.chain.beforeCatchUp = () => promise;
    const first = fixture.append(numbered(0));
    await time.until(() => fixture.chain.appended.length === 1);
    const second = fixture.append(numbered(1));
    await accepted(fixture, 2);
    resolve();
    expect((await first).confirmation_status).to.equal('CONFIRMED');
    await time.until(() => fixture.outbox.readEntries().length === 0);
    expect((await second).confirmation_status).to.equal('CONFIRMED');
    await fixture.close();
  });

  it('flushes when earlier records are in the outbox or refused, whatever follows', async () => {
    const fixture = await openNew({ entriesMax: 2 });
    const letGo = holdChain(fixture);
    const all = [0, 1, 2].map((event) => fixture.append(numbered(event)).catch(({ code }: LedgerError) => code));
    await fixture.writer.flush();
    expect(fixture.outbox.readEntries().map(({ record }) => record.identity)).to.deep.equal(identities(0, 2));
    await fixture.writer.flush();
    letGo();
    expect((await Promise.all(all)).at(-1)).to.equal('OUTBOX_FULL');
    await fixture.close();
  });

  it('gives the quota back what it refuses', async () => {
    const taken = new Set<number>();
    let count = 0;
    const take = () => {
      const own = count++;
      taken.add(own);
      return () => taken.delete(own);
    };
    const fixture = await openNew({ entriesMax: 2, limits: { quota: { take } } });
    const letGo = holdChain(fixture);
    const all = [0, 1, 2].map((event) => fixture.append(numbered(event)).catch(({ code }: LedgerError) => code));
    expect(await all[2]).to.equal('OUTBOX_FULL');
    letGo();
    await Promise.all(all);
    expect([...taken]).to.deep.equal([0, 1]);
    await fixture.close();
  });

  it('keeps the number of records in a batch within its limit', async () => {
    const fixture = await openNew({ limits: { batchRecordsMax: 3 } });
    const letGo = holdChain(fixture);
    const all = Array.from({ length: 8 }, (_, event) => fixture.append(numbered(event)));
    await accepted(fixture, 8);
    letGo();
    await Promise.all(all);
    expect(fixture.chain.submitted.flat()).to.deep.equal(identities(0, 8));
    expect(Math.max(...fixture.chain.submitted.map((batch) => batch.length))).to.equal(3);
    await fixture.close();
  });

  it('keeps the bytes in a batch within its limit, and submits a larger record alone', async () => {
    const fixture = await openNew({ limits: { batchBytesMax: 2_000 } });
    const letGo = holdChain(fixture);
    const notes = ['', 'x'.repeat(200), 'x'.repeat(200), 'x'.repeat(3_000), '', ''];
    const first = fixture.append(numbered(99));
    await inFlight(fixture);
    const all = notes.map((note, event) => fixture.append(numbered(event, note)));
    await accepted(fixture, notes.length + 1);
    letGo();
    await Promise.all([first, ...all]);
    expect(fixture.chain.submitted.slice(1)).to.deep.equal([
      identities(0, 2),
      identities(2, 3),
      identities(3, 4),
      identities(4, 6),
    ]);
    await fixture.close();
  });

  it('accepts the largest record and refuses one with one byte more', async () => {
    const fixture = await openNew();
    expect((await fixture.append(ofBytes(PAYLOAD_BYTES_MAX))).confirmation_status).to.equal('CONFIRMED');
    expect(fixture.chain.appended[0]!.payload.length).to.equal(PAYLOAD_BYTES_MAX);
    await accepted(fixture, 0);
    expect(await rejectionOf(fixture.append(ofBytes(PAYLOAD_BYTES_MAX + 1)))).to.equal('RECORD_TOO_LARGE');
    expect(fixture.outbox.readEntries()).to.deep.equal([]);
    await fixture.close();
  });

  it('answers PENDING after its timeout, and commits the record when the chain is back', async () => {
    const fixture = await openNew();
    const letGo = holdChain(fixture);
    const answer = fixture.append(numbered(1));
    await inFlight(fixture);
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    await time.pass(WAIT_MS - 1);
    expect(answered).to.equal(false);
    await time.pass(1);
    expect(await answer).to.include({ confirmation_status: 'PENDING', block_number: 0, transaction_id: '', from: '' });
    expect(fixture.outbox.readEntries()).to.have.length(1);
    letGo();
    await time.passUntil(() => fixture.outbox.readEntries().length === 0);
    expect(fixture.chain.appended.map(({ record }) => record.identity)).to.deep.equal([eventOf(1, 1)]);
    await fixture.close();
  });

  it('refuses records when its outbox is full, and accepts again later', async () => {
    const fixture = await openNew({ entriesMax: 2 });
    const letGo = holdChain(fixture);
    const answers = [fixture.append(numbered(1)), fixture.append(numbered(2))];
    await accepted(fixture, 2);
    expect(await rejectionOf(fixture.append(numbered(3)))).to.equal('OUTBOX_FULL');
    letGo();
    await Promise.all(answers);
    await accepted(fixture, 0);
    expect((await fixture.append(numbered(4))).confirmation_status).to.equal('CONFIRMED');
    expect(fixture.chain.appended.map(({ record }) => record.identity)).to.not.include(eventOf(1, 3));
    await fixture.close();
  });

  it('writes for each tenant', async () => {
    const fixture = await openNew();
    await Promise.all([
      fixture.append(numbered(1)),
      fixture.append(numbered(1), BETA),
      fixture.append(aTenantRecord(ALPHA)),
    ]);
    const tenants = fixture.chain.appended.map(({ tenantIdentity }) => tenantIdentity);
    expect(tenants).to.deep.equal([ALPHA, BETA, ALPHA]);
    await fixture.close();
  });

  it('refuses everything after it is stopped', async () => {
    const fixture = await openNew();
    await fixture.writer.stop();
    expect(await rejectionOf(fixture.append(numbered(1)))).to.equal('STOPPING');
    expect(fixture.outbox.readEntries()).to.deep.equal([]);
    await fixture.close();
  });

  it('completes the batch in flight before it stops, and leaves the rest in the outbox', async () => {
    const fixture = await openNew();
    const letGo = holdChain(fixture);
    const first = fixture.append(numbered(0));
    await inFlight(fixture);
    void fixture.append(numbered(1));
    await accepted(fixture, 2);
    const stopping = fixture.writer.stop();
    letGo();
    await stopping;
    expect((await first).confirmation_status).to.equal('CONFIRMED');
    expect(fixture.outbox.readEntries().map(({ record }) => record.identity)).to.deep.equal([eventOf(1, 1)]);
    await fixture.close();
  });

  it('answers PENDING at once for records that become durable while it stops', async () => {
    const fixture = await openNew({ limits: { waitMs: 2 ** 31 - 1 } });
    const answering = fixture.append(numbered(0));
    await fixture.writer.stop();
    expect((await answering).confirmation_status).to.equal('PENDING');
    expect(fixture.outbox.pendingCount()).to.equal(1);
    await fixture.close();
  });

  it('stops at once when it was never used', async () => {
    const fixture = await openNew();
    await fixture.close();
    expect(fixture.chain.submitted).to.deep.equal([]);
  });
});
