// The part of the ledger view that reads locations.
import { toLocationIdentity } from '../../ledger/identity.ts';
import type { LedgerView } from '../ledgerView.ts';
import { LOCATIONS } from '../projection/namedCollections.ts';
import { createNamedReads } from './createNamedReads.ts';
import type { OverlaidReader } from './overlaidReader.ts';

/** Creates the part of the ledger view that reads locations. */
export const createLocationReads = (
  reader: OverlaidReader,
): Pick<
  LedgerView,
  'readLocation' | 'readLocationAt' | 'readNewestLocation' | 'readLocationVersion' | 'listLocations'
> => {
  const reads = createNamedReads(reader, { type: 'location', of: LOCATIONS, toIdentity: toLocationIdentity });
  return {
    readLocation: reads.read,
    readLocationAt: reads.readAt,
    readNewestLocation: reads.readNewest,
    readLocationVersion: reads.readVersion,
    listLocations: reads.list,
  };
};
