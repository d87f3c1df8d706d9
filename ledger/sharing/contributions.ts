// Whether an event that another tenant records on an asset becomes one of the asset's events: if a policy of the owner
// grants it to the writer's tenant, and if the asset would accept it from its owner. User attributes are not looked at:
// they are about a principal of the writer's tenant, whose server enforces them.
import type { AssetChange, AssetState } from '../assets/asset.ts';
import { assertAssetFits } from '../assets/assetSize.ts';
import { assertEventAllowed } from '../assets/behaviours.ts';
import { toPolicyNames } from '../compliance/policyEvent.ts';
import { LedgerError } from '../errors.ts';
import { allowsWrite, type Grant, type GrantedEvent, matchesAsset } from './grants.ts';

/** What grants name of an event. The attachments that an Attach appends are no attribute that it sets. */
export const toGrantedEvent = ({ behaviour, event_attributes, asset_attributes }: AssetChange): GrantedEvent => ({
  behaviour,
  displayType: toPolicyNames(event_attributes)?.displayType,
  attributes: Object.keys(asset_attributes),
});

/** Whether one of the grants allows to record the event on an asset with these attributes. */
export const isContributionGranted = (
  grants: readonly Grant[],
  { attributes }: Pick<AssetState, 'attributes'>,
  event: AssetChange,
): boolean => {
  const granted = toGrantedEvent(event);
  return grants.some((grant) => allowsWrite(grant, granted) && matchesAsset(grant, attributes));
};

/** Whether the asset accepts the event from any tenant: by its behaviours, and by its size. */
export const isContributionAccepted = (state: AssetState, event: AssetChange): boolean => {
  try {
    assertEventAllowed(state.behaviours, event);
    assertAssetFits(state, event);
    return true;
  } catch (error) {
    if (error instanceof LedgerError) return false;
    throw error;
  }
};
