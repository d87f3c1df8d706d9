// What an event must meet before it is recorded: one event, or one of many.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { AssetState } from '../../ledger/assets/asset.ts';
import { assertAssetFits } from '../../ledger/assets/assetSize.ts';
import { assertEventAllowed } from '../../ledger/assets/behaviours.ts';
import { isAttach } from '../../ledger/records/event.ts';
import type { ProposedEvent } from './newEvent.ts';
import { assertAttachments, assertHomeLocation } from './references.ts';

/**
 * Asserts that an asset in this state accepts the event, and that the records exist that the event refers to.
 * Rejects with the code of the check that failed, which names the field.
 */
export const assertEventAccepted = async (
  view: Pick<LedgerView, 'readLocation' | 'readBlob'>,
  tenantIdentity: string,
  event: ProposedEvent,
  state: AssetState,
): Promise<void> => {
  assertEventAllowed(state.behaviours, event);
  assertAssetFits(state, event);
  await assertHomeLocation(view, tenantIdentity, 'asset_attributes', event.asset_attributes);
  if (isAttach(event)) await assertAttachments(view, tenantIdentity, event.event_attributes);
};
