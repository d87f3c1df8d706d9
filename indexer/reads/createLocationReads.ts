// The part of the ledger view that reads locations, and single versions of any resource.
import { toLocationIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { LedgerView } from '../ledgerView.ts';
import { LOCATIONS } from '../projection/namedCollections.ts';
import type { Snapshot } from '../snapshots.ts';
import { listNamed, readNamed, readNewestNamed } from './namedReads.ts';
import type { OverlaidReader } from './overlaidReader.ts';
import * as reads from './recordReads.ts';
import { ofType, type UncommittedRecord } from './uncommitted.ts';

/** One version of a resource, committed or not. */
export const readVersion = async <T extends LedgerRecord['type']>(
  reader: OverlaidReader,
  type: T,
  tenantIdentity: string,
  streamIdentity: string,
  versionUuid: string,
): Promise<Extract<LedgerRecord, { type: T }> | undefined> => {
  const identity = toVersionIdentity(streamIdentity, versionUuid);
  return reader.readRows(tenantIdentity, streamIdentity, (rows, uncommitted) => {
    const waiting = ofType(uncommitted, type).find(({ record }) => record.identity === identity);
    return waiting?.record ?? reads.readRecordOf(rows, { tenantIdentity, identity }, type);
  });
};

const toLocationSource = (tenantIdentity: string, snapshot: Snapshot, entries: readonly UncommittedRecord[]) => ({
  snapshot,
  tenantIdentity,
  of: LOCATIONS,
  uncommitted: ofType(entries, 'location'),
});

/** Creates the part of the ledger view that reads locations. */
export const createLocationReads = (
  reader: OverlaidReader,
): Pick<LedgerView, 'readLocation' | 'readNewestLocation' | 'readLocationVersion' | 'listLocations'> => ({
  readLocation: (tenantIdentity, locationUuid) => {
    const streamIdentity = toLocationIdentity(locationUuid);
    return reader.readStream(tenantIdentity, streamIdentity, (snapshot, uncommitted) =>
      readNamed(toLocationSource(tenantIdentity, snapshot, uncommitted), streamIdentity),
    );
  },
  readNewestLocation: (tenantIdentity, locationUuid) => {
    const streamIdentity = toLocationIdentity(locationUuid);
    return reader.readStream(tenantIdentity, streamIdentity, (snapshot, uncommitted) =>
      readNewestNamed(toLocationSource(tenantIdentity, snapshot, uncommitted), streamIdentity),
    );
  },
  readLocationVersion: (tenantIdentity, locationUuid, versionUuid) =>
    readVersion(reader, 'location', tenantIdentity, toLocationIdentity(locationUuid), versionUuid),
  listLocations: (tenantIdentity, query, page) =>
    reader.readTenant(tenantIdentity, (snapshot, uncommitted) =>
      listNamed(toLocationSource(tenantIdentity, snapshot, uncommitted), query, page),
    ),
});
