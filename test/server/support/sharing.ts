// Sets up what tenants share: subjects that stand for each other, and access policies.
import { randomUUID } from 'node:crypto';
import {
  toAccessPolicyIdentity,
  toLocationIdentity,
  toSubjectIdentity,
  toVersionIdentity,
} from '../../../ledger/identity.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../../ledger/records/accessPolicy.ts';
import { toWalletAddress } from '../../../ledger/records/subject.ts';
import { aLocationRecord, anAccessPolicyRecord, aPermission, aSubjectRecord } from '../../support/records.ts';
import type { TestServer, TestTenant } from './testServer.ts';

const newWallet = (): string => `04${randomUUID().replaceAll('-', '').repeat(4)}`;

/** Has an owner know a reader's tenant; returns the identity of the subject. */
export const introduce = async (
  { ledger }: Pick<TestServer, 'ledger'>,
  owner: Pick<TestTenant, 'identity'>,
  reader: Pick<TestTenant, 'identity'>,
): Promise<string> => {
  const wallet = newWallet();
  const identity = toSubjectIdentity(randomUUID());
  const location = toVersionIdentity(toLocationIdentity(randomUUID()), randomUUID());
  await ledger.mine({
    tenantIdentity: reader.identity,
    record: aLocationRecord(1, { identity: location }),
    changed: { author: toWalletAddress(wallet) },
  });
  const record = aSubjectRecord(1, {
    identity: toVersionIdentity(identity, randomUUID()),
    wallet_pub_key: [wallet],
  });
  await ledger.mine({ tenantIdentity: owner.identity, record });
  return identity;
};

/** Puts an access policy of an owner on the ledger; returns the function that deletes it. */
export const permit = async (
  { ledger }: Pick<TestServer, 'ledger'>,
  owner: Pick<TestTenant, 'identity'>,
  permission: Partial<AccessPermission>,
  filters: AccessPolicyRecord['filters'] = [],
): Promise<() => Promise<void>> => {
  const identity = toAccessPolicyIdentity(randomUUID());
  const first = anAccessPolicyRecord(1, {
    identity: toVersionIdentity(identity, randomUUID()),
    filters,
    access_permissions: [aPermission(permission)],
  });
  const { identity: tenantIdentity } = owner;
  await ledger.mine({ tenantIdentity, record: first });
  return async () => {
    const last = { identity: toVersionIdentity(identity, randomUUID()), follows: first.identity, is_deleted: true };
    await ledger.mine({ tenantIdentity, record: { ...first, ...last } });
  };
};
