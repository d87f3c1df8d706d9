// The lists of the events of all public assets, whichever tenant they belong to: they are indexed once more as if they
// were of one tenant more, in chain order, so that a list of them costs what that of one tenant's events costs.
import { toKey } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import type { EventColumns } from '../rows/columns.ts';
import { encodePublicEvent, type PublicAssetRow } from '../rows/rows.ts';
import { type Change, type ListsChange, type ReadRow, row, toTermChange, unreadRow } from './changes.ts';
import { assetTerm } from './terms.ts';

/** What stands in place of a tenant's identity for the public records of all tenants. */
export const PUBLIC_RECORDS = 'publicassets';

const publicKey = toKey(PUBLIC_RECORDS);

const readCount = (read: ReadRow, collection: keys.Collection): number =>
  (read(keys.counterKey(publicKey, collection)) as number | undefined) ?? 0;

/** The asset of an event, as the projection finds it. */
export interface PublicCandidate {
  readonly tenantIdentity: string;
  readonly streamKey: Uint8Array;
  readonly isPublic: boolean;
  readonly isCreated: boolean;
}

/**
 * The row of the public asset that an event is of; undefined if it isn't public, or another tenant made its UUID public
 * first.
 */
export const findPublicAsset = (
  { tenantIdentity, streamKey, isPublic, isCreated }: PublicCandidate,
  read: ReadRow,
): PublicAssetRow | undefined => {
  if (!isPublic) return undefined;
  const known = read(keys.publicAssetKey(streamKey)) as PublicAssetRow | undefined;
  if (known !== undefined) return known.tenant === tenantIdentity ? known : undefined;
  return isCreated ? { tenant: tenantIdentity, number: readCount(read, 'assets') } : undefined;
};

/** What a public event adds to the lists of its tenant. */
export interface PublicEvent {
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  /** Its number among the events of its tenant. */
  readonly number: number;
  readonly columns: EventColumns;
  /** All its terms, without that of its asset. */
  readonly terms: readonly string[];
  /** The change of its asset's terms. */
  readonly assetTerms: ListsChange;
  readonly isCreation: boolean;
}

/** The changes that add an event of a public asset to the public lists. */
export const toPublicChanges = (
  asset: PublicAssetRow,
  { tenantKey, streamKey, number, columns, terms, assetTerms, isCreation }: PublicEvent,
  read: ReadRow,
): Change[] => {
  const next = readCount(read, 'events');
  const created = isCreation
    ? [row(keys.counterKey(publicKey, 'assets'), asset.number + 1), row(keys.publicAssetKey(streamKey), asset)]
    : [];
  return [
    ...created,
    row(keys.counterKey(publicKey, 'events'), next + 1),
    unreadRow(keys.publicEventKey(next), encodePublicEvent({ tenantKey, number })),
    { kind: 'columns', tenantKey: publicKey, number: next, columns: { ...columns, asset: asset.number } },
    toTermChange({ tenantKey: publicKey, number: next }, [], [assetTerm(asset.number), ...terms]),
    { ...assetTerms, tenantKey: publicKey, number: asset.number },
  ];
};
