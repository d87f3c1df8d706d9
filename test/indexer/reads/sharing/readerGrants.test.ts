// What readers are granted, kept in memory and changed with each version of a policy, compared with all policies.
import { expect } from 'chai';
import fc from 'fast-check';
import { readGrantsToWrite, readOwnerGrants } from '../../../../indexer/reads/sharing/readerGrants.ts';
import { toVersionIdentity } from '../../../../ledger/identity.ts';
import type { AccessPolicyRecord } from '../../../../ledger/records/accessPolicy.ts';
import { toWalletAddress } from '../../../../ledger/records/subject.ts';
import { allowsRead, type Grant, toGrants } from '../../../../ledger/sharing/grants.ts';
import { runs } from '../../../support/propertyRuns.ts';
import { toRecordLog } from '../../../support/recordLogs.ts';
import {
  ALPHA,
  accessPolicyOf,
  aLocationRecord,
  anAccessPolicyRecord,
  aPermission,
  aSubjectRecord,
  aTenantRecord,
  BETA,
  subjectOf,
  uuidOf,
  WALLET_KEY,
} from '../../../support/records.ts';
import { readSnapshot, useIndex } from '../../../support/viewFixture.ts';

const READER = { claims: {}, isOwnRestricted: false };
const FOUNDATION = [
  { record: aTenantRecord(ALPHA) },
  { tenantIdentity: BETA, record: aTenantRecord(BETA) },
  { tenantIdentity: BETA, record: aLocationRecord(9), changed: { author: toWalletAddress(WALLET_KEY) } },
  { record: aSubjectRecord(1) },
].map((written, at) => toRecordLog(written, at + 1));

interface Change {
  readonly policy: number;
  readonly subject: number;
  readonly reads: readonly string[];
  readonly is_deleted: boolean;
}

const changes: fc.Arbitrary<Change> = fc.record({
  policy: fc.integer({ min: 1, max: 4 }),
  subject: fc.constantFrom(1, 1, 2),
  reads: fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 2 }),
  is_deleted: fc.constantFrom(false, false, false, true),
});

const toVersion = ({ policy, subject, reads, is_deleted }: Change, version: number, follows: number | undefined) =>
  anAccessPolicyRecord(policy, {
    identity: toVersionIdentity(accessPolicyOf(policy), uuidOf(version)),
    follows: follows === undefined ? '' : toVersionIdentity(accessPolicyOf(policy), uuidOf(follows)),
    display_name: `version ${version}`,
    filters: [{ or: ['attributes.a=1'] }],
    access_permissions: [aPermission({ subjects: [subjectOf(subject)], asset_attributes_read: [...reads] })],
    is_deleted: is_deleted && follows !== undefined,
  });

describe('the grants of a reader', () => {
  const index = useIndex();

  const read = async (): Promise<readonly Grant[]> => {
    const owners = await readSnapshot(index(), (snapshot) => readOwnerGrants(snapshot, BETA, READER));
    expect(owners.map(({ tenantIdentity }) => tenantIdentity).join(' ')).to.equal(owners.length === 0 ? '' : ALPHA);
    return owners[0]?.grants ?? [];
  };

  it('are those of all policies, the newest first, whatever changed since they were kept', async () => {
    const steps = fc.array(fc.tuple(fc.array(changes, { minLength: 1, maxLength: 20 }), fc.boolean()), {
      maxLength: 6,
    });
    const check = fc.asyncProperty(steps, async (given) => {
      await index().clear();
      await index().take(FOUNDATION);
      const held = new Map<number, { version: number; record: AccessPolicyRecord }>();
      let at = FOUNDATION.length;
      for (const [changed, isRead] of given) {
        const logs = changed.map((change) => {
          at += 1;
          const record = toVersion(change, at, held.get(change.policy)?.version);
          held.set(change.policy, { version: at, record });
          return toRecordLog({ record }, at);
        });
        await index().take(logs);
        const wanted = [...held.values()]
          .reverse()
          .filter(({ record }) => !record.is_deleted)
          .flatMap(({ record }) => toGrants(record))
          .filter((grant) => allowsRead(grant) && grant.subjects.includes(subjectOf(1)));
        if (isRead) expect(await read()).to.deep.equal(wanted);
      }
    });
    await fc.assert(check, runs(50));
  });

  it('are the same objects after changes of names, and of what other readers are granted', async () => {
    const granted: Change = { policy: 1, subject: 1, reads: ['a'], is_deleted: false };
    const others: Change = { policy: 2, subject: 2, reads: ['a'], is_deleted: false };
    const versions = [
      toVersion(granted, 1, undefined),
      toVersion(others, 2, undefined),
      toVersion(granted, 3, 1),
      toVersion({ ...others, reads: ['b'] }, 4, 2),
    ];
    const take = (at: number) => index().take([toRecordLog({ record: versions[at]! }, FOUNDATION.length + at + 1)]);
    await index().take(FOUNDATION);
    await take(0);
    const kept = await read();
    expect(kept).to.have.length(1);
    for (const at of [1, 2, 3]) {
      await take(at);
      expect(await read(), `${at}`).to.equal(kept);
    }
    await index().take([toRecordLog({ record: toVersion({ ...granted, reads: ['b'] }, 5, 3) }, 20)]);
    expect(await read()).to.not.equal(kept);
  });

  it('are bounded by what is for its principal, whatever others are granted', async () => {
    const toPolicy = (policy: number, claim: string, count: number) => {
      const fields = { user_attributes: [{ or: [claim] }], behaviours: ['*'], event_arc_display_type_write: ['*'] };
      const permission = aPermission({ subjects: [subjectOf(1)], asset_attributes_read: ['a'], ...fields });
      const version = toVersion({ policy, subject: 1, reads: [], is_deleted: false }, policy, undefined);
      return { ...version, access_permissions: Array.from({ length: count }, () => permission) };
    };
    const policies = [
      toPolicy(1, 'email=one', 1),
      ...Array.from({ length: 11 }, (_, at) => toPolicy(at + 2, 'email=other', 100)),
    ];
    await index().take(FOUNDATION);
    await index().take(policies.map((record, at) => toRecordLog({ record }, 10 + at)));
    const count = (email: string) =>
      readSnapshot(index(), async (snapshot) => {
        const reader = { claims: { email }, isOwnRestricted: false };
        const toRead = await readOwnerGrants(snapshot, BETA, reader);
        const toReadOrWrite = await readGrantsToWrite(snapshot, BETA, reader);
        return [toRead, toReadOrWrite].map((owners) => owners.flatMap(({ grants }) => grants).length);
      });
    expect(await count('one')).to.deep.equal([1, 1]);
    expect(await count('other')).to.deep.equal([1_000, 1_000]);
    expect(await count('none')).to.deep.equal([0, 0]);
    expect(await count('one')).to.deep.equal([1, 1]);
  });

  it('are of no tenant that grants nothing', async () => {
    await index().take(FOUNDATION);
    const version = toVersion({ policy: 1, subject: 2, reads: ['a'], is_deleted: false }, 1, undefined);
    await index().take([toRecordLog({ record: version }, 10)]);
    const found = await readSnapshot(index(), async (snapshot) => [
      await readOwnerGrants(snapshot, BETA, READER),
      await readGrantsToWrite(snapshot, BETA, READER),
    ]);
    expect(found).to.deep.equal([[], []]);
  });

  it('are those of the newest policies with 8 MiB of text together', async () => {
    // A policy counts 100 characters besides its text: eight of these take 8 MiB.
    const toLong = (policy: number, version: number, follows?: number, length = 2 ** 20 - 100): AccessPolicyRecord => {
      const granted = toVersion({ policy, subject: 1, reads: [`${policy}`], is_deleted: false }, version, follows);
      const toText = (or: string) => JSON.stringify([[{ or: [or] }], granted.access_permissions]);
      return { ...granted, filters: [{ or: ['a'.repeat(length - toText('').length)] }] };
    };
    const take = (records: readonly AccessPolicyRecord[], from: number) =>
      index().take(records.map((record, at) => toRecordLog({ record }, from + at)));
    const readNames = async () => (await read()).map(({ attributesRead }) => [...attributesRead].join());
    const policies = Array.from({ length: 10 }, (_, at) => at + 1);
    await index().take(FOUNDATION);
    await take(
      policies.map((policy) => toLong(policy, policy)),
      10,
    );
    const newest = ['10', '9', '8', '7', '6', '5', '4', '3'];
    expect(await readNames()).to.deep.equal(newest);
    await take([toLong(1, 21, 1)], 30);
    expect(await readNames()).to.deep.equal(newest);
    const deleted = [{ ...toLong(10, 22, 10), is_deleted: true }];
    await take(deleted, 40);
    expect(await readNames()).to.deep.equal([...newest.slice(1), '2']);
    await take([toLong(9, 23, 9, 2 ** 20 - 99)], 50);
    expect(await readNames(), 'a character more').to.deep.equal(newest.slice(1));
  });
});
