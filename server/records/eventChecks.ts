// What an event must meet before it is recorded: one event, or one of many.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { AssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { assertAssetFits } from '../../ledger/assets/assetSize.ts';
import { assertEventAllowed } from '../../ledger/assets/behaviours.ts';
import { refuseField } from '../../ledger/errors.ts';
import { isAttach } from '../../ledger/records/event.ts';
import type { Caller } from '../openapi/handlers.ts';
import type { ProposedEvent } from './newEvent.ts';
import { assertAttachments, assertBlobs, assertHomeLocation } from './references.ts';

type ReferenceReads = Pick<LedgerView, 'readLocation' | 'readBlob'>;

interface Parties {
  /** The tenant whose asset it is, and whose locations it may be at. */
  readonly owner: string;
  /** The tenant that records the event, and whose blobs it may attach. */
  readonly writer: string;
  /** Whether the sender may record it by access policies alone: then it may not read all of the asset. */
  readonly isGranted: boolean;
  /** Whether the sender may not read the writer's files. */
  readonly isRestricted: boolean;
}

// An event is as public as its asset (decision 51).
const assertSameAudience = ({ public: isPublic }: ProposedEvent, state: AssetState): void => {
  if (isPublic === undefined || isPublic === state.public) return;
  const description = `of an event is that of its asset, which is ${state.public ? '' : 'not '}public`;
  throw refuseField('REQUEST_INVALID', 'public', description);
};

const assertAccepted = async (
  view: ReferenceReads,
  { owner, writer, isGranted, isRestricted }: Parties,
  event: ProposedEvent,
  state: AssetState,
): Promise<void> => {
  assertSameAudience(event, state);
  assertEventAllowed(state.behaviours, event);
  assertAssetFits(state, event, !isGranted);
  await assertHomeLocation(view, owner, 'asset_attributes', event.asset_attributes);
  if (isAttach(event)) await assertAttachments(view, writer, event.event_attributes);
  const { event_attributes, asset_attributes } = event;
  const rules = { mustExist: isGranted, mustStateHash: isRestricted };
  await assertBlobs(view, writer, { event_attributes, asset_attributes }, rules);
};

/**
 * Asserts that an asset in this state accepts the event, and that the records exist that the event refers to.
 * Rejects with the code of the check that failed, which names the field.
 */
export const assertEventAccepted = (
  view: ReferenceReads,
  tenantIdentity: string,
  event: ProposedEvent,
  state: AssetState,
): Promise<void> =>
  assertAccepted(
    view,
    { owner: tenantIdentity, writer: tenantIdentity, isGranted: false, isRestricted: false },
    event,
    state,
  );

/**
 * The same of an event that access policies alone allow the caller, on an asset of any tenant. It may attach no blob
 * but its tenant's, in any attribute, because one of another owner would make it count for nobody.
 */
export const assertContributionAccepted = (
  view: ReferenceReads,
  { tenantIdentity, isRestricted }: Pick<Caller, 'tenantIdentity' | 'isRestricted'>,
  event: ProposedEvent,
  { tenant_identity: owner, state }: Asset,
): Promise<void> =>
  assertAccepted(view, { owner, writer: tenantIdentity, isGranted: true, isRestricted }, event, state);
