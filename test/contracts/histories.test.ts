// Random histories of two authors and three streams, written directly and relayed, with repetitions and conflicts: the
// contract must return the results of the model and reach its state, and verify only the complete history of each
// stream.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { runs } from '../support/propertyRuns.ts';
import { fetchAppended } from './support/appended.ts';
import { aRecord } from './support/aRecord.ts';
import { type Account, loadLedger } from './support/ledgerFixture.ts';
import { createStreamModel, RecordConflict, type StreamModel, toBytes28 } from './support/streamModel.ts';
import { signBatch, type TypedRecord, toRecordDigest } from './support/typedData.ts';

interface Batch {
  readonly author: number;
  readonly records: TypedRecord[];
}
/** One transaction: its batches relayed together, or its first one sent by the author. */
interface Step {
  readonly isRelayed: boolean;
  readonly batches: Batch[];
}

const STREAMS = ['assets/door', 'assets/pump', 'assets/gate'];
const ID_OF_BOTH_AUTHORS = 12;

// Few ids make repetitions frequent. An id mostly has one content; another payload, or the id that both authors use,
// sometimes causes a conflict.
const payloads = fc.oneof({ weight: 30, arbitrary: fc.constant('{}') }, { weight: 1, arbitrary: fc.string() });
const records = (author: number): fc.Arbitrary<TypedRecord[]> => {
  const record = fc.record({ number: fc.nat(ID_OF_BOTH_AUTHORS), payload: payloads }).map(({ number, payload }) => {
    const id = number === ID_OF_BOTH_AUTHORS ? 'event/both' : `event/${author}/${number}`;
    return aRecord({ stream: STREAMS[number % STREAMS.length]!, id, payload });
  });
  return fc.array(record, { minLength: 1, maxLength: 5 });
};
const batches = fc.nat(1).chain((author) => fc.record({ author: fc.constant(author), records: records(author) }));
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ isRelayed: fc.boolean(), batches: fc.array(batches, { minLength: 1, maxLength: 3 }) }),
  { minLength: 1, maxLength: 10 },
);

const loadFixture = async () => {
  const { administrator, thirdParty, ...fixture } = await loadLedger();
  await fixture.ledger.connect(administrator).addWriter(fixture.tenant, thirdParty);
  return { ...fixture, authors: [fixture.writer, thirdParty] as [Account, Account] };
};
type HistoryFixture = Awaited<ReturnType<typeof loadFixture>>;

const sentBatches = ({ isRelayed, batches }: Step): Batch[] => (isRelayed ? batches : batches.slice(0, 1));

const submitStep = async ({ ledger, domain, tenant, authors, relayer }: HistoryFixture, step: Step) => {
  if (!step.isRelayed) {
    const { author, records } = step.batches[0]!;
    return ledger.connect(authors[author]!).append(tenant, records);
  }
  const sign = ({ author, records }: Batch) => signBatch(domain, authors[author]!, tenant, records);
  return ledger.connect(relayer).appendSigned(await Promise.all(step.batches.map(sign)));
};

/** Submits the step, checks its outcome against the model, and returns the model after it. */
const checkStep = async (fixture: HistoryFixture, model: StreamModel, step: Step): Promise<StreamModel> => {
  const { ledger, tenant, authors } = fixture;
  const next = model.copy();
  try {
    const expected = sentBatches(step).flatMap(({ author, records }) => next.append(authors[author]!.address, records));
    const logs = await fetchAppended(ledger, await submitStep(fixture, step));
    expect(logs).to.deep.equal(expected.map((appended) => ({ tenant, ...appended })));
    return next;
  } catch (error) {
    if (!(error instanceof RecordConflict)) throw error;
    await expect(submitStep(fixture, step))
      .to.be.revertedWithCustomError(ledger, 'LedgerRecordConflict')
      .withArgs(tenant, error.id);
    return model;
  }
};

const checkState = async ({ ledger, tenant }: HistoryFixture, model: StreamModel) => {
  const last = [...model.records.values()];
  for (const { id, stream, author, sequence, digest, payload } of model.records.values()) {
    expect(await ledger.recordOf(tenant, id)).to.deep.equal([toBytes28(digest), sequence]);
    expect(await ledger.verifyRecord(tenant, stream, id, author, sequence, payload)).to.equal(true);
  }
  for (const [stream, digests] of model.streams) {
    const { head } = last.findLast((record) => record.stream === stream)!;
    expect(await ledger.streamOf(tenant, stream)).to.deep.equal([head, BigInt(digests.length)]);
    expect(await ledger.verifyHistory(tenant, stream, digests)).to.equal(true);
  }
};

/** A list with one change, chosen by the numbers; unchanged where it exchanges equal digests. */
const tamper = (digests: readonly Hex[], how: number, at: number, foreign: Hex): Hex[] => {
  const index = at % digests.length;
  const to = (index + 1) % digests.length;
  switch (how) {
    case 0:
      return digests.toSpliced(index, 1);
    case 1:
      return digests.toSpliced(index, 0, foreign);
    case 2:
      return digests.toSpliced(index, 0, digests[index]!);
    case 3:
      return digests.with(index, foreign);
    default:
      return digests.with(index, digests[to]!).with(to, digests[index]!);
  }
};

const checkTampering = async ({ ledger, tenant }: HistoryFixture, model: StreamModel, at: number, foreign: Hex) => {
  for (const [stream, digests] of model.streams) {
    for (const how of [0, 1, 2, 3, 4]) {
      const tampered = tamper(digests, how, at, foreign);
      const isSame = tampered.join() === digests.join();
      expect(await ledger.verifyHistory(tenant, stream, tampered)).to.equal(isSame);
    }
  }
};

const runHistory = async (history: Step[]): Promise<[HistoryFixture, StreamModel]> => {
  const fixture = await loadFixture();
  const { domain, tenant } = fixture;
  let model = createStreamModel((author, record) => toRecordDigest(domain, tenant, author, record));
  for (const step of history) model = await checkStep(fixture, model, step);
  return [fixture, model];
};

describe('histories', () => {
  it('the contract behaves like the model', async () => {
    const property = fc.asyncProperty(steps, async (history) => {
      await checkState(...(await runHistory(history)));
    });
    await fc.assert(property, runs(40));
  });

  it('a history verifies only complete, unchanged and in order', async () => {
    const foreign = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const property = fc.asyncProperty(steps, fc.nat(), foreign, async (history, at, hex) => {
      const [fixture, model] = await runHistory(history);
      await checkTampering(fixture, model, at, `0x${hex}`);
    });
    await fc.assert(property, runs(20));
  });
});
