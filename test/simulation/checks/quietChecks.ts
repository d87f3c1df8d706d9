// Liveness: once the faults have ended, every client is answered, the outbox becomes empty, and the chain is at rest.
import type { Violation } from '../plan/plan.ts';
import type { Simulation } from '../simulation.ts';
import { toTenantMax } from './refusalChecks.ts';

/** Whether nothing is left to do. */
export const isQuiet = ({ machine, chain, activeClients }: Simulation): boolean => {
  const server = machine.server();
  if (server === undefined || activeClients.size > 0) return false;
  if (server.ledger.completion.findIssue() !== undefined) return false;
  return server.ledger.outbox.pendingCount() === 0 && chain.findUnfinished().length === 0;
};

// Refused records fill the share of a tenant until the operator clears them: its requests are refused until then.
const isShareRefused = ({ machine, plan }: Simulation): boolean => {
  const entries = machine.server()?.ledger.outbox.readEntries() ?? [];
  const failed = entries.filter(({ status }) => status === 'FAILED');
  const ofTenants = Object.values(Object.groupBy(failed, ({ tenantIdentity }) => tenantIdentity));
  return ofTenants.some((ofTenant = []) => ofTenant.length >= toTenantMax(plan.settings.outboxEntriesMax!));
};

/** What keeps a run from its end: one violation that names each reason, or none. */
export const checkQuiet = (simulation: Simulation): Violation[] => {
  const { machine, chain, activeClients } = simulation;
  const server = machine.server();
  const pending = server?.ledger.outbox.pendingCount() ?? 0;
  const unanswered = isShareRefused(simulation) ? [] : [...activeClients];
  const reasons = [
    ...(server === undefined ? [`the server does not start: ${String(machine.startError())}`] : []),
    ...(pending > 0 ? [`${pending} records stay in the outbox`] : []),
    ...(unanswered.length > 0 ? [`clients are not answered: ${unanswered.join(', ')}`] : []),
    ...chain.findUnfinished(),
  ];
  return reasons.length === 0 ? [] : [{ check: 'no run stalls', text: reasons.join('; ') }];
};
