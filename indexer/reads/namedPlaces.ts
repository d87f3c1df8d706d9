// The places of members of a named collection in the order of acceptance: those of their first versions, which stay
// when newer versions follow. A first version that the chain refused counts too, since the member was listed with it.
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import type { Named } from '../projection/namedCollections.ts';
import type { NamedRecord, NamedRow } from '../rows/rows.ts';
import type { NamedList } from './namedList.ts';
import type { CommittedItem } from './newestPage.ts';
import { readMembers } from './recordReads.ts';
import { readCreated } from './versionAt.ts';

/** The members of the index with these numbers, with their places. */
export const readNamedPlaces = async <R extends NamedRecord, T extends Named>(
  { source, tenantKey }: NamedList<R, T>,
  numbers: readonly number[],
): Promise<CommittedItem[]> => {
  const { snapshot, of, tenantIdentity, uncommitted } = source;
  const members = { tenantKey, collection: of.collection, numbers };
  const rows = await readMembers(snapshot, members, (key, stream) => keys.namedKey(key, of.collection, stream));
  const refused = uncommitted.filter(({ status }) => status === 'FAILED');
  return Promise.all(
    (rows as NamedRow<R>[]).map(async ({ number, record }) => {
      const identity = toStreamIdentityOf(record);
      const times = refused
        .filter(({ streamIdentity }) => streamIdentity === identity)
        .map((entry) => Date.parse(entry.record.timestamp_accepted));
      const { type } = record;
      const created = await readCreated(snapshot, { type, tenantIdentity, streamIdentity: identity });
      return { place: { atMs: Math.min(Date.parse(created!), ...times), identity }, number };
    }),
  );
};
