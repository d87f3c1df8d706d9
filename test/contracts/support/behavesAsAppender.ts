// The guarantees of appending: one suite, run for the author's own transactions and for relayed ones.
import { expect } from 'chai';
import type { ContractTransactionResponse } from 'ethers';
import { fetchAppended } from './appended.ts';
import { aRecord, keyOf, someRecords } from './aRecord.ts';
import { type Account, loadLedger } from './ledgerFixture.ts';
import { countStorageWrites, forceStreamCount } from './ledgerStorage.ts';
import { createStreamModel } from './streamModel.ts';
import { type TypedRecord, toRecordDigest } from './typedData.ts';

export type AppenderFixture = Awaited<ReturnType<typeof loadLedger>>;

/** Appends records of the author to the first tenant's streams. */
export type Submit = (
  fixture: AppenderFixture,
  author: Account,
  records: TypedRecord[],
) => Promise<ContractTransactionResponse>;

const MAX_PAYLOAD_BYTES = 65_536;
const COUNT_MAX = 2n ** 32n - 1n;

const aRecordOfBytes = (length: number): TypedRecord => ({ ...aRecord(), payload: `0x${'01'.repeat(length)}` });

const createModel = ({ domain, tenant }: AppenderFixture) =>
  createStreamModel((author, record) => toRecordDigest(domain, tenant, author, record));

const describeLogs = (submit: Submit) => {
  it('each record is one log with all its arguments, in the order of the batch', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer } = fixture;
    const records = [...someRecords(2, 'assets/door'), ...someRecords(2, 'assets/pump'), aRecord({ id: 'last' })];
    const expected = createModel(fixture).append(writer.address, records);
    const logs = await fetchAppended(ledger, await submit(fixture, writer, records));
    expect(logs).to.deep.equal(expected.map((appended) => ({ tenant, ...appended })));
  });

  it('a stream continues from one batch to the next', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer } = fixture;
    const records = someRecords(5);
    const expected = createModel(fixture).append(writer.address, records);
    await submit(fixture, writer, records.slice(0, 2));
    await submit(fixture, writer, records.slice(2));
    expect(await ledger.streamOf(tenant, records[0]!.stream)).to.deep.equal([expected.at(-1)!.head, 5n]);
  });
};

const describeStorage = (submit: Submit) => {
  it('a record writes two words of storage, a batch those of the tree: its size and its new peaks', async () => {
    const fixture = await loadLedger();
    const first = await submit(fixture, fixture.writer, someRecords(7));
    expect(await countStorageWrites(first)).to.equal(2 * 7 + 1 + 3);
    const second = await submit(fixture, fixture.writer, someRecords(9, 'assets/pump'));
    expect(await countStorageWrites(second)).to.equal(2 * 9 + 1 + 1);
  });

  it('the largest payload is appended', async () => {
    const fixture = await loadLedger();
    const record = aRecordOfBytes(MAX_PAYLOAD_BYTES);
    const [log] = await fetchAppended(fixture.ledger, await submit(fixture, fixture.writer, [record]));
    expect(log!.payload).to.equal(record.payload);
  });

  it('the last position of a stream can be used', async () => {
    const fixture = await loadLedger();
    const record = aRecord();
    await forceStreamCount(fixture.ledger, fixture.tenant, record.stream, COUNT_MAX - 1n);
    await submit(fixture, fixture.writer, [record]);
    expect((await fixture.ledger.streamOf(fixture.tenant, record.stream)).count).to.equal(COUNT_MAX);
  });
};

const describeRepetition = (submit: Submit) => {
  it('a record that is there already is skipped without a log', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer } = fixture;
    const records = someRecords(3);
    await submit(fixture, writer, records.slice(0, 2));
    const before = await ledger.recordOf(tenant, records[0]!.id);
    const logs = await fetchAppended(ledger, await submit(fixture, writer, records));
    expect(logs.map(({ id, sequence }) => [id, sequence])).to.deep.equal([[records[2]!.id, 3n]]);
    expect(await ledger.recordOf(tenant, records[0]!.id)).to.deep.equal(before);
  });

  it('a record that is twice in a batch is appended once', async () => {
    const fixture = await loadLedger();
    const logs = await fetchAppended(fixture.ledger, await submit(fixture, fixture.writer, [aRecord(), aRecord()]));
    expect(logs).to.have.lengthOf(1);
  });

  it('a batch of nothing new writes nothing', async () => {
    const fixture = await loadLedger();
    await submit(fixture, fixture.writer, someRecords(2));
    const transaction = await submit(fixture, fixture.writer, someRecords(2));
    expect(await countStorageWrites(transaction)).to.equal(0);
  });
};

const describeConflict = (submit: Submit) => {
  for (const [part, changed] of [
    ['payload', aRecord({ payload: 'another' })],
    ['stream', aRecord({ stream: 'assets/another' })],
  ] as const) {
    it(`the same id with another ${part} is a conflict`, async () => {
      const fixture = await loadLedger();
      const { ledger, tenant, writer } = fixture;
      await submit(fixture, writer, [aRecord()]);
      await expect(submit(fixture, writer, [changed]))
        .to.be.revertedWithCustomError(ledger, 'LedgerRecordConflict')
        .withArgs(tenant, changed.id);
    });
  }

  it('the same id by another author is a conflict', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer, administrator, thirdParty } = fixture;
    await ledger.connect(administrator).addWriter(tenant, thirdParty);
    await submit(fixture, writer, [aRecord()]);
    await expect(submit(fixture, thirdParty, [aRecord()]))
      .to.be.revertedWithCustomError(ledger, 'LedgerRecordConflict')
      .withArgs(tenant, aRecord().id);
  });

  it('a conflict within a batch reverts the complete batch', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer } = fixture;
    const records = [...someRecords(2), aRecord({ id: 'x', payload: 'one' }), aRecord({ id: 'x', payload: 'two' })];
    await expect(submit(fixture, writer, records))
      .to.be.revertedWithCustomError(ledger, 'LedgerRecordConflict')
      .withArgs(tenant, keyOf('x'));
    expect((await ledger.streamOf(tenant, records[0]!.stream)).count).to.equal(0n);
  });
};

const describeRefusals = (submit: Submit) => {
  it('a batch without records is refused', async () => {
    const fixture = await loadLedger();
    await expect(submit(fixture, fixture.writer, [])).to.be.revertedWithCustomError(fixture.ledger, 'LedgerNoRecords');
  });

  it('an empty payload is refused', async () => {
    const fixture = await loadLedger();
    const record = aRecordOfBytes(0);
    await expect(submit(fixture, fixture.writer, [aRecord({ id: 'good' }), record]))
      .to.be.revertedWithCustomError(fixture.ledger, 'LedgerPayloadEmpty')
      .withArgs(record.id);
  });

  it('a payload of one byte too many is refused', async () => {
    const fixture = await loadLedger();
    const record = aRecordOfBytes(MAX_PAYLOAD_BYTES + 1);
    await expect(submit(fixture, fixture.writer, [record]))
      .to.be.revertedWithCustomError(fixture.ledger, 'LedgerPayloadTooLarge')
      .withArgs(record.id, MAX_PAYLOAD_BYTES + 1, MAX_PAYLOAD_BYTES);
  });

  it('a full stream refuses records', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer } = fixture;
    const record = aRecord();
    await forceStreamCount(ledger, tenant, record.stream, COUNT_MAX);
    expect((await ledger.streamOf(tenant, record.stream)).count).to.equal(COUNT_MAX);
    await expect(submit(fixture, writer, [record]))
      .to.be.revertedWithCustomError(ledger, 'LedgerStreamFull')
      .withArgs(tenant, record.stream);
  });

  for (const role of ['owner', 'administrator', 'otherWriter', 'thirdParty'] as const) {
    it(`a non-writer cannot append: ${role}`, async () => {
      const fixture = await loadLedger();
      await expect(submit(fixture, fixture[role], [aRecord()]))
        .to.be.revertedWithCustomError(fixture.ledger, 'LedgerNotWriter')
        .withArgs(fixture.tenant, fixture[role].address);
    });
  }

  it('a removed writer cannot append, and what it wrote stays', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer, administrator } = fixture;
    await submit(fixture, writer, [aRecord()]);
    await ledger.connect(administrator).removeWriter(tenant, writer);
    await expect(submit(fixture, writer, [aRecord({ id: 'event/2' })]))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotWriter')
      .withArgs(tenant, writer.address);
    expect((await ledger.recordOf(tenant, aRecord().id)).sequence).to.equal(1n);
  });
};

/** Declares the suite; call it within a `describe`. */
export const behavesAsAppender = (submit: Submit) => {
  describe('logs', () => describeLogs(submit));
  describe('storage', () => describeStorage(submit));
  describe('exactly once', () => describeRepetition(submit));
  describe('conflicts', () => describeConflict(submit));
  describe('refusals', () => describeRefusals(submit));
};
