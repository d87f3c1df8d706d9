// The blobs that decide on contributions: one that attaches a blob of the owner doesn't count. So a file that counts a
// contribution has the owner's stream of each blob that it attaches, which is empty where the owner has no such blob.
import type { AssetChange } from '../../assets/asset.ts';
import { attachedBlobs } from '../../assets/attachments.ts';
import type { MergedEvent, PlacedRecord } from '../../sharing/mergedHistory.ts';
import { isContributions, type MergedParts, type NamedStream } from './mergedClaim.ts';

/** Identities of the blobs that an event attaches. */
export const listAttached = ({
  event_attributes,
  asset_attributes,
}: Pick<AssetChange, 'event_attributes' | 'asset_attributes'>): string[] => [
  ...attachedBlobs(event_attributes),
  ...attachedBlobs(asset_attributes),
];

/** A blob that a contribution attaches which counts, if its stream of the owner isn't among the parts. */
export const findLackingBlob = (
  merged: Pick<MergedParts, 'tenantIdentity'> & { readonly parts: readonly NamedStream[] },
  events: readonly MergedEvent<PlacedRecord>[],
): string | undefined => {
  const owners = merged.parts.filter((part) => !isContributions(merged, part));
  const shown = new Set(owners.map(({ streamIdentity }) => streamIdentity));
  const counted = events.filter(({ granted }) => granted !== undefined);
  return counted.flatMap(({ event }) => listAttached(event)).find((blob) => !shown.has(blob));
};
