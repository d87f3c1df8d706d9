import { expect } from 'chai';
import type { LedgerError } from '../../../ledger/errors.ts';
import { encodePayload, PAYLOAD_BYTES_MAX } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, anEvent, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, WAIT_MS, type WriterSetting } from '../../support/writerSetting.ts';

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
  const openNew = async (options: Parameters<typeof openWriter>[1] = {}): Promise<WriterSetting> =>
    openWriter(await makeDirectory(), options);

  // Submissions wait until the returned function is called.
  const holdChain = ({ chain }: WriterSetting): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    chain.beforeSubmit = () => promise;
    return () => resolve();
  };

  const accepted = (setting: WriterSetting, count: number): Promise<void> =>
    time.until(() => setting.outbox.readEntries().length === count);
  const inFlight = (setting: WriterSetting): Promise<void> => time.until(() => setting.chain.submitted.length === 1);

  it('answers with the commitment, and its outbox is empty then', async () => {
    const setting = await openNew();
    expect(await setting.append(numbered(1))).to.include({ confirmation_status: 'CONFIRMED', block_number: 1 });
    expect(await setting.append(numbered(2))).to.include({ confirmation_status: 'CONFIRMED', block_number: 2 });
    await accepted(setting, 0);
    expect(setting.problems).to.deep.equal([]);
    await setting.close();
  });

  it('commits alone what arrives when it is idle, and together what arrives meanwhile', async () => {
    const setting = await openNew();
    const letGo = holdChain(setting);
    const first = setting.append(numbered(0));
    await inFlight(setting);
    const later = identities(1, 10).map((_, at) => setting.append(numbered(at + 1)));
    await accepted(setting, 10);
    expect(setting.chain.submitted).to.deep.equal([identities(0, 1)]);
    letGo();
    await Promise.all([first, ...later]);
    expect(setting.chain.submitted).to.deep.equal([identities(0, 1), identities(1, 10)]);
    await setting.close();
  });

  it('commits records while the batch before is being indexed', async () => {
    const setting = await openNew();
    const { promise, resolve } = Promise.withResolvers<void>();
    setting.chain.beforeCatchUp = () => promise;
    const first = setting.append(numbered(0));
    await time.until(() => setting.chain.appended.length === 1);
    const second = setting.append(numbered(1));
    await accepted(setting, 2);
    resolve();
    expect((await first).confirmation_status).to.equal('CONFIRMED');
    await time.until(() => setting.outbox.readEntries().length === 0);
    expect((await second).confirmation_status).to.equal('CONFIRMED');
    await setting.close();
  });

  it('flushes when earlier records are in the outbox or refused, whatever follows', async () => {
    const setting = await openNew({ entriesMax: 2 });
    const letGo = holdChain(setting);
    const all = [0, 1, 2].map((event) => setting.append(numbered(event)).catch(({ code }: LedgerError) => code));
    await setting.writer.flush();
    expect(setting.outbox.readEntries().map(({ record }) => record.identity)).to.deep.equal(identities(0, 2));
    await setting.writer.flush();
    letGo();
    expect((await Promise.all(all)).at(-1)).to.equal('OUTBOX_FULL');
    await setting.close();
  });

  it('keeps the number of records in a batch within its limit', async () => {
    const setting = await openNew({ limits: { batchRecordsMax: 3 } });
    const letGo = holdChain(setting);
    const all = Array.from({ length: 8 }, (_, event) => setting.append(numbered(event)));
    await accepted(setting, 8);
    letGo();
    await Promise.all(all);
    expect(setting.chain.submitted.flat()).to.deep.equal(identities(0, 8));
    expect(Math.max(...setting.chain.submitted.map((batch) => batch.length))).to.equal(3);
    await setting.close();
  });

  it('keeps the bytes in a batch within its limit, and submits a larger record alone', async () => {
    const setting = await openNew({ limits: { batchBytesMax: 2_000 } });
    const letGo = holdChain(setting);
    const notes = ['', 'x'.repeat(200), 'x'.repeat(200), 'x'.repeat(3_000), '', ''];
    const first = setting.append(numbered(99));
    await inFlight(setting);
    const all = notes.map((note, event) => setting.append(numbered(event, note)));
    await accepted(setting, notes.length + 1);
    letGo();
    await Promise.all([first, ...all]);
    expect(setting.chain.submitted.slice(1)).to.deep.equal([
      identities(0, 2),
      identities(2, 3),
      identities(3, 4),
      identities(4, 6),
    ]);
    await setting.close();
  });

  it('accepts the largest record and refuses one with one byte more', async () => {
    const setting = await openNew();
    expect((await setting.append(ofBytes(PAYLOAD_BYTES_MAX))).confirmation_status).to.equal('CONFIRMED');
    expect(setting.chain.appended[0]!.payload.length).to.equal(PAYLOAD_BYTES_MAX);
    await accepted(setting, 0);
    expect(await rejectionOf(setting.append(ofBytes(PAYLOAD_BYTES_MAX + 1)))).to.equal('RECORD_TOO_LARGE');
    expect(setting.outbox.readEntries()).to.deep.equal([]);
    await setting.close();
  });

  it('answers PENDING after its timeout, and commits the record when the chain is back', async () => {
    const setting = await openNew();
    const letGo = holdChain(setting);
    const answer = setting.append(numbered(1));
    await inFlight(setting);
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    await time.pass(WAIT_MS - 1);
    expect(answered).to.equal(false);
    await time.pass(1);
    expect(await answer).to.include({ confirmation_status: 'PENDING', block_number: 0, transaction_id: '', from: '' });
    expect(setting.outbox.readEntries()).to.have.length(1);
    letGo();
    await time.passUntil(() => setting.outbox.readEntries().length === 0);
    expect(setting.chain.appended.map(({ record }) => record.identity)).to.deep.equal([eventOf(1, 1)]);
    await setting.close();
  });

  it('refuses records when its outbox is full, and accepts again later', async () => {
    const setting = await openNew({ entriesMax: 2 });
    const letGo = holdChain(setting);
    const answers = [setting.append(numbered(1)), setting.append(numbered(2))];
    await accepted(setting, 2);
    expect(await rejectionOf(setting.append(numbered(3)))).to.equal('OUTBOX_FULL');
    letGo();
    await Promise.all(answers);
    await accepted(setting, 0);
    expect((await setting.append(numbered(4))).confirmation_status).to.equal('CONFIRMED');
    expect(setting.chain.appended.map(({ record }) => record.identity)).to.not.include(eventOf(1, 3));
    await setting.close();
  });

  it('writes for each tenant', async () => {
    const setting = await openNew();
    await Promise.all([
      setting.append(numbered(1)),
      setting.append(numbered(1), BETA),
      setting.append(aTenantRecord(ALPHA)),
    ]);
    const tenants = setting.chain.appended.map(({ tenantIdentity }) => tenantIdentity);
    expect(tenants).to.deep.equal([ALPHA, BETA, ALPHA]);
    await setting.close();
  });

  it('refuses everything after it is stopped', async () => {
    const setting = await openNew();
    await setting.writer.stop();
    expect(await rejectionOf(setting.append(numbered(1)))).to.equal('STOPPING');
    expect(setting.outbox.readEntries()).to.deep.equal([]);
    await setting.close();
  });

  it('completes the batch in flight before it stops, and leaves the rest in the outbox', async () => {
    const setting = await openNew();
    const letGo = holdChain(setting);
    const first = setting.append(numbered(0));
    await inFlight(setting);
    void setting.append(numbered(1));
    await accepted(setting, 2);
    const stopping = setting.writer.stop();
    letGo();
    await stopping;
    expect((await first).confirmation_status).to.equal('CONFIRMED');
    expect(setting.outbox.readEntries().map(({ record }) => record.identity)).to.deep.equal([eventOf(1, 1)]);
    await setting.close();
  });

  it('answers PENDING at once for records that become durable while it stops', async () => {
    const setting = await openNew({ limits: { waitMs: 2 ** 31 - 1 } });
    const answering = setting.append(numbered(0));
    await setting.writer.stop();
    expect((await answering).confirmation_status).to.equal('PENDING');
    expect(setting.outbox.pendingCount()).to.equal(1);
    await setting.close();
  });

  it('stops at once when it was never used', async () => {
    const setting = await openNew();
    await setting.close();
    expect(setting.chain.submitted).to.deep.equal([]);
  });
});
