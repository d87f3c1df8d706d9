// Reads assets and events for a caller: those of its tenant, or as far as access policies share them.
import type { ContributionView } from '../../indexer/contributionView.ts';
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { SharedAssetName, SharedReader } from '../../indexer/sharedView.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { AuthorizedCaller } from '../openapi/handlers.ts';
import { isRefusedAs } from './missing.ts';

const isAmbiguous = isRefusedAs('ASSET_AMBIGUOUS');

/** The caller as a reader of shared records. */
export const toReader = ({ claims, isRestricted }: AuthorizedCaller): SharedReader => ({
  claims,
  isOwnRestricted: isRestricted,
});

/** The name of a list: a caller without a role sees another list, which no page token of the tenant's continues. */
export const toListName = (list: string, { isRestricted }: AuthorizedCaller): string =>
  isRestricted ? `shared/${list}` : list;

type AssetView = Pick<LedgerView, 'readAsset' | 'readAssetAt' | 'readSharedAsset'>;

/** Whether the caller's own records come before those of others: it sees all of them, and no other tenant is named. */
const isOwnFirst = ({ tenantIdentity, isRestricted }: AuthorizedCaller, { ownerIdentity }: SharedAssetName): boolean =>
  !isRestricted && (ownerIdentity === undefined || ownerIdentity === tenantIdentity);

/**
 * The asset that the caller sees, as it is now or was at a time. Undefined if it sees none, or none existed then.
 * Rejects with ASSET_AMBIGUOUS if it sees those of several other tenants and none is named.
 */
export const readVisibleAsset = async (
  view: AssetView,
  caller: AuthorizedCaller,
  name: SharedAssetName,
  atMs?: number,
): Promise<Asset | undefined> => {
  const { tenantIdentity } = caller;
  // An asset of the tenant hides those of others with the same UUID, also while it did not exist yet.
  const own = isOwnFirst(caller, name) ? await view.readAsset(tenantIdentity, name.assetUuid) : undefined;
  if (own === undefined) return view.readSharedAsset(tenantIdentity, toReader(caller), name, atMs);
  return atMs === undefined ? own : view.readAssetAt(tenantIdentity, name.assetUuid, atMs);
};

/** What `readVisibleEvent` reads. */
export type EventView = Pick<LedgerView, 'readAsset' | 'readEvent' | 'readSharedEvent'> &
  Pick<ContributionView, 'readContribution'>;

/**
 * The event that the caller sees, or that its tenant contributed; undefined if it sees none. Rejects as
 * `readVisibleAsset` does.
 */
export const readVisibleEvent = async (
  view: EventView,
  caller: AuthorizedCaller,
  name: SharedAssetName,
  eventUuid: string,
): Promise<EventResource | undefined> => {
  const { tenantIdentity, isRestricted } = caller;
  const { assetUuid, ownerIdentity } = name;
  const shared = () => view.readSharedEvent(tenantIdentity, toReader(caller), name, eventUuid);
  if (isRestricted) return shared();
  if (isOwnFirst(caller, name)) {
    const own = await view.readEvent(tenantIdentity, assetUuid, eventUuid);
    if (own !== undefined) return own;
    const hidesOthers = (await view.readAsset(tenantIdentity, assetUuid)) !== undefined;
    if (hidesOthers) return undefined;
  }
  const contributed = await view.readContribution(tenantIdentity, assetUuid, eventUuid);
  const isOfNamed = ownerIdentity === undefined || ownerIdentity === contributed?.event.contribution?.owner;
  return contributed?.hasEffect && isOfNamed ? contributed.event : shared();
};

/**
 * Refuses evidence of a record that isn't the caller's tenant's: with EVIDENCE_RESTRICTED if it is shared with the
 * caller, since evidence discloses all of a record, else with `code`, as if there were none.
 */
export const refuseEvidence = (isShared: boolean, code: LedgerErrorCode): LedgerError =>
  new LedgerError(isShared ? 'EVIDENCE_RESTRICTED' : code);

/** Throws the refusal of evidence where several other tenants share what was asked for, else the error. */
export const restrictAmbiguous = (error: unknown): never => {
  throw isAmbiguous(error) ? new LedgerError('EVIDENCE_RESTRICTED') : error;
};
