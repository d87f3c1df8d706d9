// The assets of a chunk that changed since something was computed of it: those of the events since then. So what is
// kept of a chunk of assets is changed for these assets alone.
import * as keys from '../../keys.ts';
import { toChunk } from '../../rows/bits.ts';
import type { AssetRow } from '../../rows/rows.ts';
import type { Snapshot } from '../../snapshots.ts';
import { readMembers } from '../recordReads.ts';
import { readEventAssetNumbers } from './eventAssets.ts';

/** So many events are looked at. After more of them, it is faster to read the lists of the chunk. */
const EVENTS_MAX = 64;

/** What changes with every change of a list that contains an asset of the chunk: the number of the event. */
export const readAssetChange = (snapshot: Snapshot, tenantKey: Uint8Array, chunk: number): number =>
  (snapshot.read(keys.assetChangesKey(tenantKey, chunk)) as number | undefined) ?? -1;

/**
 * The assets of a chunk that the events after one and up to another changed, as they are now; undefined if there are
 * too many events.
 */
export const readChangedSince = async (
  snapshot: Snapshot,
  { tenantKey, chunk }: { readonly tenantKey: Uint8Array; readonly chunk: number },
  { after, to }: { readonly after: number; readonly to: number },
): Promise<readonly AssetRow[] | undefined> => {
  if (to < after || to - after > EVENTS_MAX) return undefined;
  const events = Array.from({ length: to - after }, (_, at) => after + 1 + at);
  const assets = new Set(await readEventAssetNumbers(snapshot, tenantKey, events));
  const numbers = [...assets].filter((number) => toChunk(number) === chunk);
  return (await readMembers(snapshot, { tenantKey, collection: 'assets', numbers }, keys.assetKey)) as AssetRow[];
};
