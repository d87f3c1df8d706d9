// The version that was in effect at a time, compared with a model that looks at all versions.
import { expect } from 'chai';
import fc from 'fast-check';
import { readVersionAt } from '../../../indexer/reads/versionAt.ts';
import { fromHex } from '../../../ledger/encoding/hex.ts';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import type { SubjectRecord } from '../../../ledger/records/subject.ts';
import { runs } from '../../support/propertyRuns.ts';
import { toRecordLog, type WrittenRecord } from '../../support/recordLogs.ts';
import { ALPHA, aSubjectRecord, aTenantRecord, subjectOf, uuidOf } from '../../support/records.ts';
import { readSnapshot, useIndex } from '../../support/viewFixture.ts';

const STREAM = subjectOf(1);
const START_MS = Date.parse('2026-11-20T12:00:00.000Z');
const versionOf = (number: number): string => toVersionIdentity(STREAM, uuidOf(number));

interface Version {
  readonly follows: number;
  readonly atMs: number;
  readonly is_deleted: boolean;
}

const toRecord = ({ follows, atMs, is_deleted }: Version, at: number): SubjectRecord =>
  aSubjectRecord(1, {
    identity: versionOf(at + 1),
    follows: follows === 0 ? '' : versionOf(follows),
    is_deleted,
    timestamp_accepted: toTimestamp(atMs),
  });

// Most versions follow the one before them, as those of one writer do; times may be out of order.
const histories: fc.Arbitrary<Version[]> = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fc.integer({ min: 0, max: 9 }), fc.boolean()), { maxLength: 8 })
  .map((all) =>
    all.map(([behind, atMs, is_deleted], at) => ({
      follows: Math.max(0, at - behind),
      atMs: START_MS + atMs,
      is_deleted,
    })),
  );

const expectedAt = (records: readonly SubjectRecord[], atMs: number): SubjectRecord | undefined => {
  const effective: SubjectRecord[] = [];
  for (const record of records) if (record.follows === (effective.at(-1)?.identity ?? '')) effective.push(record);
  return effective.findLast(({ timestamp_accepted }) => Date.parse(timestamp_accepted) <= atMs);
};

describe('the version at a time', () => {
  const index = useIndex();

  const readAt = async (atMs: number, uncommitted: readonly SubjectRecord[] = []): Promise<string | undefined> => {
    const resource = { type: 'subject', tenantIdentity: ALPHA, streamIdentity: STREAM } as const;
    const entries = uncommitted.map((record, sequence) => ({
      sequence,
      tenantIdentity: ALPHA,
      streamIdentity: STREAM,
      record,
      status: 'PENDING' as const,
    }));
    return (await readSnapshot(index(), (snapshot) => readVersionAt(snapshot, resource, atMs, entries)))?.identity;
  };

  // The first `early` records are before the tenant's own one.
  const toLogs = (records: readonly SubjectRecord[], early = 0) => {
    const written: WrittenRecord[] = records.map((record, at) => ({ record, changed: { sequence: at + 1 } }));
    return written.toSpliced(early, 0, { record: aTenantRecord(ALPHA) }).map((each, at) => toRecordLog(each, at + 1));
  };

  it("is the newest that took effect, after the tenant's own record, and was accepted by then, committed or not", async () => {
    const early = fc.constantFrom(0, 0, 0, 1, 3);
    const check = fc.asyncProperty(histories, fc.nat(8), early, async (versions, waiting, earlyMax) => {
      const records = versions.map(toRecord);
      const committed = records.slice(0, Math.max(0, records.length - waiting));
      const counted = Math.min(earlyMax, committed.length);
      await index().clear();
      await index().take(toLogs(committed, counted));
      for (const ms of [-1, 0, 1, 2, 4, 6, 9, 10]) {
        const atMs = START_MS + ms;
        const [shown, uncommitted] = [committed.slice(counted), records.slice(committed.length)];
        expect(await readAt(atMs), `committed, ${ms}`).to.equal(expectedAt(shown, atMs)?.identity);
        const all = expectedAt([...shown, ...uncommitted], atMs);
        expect(await readAt(atMs, uncommitted), `all, ${ms}`).to.equal(all?.identity);
      }
    });
    await fc.assert(check, runs(100));
  });

  it('is found among more versions than are read at once, and bytes that are no record', async () => {
    const records = Array.from({ length: 1_100 }, (_, at) =>
      toRecord({ follows: at, atMs: START_MS + at, is_deleted: false }, at),
    );
    const logs = toLogs(records);
    const opaque = { ...logs.at(-1)!, sequence: 1_101, recordKey: `0x${'77'.repeat(32)}` as const };
    await index().take([...logs, { ...opaque, payload: fromHex('0x0177') }]);
    for (const at of [0, 511, 512, 1_023, 1_024, 1_099])
      expect(await readAt(START_MS + at)).to.equal(records[at]!.identity);
    expect(await readAt(START_MS + 5_000)).to.equal(records.at(-1)!.identity);
  });
});
