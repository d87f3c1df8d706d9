// The part of the ledger view about what a tenant contributes to assets of other tenants.
import { toAssetIdentity, toEventIdentity, toKey } from '../../../ledger/identity.ts';
import { toUncommitted } from '../../../ledger/records/commitment.ts';
import { toContributionResource } from '../../../ledger/records/contribution.ts';
import { allowsContributions, allowsRead, matchesAsset } from '../../../ledger/sharing/grants.ts';
import type { ContributedAsset, Contribution, ContributionView } from '../../contributionView.ts';
import * as keys from '../../keys.ts';
import { contributedKey } from '../../sharingKeys.ts';
import type { Snapshot } from '../../snapshots.ts';
import type { SnapshotReader } from '../overlaidReader.ts';
import { readAssetRow, readIndexedEvent, toAsset } from '../recordReads.ts';
import { ofType, type UncommittedRecord } from '../uncommitted.ts';
import { mayOwn, takeOnly } from './onlyAsset.ts';
import { type OwnerGrants, readGrantsToWrite } from './readerGrants.ts';

const toCandidates = (snapshot: Snapshot, owner: OwnerGrants, identity: string): ContributedAsset[] => {
  const row = readAssetRow(snapshot, { tenantIdentity: owner.tenantIdentity, identity });
  if (row === undefined) return [];
  const grants = owner.grants.filter(
    (grant) => (allowsRead(grant) || allowsContributions(grant)) && matchesAsset(grant, row.state.attributes),
  );
  return grants.length === 0 ? [] : [{ asset: toAsset(row), grants }];
};

const findContributedAsset = async (
  snapshot: Snapshot,
  ...[tenantIdentity, reader, name]: Parameters<ContributionView['findContributedAsset']>
): Promise<ContributedAsset | undefined> => {
  const identity = toAssetIdentity(name.assetUuid);
  const owners = await readGrantsToWrite(snapshot, tenantIdentity, reader);
  const named = owners.filter((owner) => mayOwn(name, owner.tenantIdentity));
  return takeOnly(named.flatMap((owner) => toCandidates(snapshot, owner, identity)));
};

const readIndexed = (snapshot: Snapshot, tenantIdentity: string, eventIdentity: string): Contribution | undefined => {
  const tenantKey = toKey(tenantIdentity);
  const identity = snapshot.read(contributedKey(tenantKey, toKey(eventIdentity))) as string | undefined;
  if (identity === undefined) return undefined;
  const hasEffect = snapshot.read(keys.conflictKey(tenantKey, toKey(identity))) === undefined;
  return { event: readIndexedEvent(snapshot, { tenantIdentity, identity })!, hasEffect };
};

const toWaiting = (tenantIdentity: string, entries: readonly UncommittedRecord[]): Contribution | undefined => {
  const entry = ofType(entries, 'contribution').at(-1);
  if (entry === undefined) return undefined;
  const { record, status, failureReason } = entry;
  const event = toContributionResource(record, tenantIdentity, toUncommitted(status, failureReason));
  return { event, hasEffect: true };
};

/** Creates the part of the ledger view about what a tenant contributes. */
export const createContributionReads = ({ readSome }: Pick<SnapshotReader, 'readSome'>): ContributionView => ({
  findContributedAsset: (tenantIdentity, reader, name) =>
    readSome(
      tenantIdentity,
      () => false,
      (snapshot) => findContributedAsset(snapshot, tenantIdentity, reader, name),
    ),
  readContribution: (tenantIdentity, assetUuid, eventUuid) => {
    const eventIdentity = toEventIdentity(assetUuid, eventUuid);
    const isNeeded = ({ record }: UncommittedRecord): boolean =>
      record.type === 'contribution' && record.identity.endsWith(`/${eventIdentity}`);
    return readSome(
      tenantIdentity,
      isNeeded,
      (snapshot, entries) => toWaiting(tenantIdentity, entries) ?? readIndexed(snapshot, tenantIdentity, eventIdentity),
    );
  },
});
