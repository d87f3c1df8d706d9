// The places of members of a named collection in the order of acceptance: those of their first versions, which stay
// when newer versions follow. A first version that the chain refused counts too, since the member was listed with it.
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import type { Named } from '../projection/namedCollections.ts';
import { decodeLeafIndex, leafRecordKeyOf } from '../rows/leafRow.ts';
import { decodeRecord } from '../rows/recordRow.ts';
import type { NamedRecord, NamedRow } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { leafKey, streamLeafRange } from '../treeKeys.ts';
import type { NamedList } from './namedList.ts';
import type { CommittedItem } from './newestPage.ts';
import { readMembers } from './recordReads.ts';

const POSITIONS_MAX = 2 ** 32 - 1;
/** Records of a stream that are read at once. */
const AT_ONCE = 16;

/** When the first record of a stream was accepted, in milliseconds since the epoch. */
const readFirstMs = async (snapshot: Snapshot, tenantKey: Uint8Array, streamKey: Uint8Array): Promise<number> => {
  for (let from = 1; ; from += AT_ONCE) {
    const entries = await snapshot.readFirst(streamLeafRange(tenantKey, streamKey, from, POSITIONS_MAX), AT_ONCE);
    const leafKeys = entries.map(([, index]) => leafKey(tenantKey, decodeLeafIndex(index as Uint8Array)));
    const leaves = (await snapshot.readMany(leafKeys)) as Uint8Array[];
    const rows = await snapshot.readMany(leaves.map((leaf) => keys.recordKey(tenantKey, leafRecordKeyOf(leaf))));
    // Records that mean nothing to the index have no row.
    const first = rows.find((row) => row !== undefined);
    if (first !== undefined) return Date.parse(decodeRecord(first as Uint8Array).timestamp_accepted);
    if (entries.length < AT_ONCE) return Number.NEGATIVE_INFINITY;
  }
};

/** The members of the index with these numbers, with their places. */
export const readNamedPlaces = async <R extends NamedRecord, T extends Named>(
  { source, tenantKey }: NamedList<R, T>,
  numbers: readonly number[],
): Promise<CommittedItem[]> => {
  const { snapshot, of, uncommitted } = source;
  const members = { tenantKey, collection: of.collection, numbers };
  const rows = await readMembers(snapshot, members, (key, stream) => keys.namedKey(key, of.collection, stream));
  const refused = uncommitted.filter(({ status }) => status === 'FAILED');
  return Promise.all(
    (rows as NamedRow<R>[]).map(async ({ number, record }) => {
      const identity = toStreamIdentityOf(record);
      const times = refused
        .filter(({ streamIdentity }) => streamIdentity === identity)
        .map((entry) => Date.parse(entry.record.timestamp_accepted));
      const firstMs = await readFirstMs(snapshot, tenantKey, toKey(identity));
      return { place: { atMs: Math.min(firstMs, ...times), identity }, number };
    }),
  );
};
