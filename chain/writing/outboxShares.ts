// What one tenant may have of the outbox, in records and in their payload bytes.

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
