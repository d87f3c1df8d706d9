// Records that a network's chain had, that it no longer has because it replaced their blocks, and that an operator
// appended again: they say where they stood.
import { toBlockTimestamp } from '../encoding/timestamp.ts';
import { type Checks, hasFields, isCount, isHash } from './fieldChecks.ts';

/** A place that a record had on the chain. */
export interface EarlierPlace {
  readonly block_number: number;
  readonly log_index: number;
  /** Time of the block. */
  readonly timestamp_committed: string;
  readonly transaction_id: string;
  readonly transaction_index: number;
}

/** The member of every type of record, in payload 0x03 only, that was appended again. */
export interface AppendedAgain {
  /** The places that it had, the oldest first. */
  readonly appended_again?: readonly EarlierPlace[];
}

/** Most places that a record names. */
export const EARLIER_PLACES_MAX = 16;

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const BLOCK_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

// A day that doesn't exist is read as another one.
const isBlockTime = (value: unknown): boolean => {
  if (typeof value !== 'string' || !BLOCK_TIME.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && toBlockTimestamp(ms / 1_000) === value;
};

const CHECKS: Checks<EarlierPlace> = {
  block_number: isCount,
  log_index: isIndex,
  timestamp_committed: isBlockTime,
  transaction_id: isHash,
  transaction_index: isIndex,
};

/** Whether an untrusted value is the member `appended_again`. */
export const areEarlierPlaces = (value: unknown): value is readonly EarlierPlace[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= EARLIER_PLACES_MAX &&
  value.every((place) => hasFields(place, CHECKS));

/** Checks of the members that records of each type have in payload 0x03 only. */
export const COMMON_ADDITIONS: Checks<Required<AppendedAgain>> = { appended_again: areEarlierPlaces };

/** A record as it was before it was appended again. */
export const withoutPlaces = <T extends AppendedAgain>({
  appended_again: _,
  ...record
}: T): Omit<T, 'appended_again'> => record;
