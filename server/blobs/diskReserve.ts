// Reserves free disk space for records: uploads are refused when they would leave less than the reserve. The free space
// is read once for an upload of known size, else once for each MiB that is received. Bytes that other uploads may still
// write count as written.
import { statfs } from 'node:fs/promises';
import { LedgerError } from '../../ledger/errors.ts';

/** Free and total bytes of a disk. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The bytes that one upload may write. */
export interface DiskGrant {
  /** Must resolve before that many bytes are written. Rejects as `DiskReserve.open` does. */
  take(bytes: number): Promise<void>;
  /** Reports that so many bytes are written. */
  wrote(bytes: number): void;
  /** The upload has ended: bytes that it did not write are free for others. */
  end(): void;
}

/** Free space that uploads must leave. */
export interface DiskReserve {
  /**
   * Opens the grant of one upload, for the expected bytes if they are known, else for 1 MiB. Rejects with
   * STORAGE_RESERVED when the free space does not suffice, with UPLOADS_BUSY when it would suffice without the other
   * uploads in progress.
   */
  open(expectedBytes?: number): Promise<DiskGrant>;
}

const STEP_BYTES = 2 ** 20;
const RESERVE_BYTES_MAX = 2 ** 30;
const RESERVE_FRACTION = 0.05;

/** Reads the space of a directory's disk that a process without privileges may use. */
export const readDiskSpace = async (directory: string): Promise<DiskSpace> => {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

const toDefaultReserve = ({ totalBytes }: DiskSpace): number =>
  Math.min(RESERVE_BYTES_MAX, Math.floor(totalBytes * RESERVE_FRACTION));

/** Reserve of a disk; `reserveBytes` undefined: 1 GiB, or 5 % of the disk where that is less. */
export const createDiskReserve = (
  reserveBytes: number | undefined,
  readSpace: () => Promise<DiskSpace>,
): DiskReserve => {
  /** Granted to all uploads and not yet written. */
  let outstanding = 0;
  let turn: Promise<unknown> = Promise.resolve();

  // Bytes that are written while the free space is read count twice rather than not at all.
  const extend = async (own: number, bytes: number): Promise<void> => {
    const before = outstanding;
    const space = await readSpace();
    const left = space.freeBytes - (reserveBytes ?? toDefaultReserve(space));
    if (left < own + bytes) throw new LedgerError('STORAGE_RESERVED');
    if (left < before + bytes) throw new LedgerError('UPLOADS_BUSY');
    outstanding += bytes;
  };
  const extendInTurn = (own: number, bytes: number): Promise<void> => {
    const extending = turn.then(() => extend(own, bytes));
    turn = extending.catch(() => undefined);
    return extending;
  };

  return {
    open: async (expectedBytes = STEP_BYTES) => {
      let granted = 0;
      let unwritten = 0;
      const grow = async (bytes: number): Promise<void> => {
        await extendInTurn(unwritten, bytes);
        granted += bytes;
        unwritten += bytes;
      };
      const wrote = (bytes: number): void => {
        unwritten -= bytes;
        outstanding -= bytes;
      };
      await grow(Math.max(1, expectedBytes));
      return {
        take: async (bytes) => {
          if (bytes > granted) await grow(Math.max(STEP_BYTES, bytes - granted));
          granted -= bytes;
        },
        wrote,
        end: () => wrote(unwritten),
      };
    },
  };
};
