// Reserves memory for reads: the embedded chain keeps every record in memory and gives none back, so records are
// refused before the system would end the process, which would need the same memory again at each start.
import { LedgerError } from '../../ledger/errors.ts';
import type { FreeMemory } from './freeMemory.ts';

/** Memory that records must leave. */
export interface MemoryReserve {
  /** @throws LedgerError MEMORY_RESERVED when less than the reserve is free. */
  assertFree(): void;
  /** Whether less than the reserve is free. */
  isReached(): boolean;
}

/** Options of a memory reserve. */
export interface MemoryReserveOptions {
  /** Bytes; undefined: 512 MiB, or a fifth of the limit where that is less; 0: none. */
  readonly reserveBytes: number | undefined;
  readonly readFree: () => FreeMemory;
  readonly onProblem: (message: string) => void;
  /** Milliseconds of a clock that is never set back. */
  readonly nowMs: () => number;
}

const RESERVE_BYTES_MAX = 512 * 2 ** 20;
const RESERVE_FRACTION = 0.2;
/** How long one reading counts, in milliseconds: some tens of MiB of records. */
const READING_MS = 250;
const RETRY_AFTER_MS = 60_000;

const toMebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const toReserve = ({ limitBytes }: FreeMemory, reserveBytes: number | undefined): number =>
  reserveBytes ?? Math.min(RESERVE_BYTES_MAX, Math.floor(limitBytes * RESERVE_FRACTION));

/** A reserve that is reached when less is free, as of at most 250 ms ago. */
export const createMemoryReserve = (options: MemoryReserveOptions): MemoryReserve => {
  const { readFree, onProblem, nowMs } = options;
  let isReached = false;
  let readAtMs = Number.NEGATIVE_INFINITY;

  const check = (): boolean => {
    const free = readFree();
    const reserveBytes = toReserve(free, options.reserveBytes);
    const isShort = free.freeBytes < reserveBytes;
    if (isShort && !isReached)
      onProblem(
        `records are refused: ${toMebibytes(free.freeBytes)} MiB of memory are free, and ` +
          `${toMebibytes(reserveBytes)} MiB are reserved for reads; move to a machine or container with more`,
      );
    if (!isShort && isReached) onProblem('records are accepted: enough memory is free again');
    return isShort;
  };
  const read = (): boolean => {
    if (options.reserveBytes === 0) return false;
    if (nowMs() - readAtMs < READING_MS) return isReached;
    readAtMs = nowMs();
    isReached = check();
    return isReached;
  };
  return {
    assertFree: () => {
      if (read()) throw new LedgerError('MEMORY_RESERVED', { retryAfterMs: RETRY_AFTER_MS });
    },
    isReached: read,
  };
};
