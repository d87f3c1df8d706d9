// The clock of a ledger: the machine's, held at the newest written time, and watched for jumps.
import type { Outbox } from '../chain/writing/outbox.ts';
import { readAcceptedMs } from './checks/clockAcceptance.ts';
import { awaitClock, toHeldMs, toNewestMs, toUnaccepted, type WrittenTimes } from './checks/clockCheck.ts';
import { createFindJump } from './clockJump.ts';
import type { IndexedChain } from './indexedChain.ts';
import type { LedgerOptions } from './ledgerOptions.ts';
import { createSteadyClock, type SteadyClock } from './steadyClock.ts';

/** A clock that never goes back while this process runs. */
export const createLedgerClock = ({ now, onProblem }: LedgerOptions): SteadyClock =>
  createSteadyClock({
    now,
    onSetBack: (byMs) =>
      onProblem(`the clock was set back by ${Math.round(byMs / 1_000)} s; times stay constant until it has caught up`),
  });

/** The newest times that a ledger's outbox and chain have. */
export const readWrittenTimes = (
  { newestAcceptedMs }: Pick<Outbox, 'newestAcceptedMs'>,
  { chain }: Pick<IndexedChain, 'chain'>,
): WrittenTimes => ({ acceptedMs: newestAcceptedMs(), blockSeconds: chain.replayedUntilSeconds });

/**
 * Resolves when the clock isn't behind what was written, as `awaitClock` does, and holds it there. What an operator has
 * accepted as ahead of the clock doesn't count.
 */
export const assertClock = async (
  options: LedgerOptions,
  indexed: Pick<IndexedChain, 'chain'>,
  outbox: Pick<Outbox, 'newestAcceptedMs'>,
  clock: SteadyClock,
): Promise<void> => {
  const written = toUnaccepted(readWrittenTimes(outbox, indexed), await readAcceptedMs(options.dataDir));
  await awaitClock({ ...options, newestMs: toNewestMs(written) });
  clock.holdAt(toHeldMs(written));
};

/** How often the clock is compared with the time since boot. */
const WATCH_MS = 60_000;

/** Watches the machine's clock for jumps until `stop`. */
export const watchClock = ({
  now,
  uptimeMs,
  onProblem,
}: Pick<LedgerOptions, 'now' | 'uptimeMs' | 'onProblem'>): { findJump: () => number | undefined; stop: () => void } => {
  if (uptimeMs === undefined) return { findJump: () => undefined, stop: () => undefined };
  const findJump = createFindJump({ nowMs: now, uptimeMs }, onProblem);
  const timer = setInterval(findJump, WATCH_MS).unref();
  return { findJump, stop: () => clearInterval(timer) };
};
