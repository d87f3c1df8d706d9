// Bounds of queues: watched during the whole run.
import type { Violation } from '../plan/plan.ts';
import type { Simulation } from '../simulation.ts';

/** Violations that were seen so far. */
export interface Bounds {
  readonly seen: Set<string>;
}

const WATCH_MS = 50;

/** Watches the queues of the server while the run lasts. */
export const createBounds = ({ world, machine, plan }: Simulation): Bounds => {
  const seen = new Set<string>();
  const most = plan.settings.outboxEntriesMax!;
  const watch = (): void => {
    const pending = machine.server()?.ledger.outbox.pendingCount() ?? 0;
    if (pending > most) seen.add(`the outbox has more than its ${most} records`);
    world.schedule(WATCH_MS, watch);
  };
  watch();
  return { seen };
};

/** The violations of a run that has ended. */
export const checkBounds = ({ seen }: Bounds): Violation[] =>
  [...seen].map((text) => ({ check: 'queues keep their bounds', text }));
