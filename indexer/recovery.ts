// The recovery of an index after a failed write, or damage: the database is reopened, and the rows that were shown are
// written again. Reads of written rows wait for it.
import type { Reopening } from './reopening.ts';
import type { ShownRows } from './shownRows.ts';

/** Recovers one index. */
export interface Recovery {
  /** Resolves to whether a recovery was necessary. Must not be called while a call is in progress. */
  recover(): Promise<boolean>;
  /** Resolves as `ShownRows.written` does, after the recovery in progress. */
  written(): Promise<void>;
}

/** Creates the recovery of an open index. `renew` begins a new generation of snapshots for a deletion of rows. */
export const createRecovery = (
  { failure, recover: reopen }: Pick<Reopening, 'failure' | 'recover'>,
  { written, resume }: Pick<ShownRows, 'written' | 'resume'>,
  renew: (deletion: Promise<boolean>) => Promise<boolean>,
): Recovery => {
  let recovering: Promise<unknown> = Promise.resolve();
  // A recovery that failed is begun again, even if the database is open: its rows are not written again yet.
  let isRecovered = true;
  const attempt = async (): Promise<boolean> => {
    isRecovered = false;
    await written().catch(() => undefined);
    await renew(reopen());
    await resume();
    isRecovered = true;
    return true;
  };
  return {
    recover: async () => {
      if (failure() === undefined && isRecovered) return false;
      const recovered = attempt();
      recovering = recovered.catch(() => undefined);
      return recovered;
    },
    written: () => recovering.then(written),
  };
};
