// fast-check generators of subjects and access policies.
import fc from 'fast-check';
import { toAccessPolicyIdentity, toSubjectIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { SubjectRecord } from '../../ledger/records/subject.ts';
import { alternatives, bytesOf, texts, versionsOf } from './recordParts.ts';

const textLists = fc.array(texts, { maxLength: 3 });

/** Texts in the form of an uncompressed public key; few are a point of the curve. */
const walletKeys = bytesOf(64).map((bytes) => `04${Buffer.from(bytes).toString('hex')}`);

/** Versions of subjects. */
export const subjectRecords: fc.Arbitrary<SubjectRecord> = versionsOf({
  display_name: texts,
  wallet_pub_key: fc.array(walletKeys, { maxLength: 3 }),
  tessera_pub_key: textLists,
  is_deleted: fc.boolean(),
}).map(
  ([subject, version, content, stamp]): SubjectRecord => ({
    type: 'subject',
    identity: toVersionIdentity(toSubjectIdentity(subject), version),
    follows: '',
    ...content,
    ...stamp,
  }),
);

const permissions = fc.record(
  {
    subjects: textLists,
    user_attributes: alternatives,
    behaviours: textLists,
    include_attributes: textLists,
    asset_attributes_read: textLists,
    asset_attributes_write: textLists,
    event_arc_display_type_read: textLists,
    event_arc_display_type_write: textLists,
  },
  { noNullPrototype: true },
);

/** Versions of access policies. */
export const accessPolicyRecords: fc.Arbitrary<AccessPolicyRecord> = versionsOf({
  display_name: texts,
  description: texts,
  filters: alternatives,
  access_permissions: fc.array(permissions, { maxLength: 2 }),
  is_deleted: fc.boolean(),
}).map(
  ([policy, version, content, stamp]): AccessPolicyRecord => ({
    type: 'access_policy',
    identity: toVersionIdentity(toAccessPolicyIdentity(policy), version),
    follows: '',
    ...content,
    ...stamp,
  }),
);
