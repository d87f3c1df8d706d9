// How often each kind of fault, kill point and answer occurred in a run, as `group: name`.
import type { Attempt, CreationRequest } from './clients/history.ts';
import type { Simulation } from './simulation.ts';

// An attempt that was answered has its sight; the answers of reads are sights too. Locations have no status.
const toAttemptNames = ({ outcome }: Attempt): string[] => {
  if (outcome === 'answered') return [];
  return [typeof outcome === 'string' ? outcome : `refused with ${outcome.code.split(':')[0]}`];
};

const toAnswerNames = ({ attempts, sights }: CreationRequest): string[] => [
  ...sights.map(({ status }) => (status === 'unknown' ? 'no confirmation status' : status)),
  ...attempts.flatMap(toAttemptNames),
];

/** The counts of a run, with those of its chain and of its clients' answers. */
export const countOutcome = ({ counts, chain, history }: Simulation): Record<string, number> => {
  const all = new Map([...counts, ...chain.counts()]);
  for (const answer of history.requests.flatMap(toAnswerNames)) {
    const name = `answers: ${answer}`;
    all.set(name, (all.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(all);
};
