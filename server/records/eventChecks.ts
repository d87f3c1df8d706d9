// What an event must meet before it is recorded: one event, or one of many.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { AssetState } from '../../ledger/assets/asset.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { assertAssetFits } from '../../ledger/assets/assetSize.ts';
import { assertEventAllowed } from '../../ledger/assets/behaviours.ts';
import { isAttach } from '../../ledger/records/event.ts';
import type { ProposedEvent } from './newEvent.ts';
import { assertAttachments, assertHomeLocation } from './references.ts';

type ReferenceReads = Pick<LedgerView, 'readLocation' | 'readBlob'>;

interface Parties {
  /** The tenant whose asset it is, and whose locations it may be at. */
  readonly owner: string;
  /** The tenant that records the event, and whose blobs it may attach. */
  readonly writer: string;
}

const assertAccepted = async (
  view: ReferenceReads,
  { owner, writer }: Parties,
  event: ProposedEvent,
  state: AssetState,
): Promise<void> => {
  assertEventAllowed(state.behaviours, event);
  assertAssetFits(state, event);
  await assertHomeLocation(view, owner, 'asset_attributes', event.asset_attributes);
  if (isAttach(event)) await assertAttachments(view, writer, event.event_attributes);
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
): Promise<void> => assertAccepted(view, { owner: tenantIdentity, writer: tenantIdentity }, event, state);

/** The same of an event that a tenant contributes to an asset of another one. */
export const assertContributionAccepted = (
  view: ReferenceReads,
  tenantIdentity: string,
  event: ProposedEvent,
  { tenant_identity: owner, state }: Asset,
): Promise<void> => assertAccepted(view, { owner, writer: tenantIdentity }, event, state);
