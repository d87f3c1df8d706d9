// The events of one request that were passed to the writer, and that the view may not show yet.
import { type AssetChange, type AssetState, applyEvents } from '../../ledger/assets/asset.ts';

/** Events by their asset, in the order in which they were added. */
export interface UnseenEvents {
  /** Applies those of an asset. One that the view shows already has no effect, because the same events follow it. */
  apply(assetUuid: string, state: AssetState): AssetState;
  add(assetUuid: string, event: AssetChange): void;
  /** Removes an event that the view shows; one that was refused is removed already. */
  remove(assetUuid: string, event: AssetChange): void;
  /** Removes an event that the writer has refused after it was added. */
  refuse(assetUuid: string, event: AssetChange): void;
  /** Number of events that were refused. */
  refusals(): number;
}

/** No events. */
export const createUnseenEvents = (): UnseenEvents => {
  const byAsset = new Map<string, AssetChange[]>();
  let refusals = 0;
  const remove: UnseenEvents['remove'] = (assetUuid, event) => {
    const events = byAsset.get(assetUuid) ?? [];
    const at = events.indexOf(event);
    if (at !== -1) events.splice(at, 1);
    if (events.length === 0) byAsset.delete(assetUuid);
  };
  return {
    apply: (assetUuid, state) => applyEvents(state, byAsset.get(assetUuid) ?? []),
    add: (assetUuid, event) => {
      const events = byAsset.get(assetUuid);
      if (events === undefined) byAsset.set(assetUuid, [event]);
      else events.push(event);
    },
    remove,
    refuse: (assetUuid, event) => {
      refusals += 1;
      remove(assetUuid, event);
    },
    refusals: () => refusals,
  };
};
