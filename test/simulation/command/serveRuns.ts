// The side of a worker process: runs the seeds that the command sends, one at a time.
import type { Outcome, Plan } from '../plan/plan.ts';
import type { Note } from '../world/world.ts';
import type { RunTask, WorkerMessage } from './messages.ts';
import { applyChange, PlanChangeError } from './planChange.ts';

/** The simulation as the command uses it. */
export interface Simulation {
  toPlan(seed: number, chain?: Plan['chain'], only?: readonly string[]): Plan;
  runPlan(plan: Plan, onNote?: (note: Note) => void): Promise<Outcome>;
}

// Resolves when the operating system has the message, so that it is not lost when the next run never ends.
const send = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send!(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });

const toChangedPlan = (simulation: Simulation, { seed, change, chain, only }: RunTask): Plan | PlanChangeError => {
  try {
    return applyChange(simulation.toPlan(seed, chain, only), change);
  } catch (error) {
    if (error instanceof PlanChangeError) return error;
    throw error;
  }
};

const serveTask = async (simulation: Simulation, task: RunTask): Promise<void> => {
  const plan = toChangedPlan(simulation, task);
  if (plan instanceof PlanChangeError) return send({ kind: 'refused', reason: plan.message });
  await send({ kind: 'planned', plan });
  const story: Note[] = [];
  const outcome = await simulation.runPlan(plan, task.hasStory ? (note) => story.push(note) : undefined);
  await send({ kind: 'ended', outcome, story });
};

/** Serves the process that started this one, until that ends. A run that rejects ends this process with its error. */
export const serveRuns = (simulation: Simulation): void => {
  process.on('message', (task: RunTask) => void serveTask(simulation, task));
  process.on('disconnect', () => process.exit());
  // The command ends its workers; a terminal's Ctrl-C reaches them too.
  process.on('SIGINT', () => undefined);
};
