// The reads of a tenant's own subjects: the newest version with its status, in lists too.
import { expect } from 'chai';
import { toStreamIdentityOf, toUuid, toVersionIdentity } from '../../../../ledger/identity.ts';
import type { SubjectRecord, SubjectResource } from '../../../../ledger/records/subject.ts';
import { useDirectories } from '../../../support/directories.ts';
import { toRecordLog } from '../../../support/recordLogs.ts';
import { A_FAILURE, ALPHA, aSubjectRecord, aTenantRecord, BETA, subjectOf, uuidOf } from '../../../support/records.ts';
import { type OpenIndex, openIndex } from '../../../support/viewFixture.ts';

const versionOf = (version: number, follows: number, fields: Partial<SubjectRecord> = {}): SubjectRecord =>
  aSubjectRecord(1, {
    identity: toVersionIdentity(subjectOf(1), uuidOf(version)),
    follows: follows === 0 ? '' : toVersionIdentity(subjectOf(1), uuidOf(follows)),
    display_name: `version ${version}`,
    timestamp_accepted: `2026-11-20T12:00:0${version}.000Z`,
    ...fields,
  });

const [FIRST, SECOND, THIRD] = [versionOf(1, 0), versionOf(2, 1), versionOf(3, 2)];

describe('reads of subjects', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  before(async () => {
    index = await openIndex(await makeDirectory());
  });
  after(() => index.store.close());

  const commit = (...records: readonly SubjectRecord[]): Promise<void> =>
    index.take([
      toRecordLog({ record: aTenantRecord(ALPHA) }, 1),
      ...records.map((record, at) => toRecordLog({ record, changed: { sequence: at + 1 } }, at + 2)),
    ]);
  const wait = (record: SubjectRecord, status: 'PENDING' | 'FAILED', tenantIdentity = ALPHA): void => {
    const streamIdentity = toStreamIdentityOf(record);
    index.outbox.push({
      sequence: index.outbox.length,
      tenantIdentity,
      streamIdentity,
      record,
      status,
      failureReason: status === 'FAILED' ? A_FAILURE.failureReason : undefined,
    });
  };
  const page = { limit: 10, position: undefined, isCounted: true };
  const toShown = (subject: SubjectResource | undefined) => {
    if (subject === undefined) return undefined;
    const isFailed = subject.confirmation_status === 'FAILED';
    expect(subject.failure_reason).to.equal(isFailed ? A_FAILURE.failureReason : undefined);
    return [subject.display_name, subject.confirmation_status];
  };
  const read = async () => toShown(await index.view.readSubject(ALPHA, uuidOf(1)));
  const list = async () => (await index.view.listSubjects(ALPHA, { fields: [] }, page)).items.map(toShown);
  const readAt = async (second: number) =>
    toShown(await index.view.readSubjectAt(ALPHA, uuidOf(1), Date.parse(`2026-11-20T12:00:0${second}.500Z`)));

  const cases: readonly {
    readonly what: string;
    readonly committed: readonly SubjectRecord[];
    readonly waiting?: readonly (readonly [SubjectRecord, 'PENDING' | 'FAILED'])[];
    readonly shown: readonly string[] | undefined;
    readonly listed?: readonly (readonly string[])[];
  }[] = [
    { what: 'one that does not exist', committed: [], shown: undefined },
    { what: 'a committed one', committed: [FIRST, SECOND], shown: ['version 2', 'CONFIRMED'] },
    { what: 'a waiting one', committed: [], waiting: [[FIRST, 'PENDING']], shown: ['version 1', 'PENDING'] },
    {
      what: 'one whose creation was refused',
      committed: [],
      waiting: [[FIRST, 'FAILED']],
      shown: ['version 1', 'FAILED'],
      listed: [],
    },
    {
      what: 'one whose change waits',
      committed: [FIRST],
      waiting: [[SECOND, 'PENDING']],
      shown: ['version 2', 'PENDING'],
    },
    {
      what: 'one whose change was refused',
      committed: [FIRST],
      waiting: [[SECOND, 'FAILED']],
      shown: ['version 1', 'FAILED'],
    },
    {
      what: 'one with a change after a refused one',
      committed: [FIRST],
      waiting: [
        [versionOf(4, 1), 'FAILED'],
        [SECOND, 'PENDING'],
      ],
      shown: ['version 2', 'PENDING'],
    },
    {
      what: 'one whose refused change was followed by a committed one',
      committed: [FIRST, SECOND],
      waiting: [[versionOf(4, 1), 'FAILED']],
      shown: ['version 2', 'CONFIRMED'],
    },
    {
      what: 'one whose waiting version follows another than the newest',
      committed: [FIRST, SECOND],
      waiting: [[versionOf(4, 1), 'PENDING']],
      shown: ['version 2', 'CONFIRMED'],
    },
    { what: 'a deleted one', committed: [FIRST, versionOf(2, 1, { is_deleted: true })], shown: undefined },
    {
      what: 'one whose deletion waits',
      committed: [FIRST],
      waiting: [[versionOf(2, 1, { is_deleted: true }), 'PENDING']],
      shown: undefined,
    },
    {
      what: 'one whose deletion was refused',
      committed: [FIRST],
      waiting: [[versionOf(2, 1, { is_deleted: true }), 'FAILED']],
      shown: ['version 1', 'FAILED'],
    },
  ];
  for (const { what, committed, waiting = [], shown, listed = shown === undefined ? [] : [shown] } of cases) {
    it(`show ${what} as ${shown?.join(' ') ?? 'missing'}`, async () => {
      await index.clear();
      await commit(...committed);
      for (const [record, status] of waiting) wait(record, status);
      expect(await read()).to.deep.equal(shown);
      expect(await list()).to.deep.equal(listed);
      expect(await index.view.readSubject(BETA, uuidOf(1))).to.equal(undefined);
      const newest = await index.view.readNewestSubject(ALPHA, uuidOf(1));
      const isChangeable = shown !== undefined && listed.length > 0;
      expect(newest !== undefined).to.equal(isChangeable);
    });
  }

  it('show a past version, and whether it is committed', async () => {
    await index.clear();
    await commit(FIRST, SECOND);
    wait(THIRD, 'PENDING');
    wait(versionOf(4, 3, { is_deleted: true }), 'PENDING');
    expect(await readAt(0)).to.equal(undefined);
    expect(await readAt(1)).to.deep.equal(['version 1', 'CONFIRMED']);
    expect(await readAt(2)).to.deep.equal(['version 2', 'CONFIRMED']);
    expect(await readAt(3)).to.deep.equal(['version 3', 'PENDING']);
    expect(await readAt(4)).to.equal(undefined);
    expect(toUuid((await index.view.readSubject(ALPHA, uuidOf(1)))?.identity ?? '')).to.equal('');
  });
});
