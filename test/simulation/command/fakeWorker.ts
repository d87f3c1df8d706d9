// A worker process for tests, with a simulation of its own: every run has four faults and four requests, and the seed
// decides how it ends. With a defect, its argument, one more seed fails,
// and large ones end the process.
import type { Outcome, Plan } from '../plan/plan.ts';
import { serveRuns } from './serveRuns.ts';

/** The seed whose run ends the process. */
const CRASH = 13;
/** The seed whose run doesn't end. */
const HANG = 14;
/** The seed that finds the defect. */
const FINDER = 17;
/** From this seed on the defect ends the process. */
const DEFECT_CRASHES = 100_000;
/** The seed whose first run in a process fails. */
const FICKLE = 11;
const [, , defect] = process.argv;
let fickleRuns = 0;

const toPlan = (seed: number, chain: Plan['chain'] = 'embedded'): Plan => ({
  seed,
  chain,
  settings: {},
  requests: [10, 20, 30, 40].map((atMs) => ({ kind: 'event', atMs })),
  faults: [1, 2, 3, 4].map((atMs) => ({ kind: 'kill', atMs, point: 'before' })),
});

// Seeds that are multiples of ten fail, as long as fault 2 and the requests 1 and 3 are there.
const failsAlways = ({ seed, faults, requests }: Plan): boolean =>
  seed % 10 === 0 &&
  faults.some(({ atMs }) => atMs === 3) &&
  [20, 40].every((atMs) => requests.some((request) => request.atMs === atMs));

const failsOnce = ({ seed }: Plan): boolean => seed === FICKLE && ++fickleRuns === 1;

const fails = (plan: Plan): boolean =>
  failsAlways(plan) || failsOnce(plan) || (defect !== undefined && plan.seed === FINDER && plan.faults.length > 0);

const runPlan = async (plan: Plan, onNote?: (note: { atMs: number; actor: string; text: string }) => void) => {
  if (plan.seed === CRASH) throw new Error(`seed ${CRASH} throws`);
  if (defect !== undefined && plan.seed >= DEFECT_CRASHES) throw new Error('the defect throws');
  if (plan.seed === HANG) await new Promise(() => undefined);
  onNote?.({ atMs: 1, actor: 'server', text: `starts with ${defect ?? 'no defect'}` });
  const violations = fails(plan) ? [{ check: 'records exist once', text: 'record 1 exists twice' }] : [];
  return {
    plan,
    violations,
    counts: { 'faults: kill': plan.faults.length },
    virtualMs: 1_000,
    tasks: 9,
  } satisfies Outcome;
};

serveRuns({ toPlan, runPlan });
