// The projection of versions that name the version which they follow.
import { expect } from 'chai';
import * as keys from '../../../indexer/keys.ts';
import type { NamedRow, TenantRow } from '../../../indexer/rows/rows.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { toKey, toStreamIdentityOf, toVersionIdentity } from '../../../ledger/identity.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { createIndexModel, type IndexModel } from '../../support/indexModel.ts';
import { toRecordLog, type WrittenRecord } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aLocationRecord,
  anAccessPolicyRecord,
  anApplicationRecord,
  aPolicyRecord,
  aSubjectRecord,
  aTenantRecord,
  BETA,
  uuidOf,
} from '../../support/records.ts';

const alpha = toKey(ALPHA);

const indexOf = (written: readonly WrittenRecord[]): IndexModel => {
  const index = createIndexModel();
  for (const [at, each] of written.entries()) index.take(toRecordLog(each, at + 1));
  return index;
};

interface Kind {
  readonly what: string;
  /** What comes before the versions. */
  readonly before: readonly WrittenRecord[];
  /** The first version, without `follows`. */
  readonly first: LedgerRecord;
  /** The version that holds. */
  readonly readHeld: (index: IndexModel) => LedgerRecord | undefined;
}

const readNamed = (collection: keys.Collection, record: LedgerRecord) => (index: IndexModel) =>
  (index.read(keys.namedKey(alpha, collection, toKey(toStreamIdentityOf(record)))) as NamedRow | undefined)?.record;

const toNamedKind = (what: string, collection: keys.Collection, first: LedgerRecord): Kind => ({
  what,
  before: [{ record: aTenantRecord(ALPHA) }],
  first,
  readHeld: readNamed(collection, first),
});

const KINDS: readonly Kind[] = [
  toNamedKind('location', 'locations', aLocationRecord(1)),
  toNamedKind('policy', 'policies', aPolicyRecord(1)),
  toNamedKind('application', 'applications', anApplicationRecord(1)),
  toNamedKind('subject', 'subjects', aSubjectRecord(1)),
  toNamedKind('access policy', 'accessPolicies', anAccessPolicyRecord(1)),
  {
    what: 'tenant',
    before: [],
    first: aTenantRecord(ALPHA),
    readHeld: (index) => (index.read(keys.tenantRowKey(alpha)) as TenantRow | undefined)?.tenant,
  },
];

/** A version with a name of its own; `follows`: the number of a version, `none`, or `unnamed` as in 0.1. */
const versionOf = (first: LedgerRecord, number: number, follows: number | 'none' | 'unnamed'): LedgerRecord => {
  const identityOf = (version: number): string => toVersionIdentity(toStreamIdentityOf(first), uuidOf(version));
  const version = { ...first, identity: identityOf(number), display_name: `version ${number}` } as LedgerRecord;
  if (follows === 'unnamed') return version;
  return { ...version, follows: follows === 'none' ? '' : identityOf(follows) } as LedgerRecord;
};

const toNumber = (record: LedgerRecord | undefined): number | undefined =>
  record && Number.parseInt(record.identity.slice(-12), 16);

type Step = readonly [number: number, follows: number | 'none' | 'unnamed'];

const HISTORIES: readonly (readonly [what: string, steps: readonly Step[], held: number | undefined])[] = [
  ['the first one', [[1, 'none']], 1],
  [
    'one that follows the newest',
    [
      [1, 'none'],
      [2, 1],
      [3, 2],
    ],
    3,
  ],
  [
    'the first of two that follow the same',
    [
      [1, 'none'],
      [2, 1],
      [3, 1],
    ],
    2,
  ],
  [
    'the newest, when one that had no effect is followed',
    [
      [1, 'none'],
      [2, 1],
      [3, 1],
      [4, 3],
    ],
    2,
  ],
  [
    'the newest, when one of several follows it',
    [
      [1, 'none'],
      [2, 1],
      [3, 1],
      [4, 2],
    ],
    4,
  ],
  [
    'the first of two that follow none',
    [
      [1, 'none'],
      [2, 'none'],
    ],
    1,
  ],
  ['none, when the first follows one that does not exist', [[2, 1]], undefined],
  ['none, when the first follows itself', [[1, 1]], undefined],
  [
    'the newest that names none, as in 0.1',
    [
      [1, 'unnamed'],
      [2, 'unnamed'],
    ],
    2,
  ],
  [
    'one that follows a version of 0.1',
    [
      [1, 'unnamed'],
      [2, 1],
      [3, 1],
    ],
    2,
  ],
  [
    'one of 0.1 after any other',
    [
      [1, 'none'],
      [2, 1],
      [3, 'unnamed'],
    ],
    3,
  ],
];

/** Types that 0.1 did not have. */
const SINCE_02: ReadonlySet<string> = new Set(['subject', 'access_policy']);

describe('projection of versions', () => {
  for (const { what, before, first, readHeld } of KINDS) {
    for (const [case_, steps, held] of HISTORIES) {
      const isOf01 = steps.some(([, follows]) => follows === 'unnamed');
      if (isOf01 && SINCE_02.has(first.type)) continue;
      it(`of a ${what} holds ${case_}, and notes the others`, () => {
        const records = steps.map(([number, follows]) => versionOf(first, number, follows));
        const written = records.map((record) => ({ record }));
        const index = indexOf([...before, ...written]);
        expect(toNumber(readHeld(index))).to.equal(held);
        const conflicts = records.filter(
          ({ identity }) => index.read(keys.conflictKey(alpha, toKey(identity))) !== undefined,
        );
        const after = (count: number) => indexOf([...before, ...written.slice(0, count)]);
        const ignored = records.filter((record, at) => readHeld(after(at + 1))?.identity !== record.identity);
        expect(conflicts.map(toNumber)).to.deep.equal(ignored.map(toNumber));
      });
    }
  }

  it('stores a version that changes nothing, and none of its names and terms', () => {
    const [kept, ignored] = [versionOf(aLocationRecord(1), 1, 'none'), versionOf(aLocationRecord(1), 2, 'none')];
    const before = [{ record: aTenantRecord(ALPHA) }, { record: kept }];
    const index = indexOf([...before, { record: ignored }]);
    expect(index.read(keys.recordKey(alpha, toKey(ignored.identity)))).to.be.instanceOf(Uint8Array);
    expect(index.read(keys.nameKey(alpha, 'locations', 'version 2', uuidOf(1)))).to.equal(undefined);
    const rowsOf = (model: IndexModel) => [keys.counterKey(alpha, 'locations')].map((key) => model.read(key));
    expect(rowsOf(index)).to.deep.equal(rowsOf(indexOf(before)));
  });

  it('leaves the name of a tenant and a client id to those whose versions have an effect', () => {
    const named = (tenant: string, follows: string): WrittenRecord => ({
      tenantIdentity: tenant,
      record: aTenantRecord(tenant, { display_name: 'mint', follows }),
    });
    const toApplication = (tenantIdentity: string, follows: string): WrittenRecord => ({
      tenantIdentity,
      record: anApplicationRecord(1, { follows }),
    });
    const absent = toVersionIdentity(ALPHA, uuidOf(9));
    const index = indexOf([
      named(ALPHA, absent),
      named(BETA, ''),
      { record: aTenantRecord(ALPHA, { identity: toVersionIdentity(ALPHA, uuidOf(2)), follows: '' }) },
      toApplication(ALPHA, toVersionIdentity(toStreamIdentityOf(anApplicationRecord(1)), uuidOf(9))),
      toApplication(BETA, ''),
    ]);
    expect(index.read(keys.tenantNameKey(keccak256(Buffer.from('mint'))))).to.equal(BETA);
    const owner = keys.applicationTenantKey(toKey(toStreamIdentityOf(anApplicationRecord(1))));
    expect(index.read(owner)).to.equal(BETA);
  });
});
