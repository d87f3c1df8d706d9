// Which tenant a subject stands for, compared with a model that looks at all records.
import { expect } from 'chai';
import fc from 'fast-check';
import type { RecordLog } from '../../../../chain/port.ts';
import * as keys from '../../../../indexer/keys.ts';
import { readStandingSubjects } from '../../../../indexer/reads/sharing/standingSubjects.ts';
import { readSubjectsFor, readTenantKeysOf, readTenantOf } from '../../../../indexer/reads/sharing/subjectTenants.ts';
import type { SubjectName } from '../../../../indexer/rows/rows.ts';
import { authorChangesKey, standingChangesKey } from '../../../../indexer/sharingKeys.ts';
import { toHex } from '../../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf, toTenantIdentity, toVersionIdentity } from '../../../../ledger/identity.ts';
import type { LedgerRecord } from '../../../../ledger/records/record.ts';
import { type SubjectRecord, toWalletAddress } from '../../../../ledger/records/subject.ts';
import { runs } from '../../../support/propertyRuns.ts';
import { toRecordLog } from '../../../support/recordLogs.ts';
import {
  ALPHA,
  aLocationRecord,
  anAccessPolicyRecord,
  aSubjectRecord,
  aTenantRecord,
  BETA,
  subjectOf,
  uuidOf,
} from '../../../support/records.ts';
import { GAMMA, SHARING_TENANTS, walletKeyOf, walletOf } from '../../../support/sharedHistories.ts';
import { readSnapshot, rowsOf, useIndex } from '../../../support/viewFixture.ts';

/** One log: who writes what, for which tenant. */
interface Written {
  readonly tenantIdentity: string;
  readonly wallet: number;
  readonly record: LedgerRecord;
  readonly isOpaque?: boolean;
}

const toLog = ({ tenantIdentity, wallet, record, isOpaque = false }: Written, at: number): RecordLog =>
  toRecordLog(
    {
      tenantIdentity,
      record,
      changed: { author: walletOf(wallet), ...(isOpaque ? { payload: Uint8Array.of(0) } : {}) },
    },
    at + 1,
  );

/** The last wallet of each tenant creates it, and stays its alone unless a subject's tenant uses it. */
const FOUNDING: readonly Written[] = SHARING_TENANTS.map((tenantIdentity, at) => ({
  tenantIdentity,
  wallet: 10 + at,
  record: aTenantRecord(tenantIdentity),
}));

const versionOf = (subject: number, version: number): string => toVersionIdentity(subjectOf(subject), uuidOf(version));

const versions: fc.Arbitrary<SubjectRecord> = fc
  .record({
    subject: fc.integer({ min: 1, max: 3 }),
    version: fc.integer({ min: 1, max: 4 }),
    follows: fc.integer({ min: 0, max: 4 }),
    wallets: fc.array(fc.constantFrom(1, 2, 10, 11, 12), { maxLength: 3 }),
    is_deleted: fc.boolean(),
  })
  .map(({ subject, version, follows, wallets, is_deleted }) =>
    aSubjectRecord(subject, {
      identity: versionOf(subject, version),
      follows: follows === 0 ? '' : versionOf(subject, follows),
      wallet_pub_key: wallets.map(walletKeyOf),
      is_deleted: is_deleted && follows > 0,
    }),
  );

const writings: fc.Arbitrary<Written> = fc.record({
  tenantIdentity: fc.constantFrom(...SHARING_TENANTS),
  wallet: fc.constantFrom(1, 2, 10, 11, 12),
  record: fc.oneof({ weight: 4, arbitrary: versions }, { weight: 1, arbitrary: fc.constant(aLocationRecord(1)) }),
  isOpaque: fc.boolean(),
});

// The contract accepts a record key of a tenant once.
const withoutRepeats = (all: readonly Written[]): Written[] => [
  ...new Map(all.map((each) => [`${each.tenantIdentity} ${each.record.identity}`, each] as const)).values(),
];

const tenantsOf = (all: readonly Written[], wallets: readonly string[]): string[] => [
  ...new Set(
    all.filter(({ wallet }) => wallets.includes(walletKeyOf(wallet))).map(({ tenantIdentity }) => tenantIdentity),
  ),
];

// The newest version of each subject, by the rule that a version must follow the one that holds.
const subjectsOf = (all: readonly Written[], tenantIdentity: string): SubjectRecord[] => {
  const held = new Map<string, SubjectRecord>();
  for (const { tenantIdentity: owner, record, isOpaque } of all) {
    if (owner !== tenantIdentity || isOpaque || record.type !== 'subject') continue;
    const stream = toStreamIdentityOf(record);
    if (record.follows === (held.get(stream)?.identity ?? '')) held.set(stream, record);
  }
  return [...held.values()].filter(({ is_deleted }) => !is_deleted);
};

const expectedFor = (all: readonly Written[], tenantIdentity: string): SubjectName[] =>
  SHARING_TENANTS.filter((owner) => owner !== tenantIdentity).flatMap((ownerIdentity) =>
    subjectsOf(all, ownerIdentity)
      .filter(({ wallet_pub_key }) => tenantsOf(all, wallet_pub_key).join() === tenantIdentity)
      .map((record) => ({ ownerIdentity, subjectIdentity: toStreamIdentityOf(record) })),
  );

const inOrder = (subjects: readonly SubjectName[]): string[] =>
  subjects.map(({ ownerIdentity, subjectIdentity }) => `${ownerIdentity} ${subjectIdentity}`).sort();

describe('tenants of subjects', () => {
  const index = useIndex();

  const take = async (all: readonly Written[], batchSize = all.length): Promise<void> => {
    const logs = all.map(toLog);
    for (let from = 0; from < logs.length; from += batchSize) await index().take(logs.slice(from, from + batchSize));
  };

  it('are found as a model finds them, whatever the batches, and a rebuilt index has the same rows', async () => {
    const histories = fc.array(writings, { maxLength: 25 });
    const check = fc.asyncProperty(histories, fc.integer({ min: 1, max: 8 }), async (written, batchSize) => {
      const all = withoutRepeats([...FOUNDING, ...written]);
      await index().clear();
      await take(all, batchSize);
      for (const tenant of SHARING_TENANTS) {
        const found = await readSnapshot(index(), (snapshot) => readSubjectsFor(snapshot, tenant));
        expect(inOrder(found), tenant).to.deep.equal(inOrder(expectedFor(all, tenant)));
        for (const { wallet_pub_key } of subjectsOf(all, tenant)) {
          const expected = tenantsOf(all, wallet_pub_key);
          const tenantOf = await readSnapshot(index(), (snapshot) => readTenantOf(snapshot, { wallet_pub_key }));
          expect(tenantOf).to.equal(expected.length === 1 ? expected[0] : undefined);
          const addresses = wallet_pub_key.map(toWalletAddress);
          const keysOf = await readSnapshot(index(), (snapshot) => readTenantKeysOf(snapshot, addresses));
          expect(Math.min(keysOf.length, 2)).to.equal(Math.min(expected.length, 2));
          expect(expected.map((identity) => toHex(toKey(identity)))).to.include.members(keysOf);
        }
      }
      const rows = await rowsOf(index().store);
      await index().clear();
      await take(all);
      // The cursor is of the last batch in both.
      expect(await rowsOf(index().store)).to.deep.equal(rows);
    });
    await fc.assert(check, runs(50));
  });

  it('number more than a page: 1,200 subjects of one address, each found once', async () => {
    const subjects = Array.from({ length: 1_200 }, (_, at): Written => {
      const record = aSubjectRecord(at, { wallet_pub_key: [walletKeyOf(11), walletKeyOf(11), walletKeyOf(7)] });
      return { tenantIdentity: ALPHA, wallet: 10, record };
    });
    await take([...FOUNDING, ...subjects]);
    const found = await readSnapshot(index(), (snapshot) => readSubjectsFor(snapshot, BETA));
    expect(inOrder(found)).to.deep.equal(inOrder(subjects.map(({ record }) => toStanding(record))));
  });

  it('become ambiguous with the first record that an account writes for a second tenant', async () => {
    const subject: Written = {
      tenantIdentity: ALPHA,
      wallet: 10,
      record: aSubjectRecord(1, { wallet_pub_key: [walletKeyOf(11)] }),
    };
    const second: Written = { tenantIdentity: GAMMA, wallet: 11, record: aLocationRecord(1), isOpaque: true };
    await take([...FOUNDING, subject]);
    expect(await readSnapshot(index(), (snapshot) => readSubjectsFor(snapshot, BETA))).to.have.length(1);
    expect((await readSnapshot(index(), (snapshot) => readStandingSubjects(snapshot, BETA))).size).to.equal(1);
    await index().take([toLog(second, 9)]);
    expect(await readSnapshot(index(), (snapshot) => readSubjectsFor(snapshot, BETA))).to.deep.equal([]);
    expect(await readSnapshot(index(), (snapshot) => readSubjectsFor(snapshot, GAMMA))).to.deep.equal([]);
    expect((await readSnapshot(index(), (snapshot) => readStandingSubjects(snapshot, BETA))).size).to.equal(0);
  });

  it('are the same in memory as found again, whatever changed since they were kept', async () => {
    const steps = fc.array(fc.tuple(fc.array(writings, { maxLength: 30 }), fc.boolean()), { maxLength: 8 });
    const check = fc.asyncProperty(steps, async (given) => {
      await index().clear();
      await take(FOUNDING);
      let at = FOUNDING.length;
      const all = withoutRepeats(given.flatMap(([written]) => written));
      for (const [written, isRead] of given) {
        const logs = written.filter((each) => all.includes(each)).map((each) => toLog(each, ++at));
        if (logs.length > 0) await index().take(logs);
        for (const tenant of isRead ? SHARING_TENANTS : []) {
          const byOwner = await readSnapshot(index(), (snapshot) => readStandingSubjects(snapshot, tenant));
          const kept = [...byOwner].flatMap(([ownerIdentity, subjects]) =>
            [...subjects].map((subjectIdentity) => ({ ownerIdentity, subjectIdentity })),
          );
          const found = await readSnapshot(index(), (snapshot) => readSubjectsFor(snapshot, tenant));
          expect(inOrder(kept), tenant).to.deep.equal(inOrder(found));
        }
      }
    });
    await fc.assert(check, runs(50));
  });

  it('change for a tenant with the keys of a subject that has one of its addresses, and with nothing else', async () => {
    const keysOf = (wallet: number, version: number, follows: number, is_deleted = false): LedgerRecord =>
      aSubjectRecord(1, {
        identity: versionOf(1, version),
        follows: follows === 0 ? '' : versionOf(1, follows),
        display_name: `name ${version}`,
        wallet_pub_key: [walletKeyOf(wallet)],
        is_deleted,
      });
    const steps: readonly (readonly [record: LedgerRecord, wallet: number, isStanding: boolean, isAuthor: boolean])[] =
      [
        [aLocationRecord(1), 10, false, false],
        [aLocationRecord(2), 3, false, false],
        [keysOf(11, 1, 0), 10, true, false],
        [keysOf(11, 2, 1), 10, false, false],
        [keysOf(11, 3, 1), 10, false, false],
        [keysOf(4, 4, 2), 10, true, false],
        [keysOf(4, 5, 4), 10, false, false],
        [aLocationRecord(3), 4, false, true],
        [aLocationRecord(4), 4, false, false],
        [keysOf(11, 6, 5), 10, true, false],
        [keysOf(11, 7, 6, true), 10, true, false],
        [anAccessPolicyRecord(1), 10, false, false],
      ];
    await take(FOUNDING);
    const read = () => [
      JSON.stringify(index().store.read(standingChangesKey(toKey(BETA)))),
      JSON.stringify(index().store.read(authorChangesKey())),
    ];
    for (const [at, [record, wallet, isStanding, isAuthor]] of steps.entries()) {
      const before = read();
      await index().take([toLog({ tenantIdentity: ALPHA, wallet, record }, 10 + at)]);
      const changes = read().map((row, place) => row !== before[place]);
      expect(changes, `${at}`).to.deep.equal([isStanding, isAuthor]);
    }
  });

  it('are looked for at no further address when one of them is ambiguous already', async () => {
    const asLocation = (tenantIdentity: string, wallet: number): Written => {
      return { tenantIdentity, wallet, record: aLocationRecord(wallet) };
    };
    await take([...FOUNDING, asLocation(ALPHA, 1), asLocation(BETA, 1), asLocation(GAMMA, 2)]);
    const asked = async (wallets: readonly number[]) => {
      let count = 0;
      const found = await readSnapshot(index(), ({ read, readFirst }) => {
        const readCounted: typeof readFirst = (...args) => {
          count += 1;
          return readFirst(...args);
        };
        return readTenantKeysOf({ read, readFirst: readCounted }, wallets.map(walletOf));
      });
      return [count, found.length];
    };
    expect(await asked([1, 2, 3])).to.deep.equal([1, 2]);
    expect(await asked([2, 1, 3])).to.deep.equal([2, 3]);
    expect(await asked([3, 2, 4])).to.deep.equal([3, 1]);
  });

  it('are none where the tenant of an author has no record of its own', async () => {
    const unknown = toTenantIdentity(uuidOf(0xd));
    await take([...FOUNDING, { tenantIdentity: unknown, wallet: 1, record: aLocationRecord(1) }]);
    expect(index().store.read(keys.tenantRowKey(toKey(unknown)))).to.equal(undefined);
    const subject = { wallet_pub_key: [walletKeyOf(1)] };
    expect(await readSnapshot(index(), (snapshot) => readTenantOf(snapshot, subject))).to.equal(undefined);
  });
});

const toStanding = (record: LedgerRecord): SubjectName => ({
  ownerIdentity: ALPHA,
  subjectIdentity: toStreamIdentityOf(record),
});
