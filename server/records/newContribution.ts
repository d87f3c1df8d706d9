// An event that a client records because access policies allow it. On an asset of another tenant it is a contribution,
// a record of the caller's tenant; whether it becomes an event of the asset is decided where the chain has it. A caller
// without a role records ordinary events of its own tenant.
import type { ContributedAsset } from '../../indexer/contributionView.ts';
import { toPointerToken } from '../../ledger/encoding/pointerToken.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { type ContributionRecord, toContribution, toContributionResource } from '../../ledger/records/contribution.ts';
import { type EventRecord, type EventResource, toEventResource } from '../../ledger/records/event.ts';
import { isContributionGranted, toGrantedEvent } from '../../ledger/sharing/contributions.ts';
import { type Grant, includesName } from '../../ledger/sharing/grants.ts';
import type { ServerDeps } from '../deps.ts';
import type { Caller } from '../openapi/handlers.ts';
import { type Acceptance, acceptRecord } from './acceptance.ts';
import { assertContributionAccepted } from './eventChecks.ts';
import { type NewEvent, type ProposedEvent, toEventRecord, toProposedEvent } from './newEvent.ts';
import { toReader } from './sharedRecords.ts';

/** A request to record an event that no role of the caller allows on the asset. */
export interface ContributionRequest {
  readonly caller: Caller;
  readonly body: NewEvent;
  readonly assetUuid: string;
  /** The tenant that owns the asset; undefined if the request doesn't say. */
  readonly ownerIdentity: string | undefined;
  /** Identity of the event on the asset. */
  readonly identity: string;
}

const NOT_TOGETHER =
  'no permission names the behaviour, the display type and all asset attributes of the event together';

// The first part of the event that none of the grants names; all of it where each part is named by some.
const findMissing = (grants: readonly Grant[], event: ProposedEvent): { field: string; description: string } => {
  const { behaviour, displayType, attributes } = toGrantedEvent(event);
  if (!grants.some(({ behaviours }) => includesName(behaviours, behaviour)))
    return { field: 'behaviour', description: `no permission names ${JSON.stringify(behaviour)}` };
  if (!grants.some(({ typesWrite }) => includesName(typesWrite, displayType))) {
    const named = displayType === undefined ? 'an event without a display type' : JSON.stringify(displayType);
    return { field: 'event_attributes/arc_display_type', description: `no permission names ${named}` };
  }
  const name = attributes.find((each) => !grants.some(({ attributesWrite }) => includesName(attributesWrite, each)));
  return name === undefined
    ? { field: 'behaviour', description: NOT_TOGETHER }
    : { field: `asset_attributes/${toPointerToken(name)}`, description: 'no permission names this attribute' };
};

const assertGranted = ({ asset, grants }: ContributedAsset, event: ProposedEvent): void => {
  if (isContributionGranted(grants, asset.state, event)) return;
  const { field, description } = findMissing(grants, event);
  throw refuseField('CONTRIBUTION_FORBIDDEN', field, description);
};

const append = async (
  deps: ServerDeps,
  caller: Caller,
  toRecord: (acceptance: Acceptance) => ContributionRecord,
): Promise<EventResource> => {
  const { tenantIdentity } = caller;
  const { record, commitment: committing } = acceptRecord(deps, caller, toRecord);
  const commitment = await committing;
  if (await deps.view.isConflicting(tenantIdentity, record.identity))
    throw new LedgerError('CONTRIBUTION_WITHOUT_EFFECT');
  return toContributionResource(record, tenantIdentity, commitment);
};

const appendOwn = async (
  deps: ServerDeps,
  caller: Caller,
  toRecord: (acceptance: Acceptance) => EventRecord,
): Promise<EventResource> => {
  const { record, commitment } = acceptRecord(deps, caller, toRecord);
  return toEventResource(record, caller.tenantIdentity, await commitment);
};

/**
 * Records an event on an asset of another tenant that grants it, or, of a caller without a role, of its own tenant.
 * Rejects with ASSET_NOT_FOUND when the caller may neither see the asset nor record anything on it, with
 * ASSET_AMBIGUOUS when several tenants have such an asset and none is named, with CONTRIBUTION_FORBIDDEN when it may
 * not record this event, and with CONTRIBUTION_WITHOUT_EFFECT when the event was recorded and is none of the asset.
 */
export const contribute = async (deps: ServerDeps, request: ContributionRequest): Promise<EventResource> => {
  const { caller, body, identity } = request;
  const found = await deps.view.findContributedAsset(caller.tenantIdentity, toReader(caller), request);
  if (found === undefined) throw new LedgerError('ASSET_NOT_FOUND');
  const proposed = toProposedEvent(body, identity);
  assertGranted(found, proposed);
  await assertContributionAccepted(deps.view, caller, proposed, found.asset);
  const toEvent = (acceptance: Acceptance) => toEventRecord(proposed, acceptance);
  return caller.isRestricted
    ? appendOwn(deps, caller, toEvent)
    : append(deps, caller, (acceptance) => toContribution(toEvent(acceptance), found.asset.tenant_identity));
};
