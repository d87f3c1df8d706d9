// Liveness: once the faults have ended, every client is answered, the outbox becomes empty, and the chain is at rest.
import type { Violation } from '../plan/plan.ts';
import type { Simulation } from '../simulation.ts';

/** Whether nothing is left to do. */
export const isQuiet = ({ machine, chain, activeClients }: Simulation): boolean => {
  const server = machine.server();
  if (server === undefined || activeClients.size > 0) return false;
  if (server.ledger.completion.findIssue() !== undefined) return false;
  return server.ledger.outbox.pendingCount() === 0 && chain.findUnfinished().length === 0;
};

/** What keeps a run from its end: one violation for each reason. */
export const checkQuiet = ({ machine, chain, activeClients }: Simulation): Violation[] => {
  const server = machine.server();
  const pending = server?.ledger.outbox.pendingCount() ?? 0;
  const reasons = [
    ...(server === undefined ? [`the server does not start: ${String(machine.startError())}`] : []),
    ...(pending > 0 ? [`${pending} records stay in the outbox`] : []),
    ...(activeClients.size > 0 ? [`clients are not answered: ${[...activeClients].join(', ')}`] : []),
    ...chain.findUnfinished(),
  ];
  return [{ check: 'no run stalls', text: reasons.join('; ') }];
};
