// Reads assets and events for a caller: those of its tenant, or as far as access policies share them.
import type { ContributionView } from '../../indexer/contributionView.ts';
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { SharedReader } from '../../indexer/sharedView.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { Caller } from '../openapi/handlers.ts';

/** The caller as a reader of shared records. */
export const toReader = ({ claims, isRestricted }: Caller): SharedReader => ({
  claims,
  isOwnRestricted: isRestricted,
});

/** The name of a list: a caller without a role sees another list, which no page token of the tenant's continues. */
export const toListName = (list: string, { isRestricted }: Caller): string => (isRestricted ? `shared/${list}` : list);

type AssetView = Pick<LedgerView, 'readAsset' | 'readAssetAt' | 'readSharedAsset'>;

/** The asset that the caller sees, as it is now or was at a time. Undefined if it sees none, or none existed then. */
export const readVisibleAsset = async (
  view: AssetView,
  caller: Caller,
  assetUuid: string,
  atMs?: number,
): Promise<Asset | undefined> => {
  const { tenantIdentity, isRestricted } = caller;
  // An asset of the tenant hides those of others with the same UUID, also while it did not exist yet.
  const own = isRestricted ? undefined : await view.readAsset(tenantIdentity, assetUuid);
  if (own === undefined) return view.readSharedAsset(tenantIdentity, toReader(caller), assetUuid, atMs);
  return atMs === undefined ? own : view.readAssetAt(tenantIdentity, assetUuid, atMs);
};

/** What `readVisibleEvent` reads. */
export type EventView = Pick<LedgerView, 'readAsset' | 'readEvent' | 'readSharedEvent'> &
  Pick<ContributionView, 'readContribution'>;

/** The event that the caller sees, or that its tenant contributed; undefined if it sees none. */
export const readVisibleEvent = async (
  view: EventView,
  caller: Caller,
  assetUuid: string,
  eventUuid: string,
): Promise<EventResource | undefined> => {
  const { tenantIdentity, isRestricted } = caller;
  const shared = () => view.readSharedEvent(tenantIdentity, toReader(caller), assetUuid, eventUuid);
  if (isRestricted) return shared();
  const own = await view.readEvent(tenantIdentity, assetUuid, eventUuid);
  if (own !== undefined) return own;
  const hidesOthers = (await view.readAsset(tenantIdentity, assetUuid)) !== undefined;
  if (hidesOthers) return undefined;
  const contributed = await view.readContribution(tenantIdentity, assetUuid, eventUuid);
  return contributed?.hasEffect ? contributed.event : shared();
};

/**
 * Refuses evidence of a record that isn't the caller's tenant's: with EVIDENCE_RESTRICTED if it is shared with the
 * caller, since evidence discloses all of a record, else with `code`, as if there were none.
 */
export const refuseEvidence = (isShared: boolean, code: LedgerErrorCode): LedgerError =>
  new LedgerError(isShared ? 'EVIDENCE_RESTRICTED' : code);
