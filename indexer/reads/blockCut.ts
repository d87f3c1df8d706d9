// What an index had at a block: events have the order of the chain, so that the records up to a block are the events
// below a number, and the policies are those that their streams up to the block define.
import { toKey } from '../../ledger/identity.ts';
import type { PolicyRecord, PolicyResource } from '../../ledger/records/policy.ts';
import * as keys from '../keys.ts';
import type { ListStoredPolicies } from '../ledgerView.ts';
import { POLICIES } from '../projection/namedCollections.ts';
import { decodePayloadRow } from '../rows/recordRow.ts';
import { decodeMember, type NamedRow, type Row } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { toNumberBefore, toPositionBelow } from './newestPage.ts';
import { readNumbered } from './recordReads.ts';
import { readCount } from './selection/selection.ts';
import { readHeldVersions } from './versionAt.ts';

/** Policies that are read at once. */
const AT_ONCE = 512;

const blockOf = (row: Row): number => decodePayloadRow(row as Uint8Array)!.place.blockNumber;

/** The number of the tenant's first event after a block; that of its next event if there is none. */
export const findEventAfter = (snapshot: Snapshot, tenantKey: Uint8Array, block: number): number => {
  let [low, high] = [0, readCount(snapshot, { tenantKey, collection: 'events' })];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (blockOf(readNumbered(snapshot, tenantKey, middle)) <= block) low = middle + 1;
    else high = middle;
  }
  return low;
};

// The version that held at the block, from the records of the stream.
const readHeld = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  block: number,
): Promise<PolicyRecord | undefined> => {
  let held: PolicyRecord | undefined;
  for await (const { record, blockNumber } of readHeldVersions(snapshot, { type: 'policy', tenantKey, streamKey })) {
    if (blockNumber > block) break;
    held = record;
  }
  return held;
};

interface StoredPolicy {
  readonly number: number;
  decode(): PolicyResource;
}

const readSome = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  numbers: readonly number[],
  block: number,
): Promise<StoredPolicy[]> => {
  const members = await snapshot.readMany(numbers.map((number) => keys.memberKey(tenantKey, 'policies', number)));
  const streams = members.map((member) => decodeMember(member!));
  const named = await snapshot.readMany(streams.map((stream) => keys.namedKey(tenantKey, 'policies', stream)));
  const newest = named.map((row) => (row as NamedRow<PolicyRecord>).record);
  const rows = await snapshot.readMany(newest.map(({ identity }) => keys.recordKey(tenantKey, toKey(identity))));
  const found: StoredPolicy[] = [];
  for (const [at, record] of newest.entries()) {
    // The stream is read only where a version after the block replaced another one.
    const isHeld = blockOf(rows[at]!) <= block;
    const held = isHeld ? record : await readHeld(snapshot, tenantKey, streams[at]!, block);
    if (held === undefined || held.is_deleted) continue;
    found.push({ number: numbers[at]!, decode: () => POLICIES.toResource(held)! });
  }
  return found;
};

/**
 * Lists the policies of the tenant that were created and not deleted up to a block, as `ListStoredPolicies` does. Takes
 * the positions of the list of policies, too, where none of those before was uncommitted.
 */
export const createListPoliciesAt = (snapshot: Snapshot, tenantKey: Uint8Array, block: number): ListStoredPolicies => {
  const readAll = async (): Promise<StoredPolicy[]> => {
    const found: StoredPolicy[] = [];
    for (let to = readCount(snapshot, { tenantKey, collection: 'policies' }); to > 0; to -= AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, to) }, (_, at) => to - 1 - at);
      found.push(...(await readSome(snapshot, tenantKey, numbers, block)));
    }
    return found;
  };
  let reading: Promise<StoredPolicy[]> | undefined;
  return async ({ limit, position }) => {
    reading ??= readAll();
    const before = toNumberBefore(position);
    const left = (await reading).filter(({ number }) => number < before);
    const items = left.slice(0, limit);
    const nextPosition = left.length > limit ? toPositionBelow(items.at(-1)!.number) : undefined;
    return { items: items.map(({ decode }) => decode), nextPosition, total: undefined };
  };
};
