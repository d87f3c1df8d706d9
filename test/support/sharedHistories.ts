// fast-check generators of small histories in which tenants share assets and contribute to those of others: subjects
// that stand for one tenant, for several or for none, policies that come, change and go, and records in any order.
import fc from 'fast-check';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toTenantIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { AccessPermission } from '../../ledger/records/accessPolicy.ts';
import { toContribution } from '../../ledger/records/contribution.ts';
import { type EventRecord, isCreation } from '../../ledger/records/event.ts';
import { toWalletAddress } from '../../ledger/records/subject.ts';
import { followChoices, withFollows } from './followedVersions.ts';
import { ASSETS, BLOBS, creationsOf, eventsOf, type ToRecord, type Words } from './histories.ts';
import type { WrittenRecord } from './recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  accessPolicyOf,
  anAccessPolicyRecord,
  aPermission,
  aSubjectRecord,
  aTenantRecord,
  BETA,
  blobOf,
  eventOf,
  SETTINGS,
  subjectOf,
  uuidOf,
} from './records.ts';

export const GAMMA = toTenantIdentity(uuidOf(0xc));
/** The tenants of these histories. */
export const SHARING_TENANTS = [ALPHA, BETA, GAMMA];

/** The public key of the wallet of this number. The tenants' own ones are 10, 11 and 12. */
export const walletKeyOf = (wallet: number): string => `04${wallet.toString(16).padStart(128, '0')}`;
export const walletOf = (wallet: number): Hex => toWalletAddress(walletKeyOf(wallet));

const OWNERS = [ALPHA, ALPHA, ALPHA, BETA];
const SUBJECTS = [1, 2];

const subjects: fc.Arbitrary<ToRecord> = fc
  .tuple(
    fc.constantFrom(...SUBJECTS),
    fc.constantFrom([11], [11], [12], [11, 12], [11, 1], [10], [], [2]),
    fc.constantFrom(false, false, false, true),
  )
  .map(([subject, wallets, is_deleted]) => (number) => {
    const identity = toVersionIdentity(subjectOf(subject), uuidOf(number));
    return aSubjectRecord(subject, { identity, wallet_pub_key: wallets.map(walletKeyOf), is_deleted });
  });

const somebody = fc.constantFrom([1], [1], [2], [1, 2], []).map((numbers) => numbers.map(subjectOf));

const permissionsOf = ({ names, texts }: Words): fc.Arbitrary<AccessPermission> =>
  fc
    .record({
      subjects: fc.oneof(somebody, fc.constantFrom(['__proto__'], [''])),
      user_attributes: fc.constantFrom([], [], [{ or: ['email=bill'] }]),
      behaviours: fc.constantFrom(['*'], ['*'], ['RecordEvidence'], ['Attachments', 'Builtin'], []),
      asset_attributes_write: fc.oneof(fc.constant(['*']), fc.subarray([...names])),
      event_arc_display_type_write: fc.oneof(fc.constant(['*']), fc.subarray([...texts])),
    })
    .map(aPermission);

const filtersOf = ({ names, texts }: Words) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc
      .tuple(fc.constantFrom(...names), fc.constantFrom('=', '!='), fc.constantFrom('*', ...texts))
      .map((parts) => [{ or: [parts.join('')] }]),
  );

const policiesOf = (of: Words): fc.Arbitrary<ToRecord> =>
  fc
    .record({
      policy: fc.constantFrom(1, 2, 3),
      filters: filtersOf(of),
      access_permissions: fc.array(permissionsOf(of), { maxLength: 2 }),
      is_deleted: fc.constantFrom(false, false, false, true),
    })
    .map(({ policy, ...content }) => (number) => {
      const identity = toVersionIdentity(accessPolicyOf(policy), uuidOf(number));
      return anAccessPolicyRecord(policy, { identity, ...content });
    });

const blobs: fc.Arbitrary<ToRecord> = fc
  .constantFrom(...BLOBS)
  .map((blob) => (number) => aBlobRecord(blob, { identity: toVersionIdentity(blobOf(blob), uuidOf(number)) }));

// An event number of an earlier record, too: an own event may have it, or another contribution.
const contributionsOf = (of: Words): fc.Arbitrary<ToRecord> =>
  fc
    .record({
      toEvent: eventsOf(of),
      isPlain: fc.boolean(),
      asset: fc.constantFrom(1, 1, 1, 1, ...ASSETS),
      earlier: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 5),
      owner: fc.constantFrom(...OWNERS),
    })
    .map(({ toEvent, isPlain, asset, earlier, owner }) => (number) => {
      const event = toEvent(number);
      const meaning = isPlain || isCreation(event) ? { behaviour: 'RecordEvidence', operation: 'Record' } : {};
      const identity = eventOf(asset, Math.max(0, number - earlier));
      const { arc_attachments: _, ...asset_attributes } = event.asset_attributes;
      return toContribution({ ...event, ...meaning, identity, asset_attributes }, owner);
    });

interface Choice {
  readonly toRecord: ToRecord;
  readonly tenantIdentity: string;
  /** An author that is no other tenant's, a tenant's own, or that of the record's tenant. */
  readonly wallet: number | undefined;
}

const choicesOf = (of: Words): fc.Arbitrary<Choice> => {
  const wallet = fc.oneof(
    { weight: 40, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(1, 2, 11) },
  );
  const by = (tenants: readonly string[], toRecord: fc.Arbitrary<ToRecord>): fc.Arbitrary<Choice> =>
    fc.record({ toRecord, tenantIdentity: fc.constantFrom(...tenants), wallet });
  return fc.oneof(
    { weight: 2, arbitrary: by(OWNERS, creationsOf(of)) },
    { weight: 4, arbitrary: by(OWNERS, eventsOf(of)) },
    { weight: 2, arbitrary: by(OWNERS, subjects) },
    { weight: 3, arbitrary: by(OWNERS, policiesOf(of)) },
    { weight: 1, arbitrary: by(SHARING_TENANTS, blobs) },
    { weight: 9, arbitrary: by([BETA, BETA, BETA, BETA, GAMMA, ALPHA], contributionsOf(of)) },
  );
};

const WALLETS: Readonly<Record<string, number>> = { [ALPHA]: 10, [BETA]: 11, [GAMMA]: 12 };

// Most histories begin with what lets contributions count, so that the others change it.
const beginningOf = (isOpen: boolean): Choice[] => [
  ...SHARING_TENANTS.map((tenantIdentity) => ({
    toRecord: (number: number) =>
      aTenantRecord(tenantIdentity, { identity: toVersionIdentity(tenantIdentity, uuidOf(0xf00 + number)) }),
    tenantIdentity,
    wallet: undefined,
  })),
  ...(isOpen ? OPENING.map((toRecord) => ({ toRecord, tenantIdentity: ALPHA, wallet: undefined })) : []),
];

const OPENING: readonly ToRecord[] = [
  (number) =>
    aSubjectRecord(1, {
      identity: toVersionIdentity(subjectOf(1), uuidOf(number)),
      wallet_pub_key: [walletKeyOf(11)],
    }),
  (number) =>
    anAccessPolicyRecord(1, {
      identity: toVersionIdentity(accessPolicyOf(1), uuidOf(number)),
      access_permissions: [
        aPermission({
          subjects: [subjectOf(1)],
          behaviours: ['*'],
          asset_attributes_write: ['*'],
          event_arc_display_type_write: ['*'],
        }),
      ],
    }),
];

const NOBODY = { issuer: '', subject: '', display_name: '', email: '' };
const toFirst = (number: number): EventRecord => ({
  type: 'event',
  identity: eventOf(1, number),
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: {},
  asset_attributes: {},
  asset_settings: {},
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  timestamp_declared: '2026-11-20T12:00:00.000Z',
  principal_accepted: NOBODY,
  principal_declared: NOBODY,
});
const asset_settings = { ...SETTINGS, behaviours: ['RecordEvidence', 'Attachments'], public: true };
const CREATION: Choice = {
  toRecord: (number) => ({ ...toFirst(number), behaviour: 'AssetCreator', operation: 'NewAsset', asset_settings }),
  tenantIdentity: ALPHA,
  wallet: undefined,
};
/** It counts, whatever follows: most histories have two, so that a few histories have many. */
const CONTRIBUTION: Choice = {
  toRecord: (number) => toContribution(toFirst(number), ALPHA),
  tenantIdentity: BETA,
  wallet: undefined,
};

const nameOf = ({ tenantIdentity, record }: WrittenRecord): string => `${tenantIdentity} ${record.identity}`;

/** Records of these words in the order of the ledger. No record of a tenant occurs twice, as on a chain. */
export const sharedHistoriesOf = (of: Words): fc.Arbitrary<WrittenRecord[]> =>
  fc
    .tuple(
      fc.constantFrom(true, true, true, false),
      fc.array(choicesOf(of), { minLength: 20, maxLength: 40, size: 'max' }),
      followChoices,
    )
    .map(([isOpen, chosen, choices]) => {
      const all = [...beginningOf(isOpen), ...(isOpen ? [CREATION, CONTRIBUTION, CONTRIBUTION] : []), ...chosen];
      const written = all.map(
        ({ toRecord, tenantIdentity, wallet }, at): WrittenRecord => ({
          tenantIdentity,
          record: toRecord(at),
          changed: { author: walletOf(wallet ?? WALLETS[tenantIdentity]!) },
        }),
      );
      const once = [...new Map(written.map((each) => [nameOf(each), each] as const)).values()];
      return withFollows(once, choices);
    });
