// Whether an event that another tenant records on an asset becomes one of the asset's events: if a policy of the owner
// grants it to the writer's tenant, and if the asset would accept it from its owner. User attributes are not looked at:
// they are about a principal of the writer's tenant, whose server enforces them.
import type { AssetChange, AssetState } from '../assets/asset.ts';
import { assertAssetFits } from '../assets/assetSize.ts';
import { attachedBlobs } from '../assets/attachments.ts';
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

// Whether the asset accepts the event from any tenant: by its behaviours, and by its size.
const isAccepted = (state: AssetState, event: AssetChange): boolean => {
  try {
    assertEventAllowed(state.behaviours, event);
    assertAssetFits(state, event);
    return true;
  } catch (error) {
    if (error instanceof LedgerError) return false;
    throw error;
  }
};

/** What the ledger has of the owner and the writer at the place of a contribution. `P`: an access policy. */
export interface ContributionFacts<P extends { readonly grants: readonly Grant[] }> {
  /** The owner's access policies that are in effect, each with all of its grants; others may be left out. */
  readonly policies: Iterable<P>;
  /** Whether a subject of the owner stands for the writer's tenant. */
  readonly isWriter: (subject: string) => boolean;
  /** Whether the owner has a blob of this identity. */
  readonly isOwnersBlob: (identity: string) => boolean;
}

// A blob is looked up by the tenant of the event that attaches it. One that has the identity of a blob of the owner
// could be taken for that, which the writer must not share with others.
const attachesOwners = (event: AssetChange, isOwnersBlob: (identity: string) => boolean): boolean =>
  [event.event_attributes, event.asset_attributes].some((attributes) =>
    [...attachedBlobs(attributes)].some(isOwnersBlob),
  );

// The filters are those of the policy, so they are the same for all of its grants. They cost most and come last.
const findGrant = <P extends { readonly grants: readonly Grant[] }>(
  { attributes }: AssetState,
  event: AssetChange,
  { policies, isWriter }: ContributionFacts<P>,
): { readonly policy: P; readonly grant: Grant } | undefined => {
  const granted = toGrantedEvent(event);
  const isFor = (grant: Grant): boolean => allowsWrite(grant, granted) && grant.subjects.some(isWriter);
  for (const policy of policies) {
    const grant = policy.grants.find(isFor);
    if (grant !== undefined && matchesAsset(grant, attributes)) return { policy, grant };
  }
  return undefined;
};

/**
 * What grants a contribution that becomes an event of an asset in this state, if no record of the owner and no
 * contribution before it has the identity of its event; undefined if it becomes none.
 */
export const findCountedGrant = <P extends { readonly grants: readonly Grant[] }>(
  state: AssetState,
  event: AssetChange,
  facts: ContributionFacts<P>,
): { readonly policy: P; readonly grant: Grant } | undefined => {
  const found = findGrant(state, event, facts);
  const isCounted = found !== undefined && isAccepted(state, event) && !attachesOwners(event, facts.isOwnersBlob);
  return isCounted ? found : undefined;
};
