// What one tenant may have of the outbox, in records and in their payload bytes.
import { PAYLOAD_BYTES_MAX } from '../../ledger/records/record.ts';

/** Records and their payload bytes. */
export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** No record. */
export const NOTHING: Amount = { count: 0, bytes: 0 };

/** Counts records. */
export const createAmount = () => {
  let amount = NOTHING;
  const count = (payload: Uint8Array, by: 1 | -1): void => {
    amount = addAmounts(amount, { count: by, bytes: by * payload.length });
  };
  return {
    read: (): Amount => amount,
    add: ({ payload }: { readonly payload: Uint8Array }): void => count(payload, 1),
    remove: ({ payload }: { readonly payload: Uint8Array }): void => count(payload, -1),
  };
};

/** A tenant may have so many times as much as is free, so something is always left for the next one. */
const FREE_FACTOR = 9;
/** The part of all that one tenant's records, refused ones among them, leave for the others. */
const OTHERS_PART = 0.1;

const toTenantMax = (max: number, free: number): number =>
  Math.min(FREE_FACTOR * free, max - Math.floor(max * OTHERS_PART));

/** The sum of amounts. */
export const addAmounts = (a: Amount, b: Amount): Amount => ({ count: a.count + b.count, bytes: a.bytes + b.bytes });

/** What is free of `max` beside what is taken. */
export const toFree = (max: Amount, taken: Amount): Amount => ({
  count: max.count - taken.count,
  bytes: max.bytes - taken.bytes,
});

/** Whether a tenant that has `own` may have another record of so many bytes while that is free. */
export const hasRoom = (
  { max, free, own }: { readonly max: Amount; readonly free: Amount; readonly own: Amount },
  bytes: number,
): boolean =>
  bytes <= free.bytes &&
  own.count < toTenantMax(max.count, free.count) &&
  own.bytes + bytes <= toTenantMax(max.bytes, free.bytes);

/** What a tenant without refused records may have in any case: ten of the largest records. */
const FEW: Amount = { count: 10, bytes: 10 * PAYLOAD_BYTES_MAX };

/** What the outbox has when the room for refused records is looked at. */
export interface RefusedRoom {
  /** Refused records of all tenants from which on tenants that have some get no further ones. */
  readonly failedMax: Amount;
  /** Records of all tenants that wait at most. */
  readonly pendingMax: Amount;
  /** The refused records of all tenants. */
  readonly failed: Amount;
  /** The records of all tenants, waiting and refused. */
  readonly all: Amount;
  /** Those of the tenant. */
  readonly own: Amount;
  readonly hasFailed: boolean;
}

/** Whether the refused records of all tenants have reached their bound. */
export const isFailedFull = ({ failed, failedMax }: Pick<RefusedRoom, 'failed' | 'failedMax'>): boolean =>
  failed.count >= failedMax.count || failed.bytes >= failedMax.bytes;

/**
 * Whether a tenant may have another record of so many bytes, which the chain may refuse. Beyond the bound, one that has
 * refused records may not. Another one may have the usual shares of what is left if all that wait are refused too, and
 * never less than a few records.
 */
export const hasRefusedRoom = (room: RefusedRoom, bytes: number): boolean => {
  if (!isFailedFull(room)) return true;
  if (room.hasFailed) return false;
  const { own, all } = room;
  const max = addAmounts(room.failedMax, room.pendingMax);
  const isFew = own.count < FEW.count && own.bytes + bytes <= FEW.bytes;
  return isFew || hasRoom({ max, free: toFree(max, all), own }, bytes);
};
