// Runs one plan: requests and faults begin as planned; then the faults end, and everything must be complete within a
// bound of virtual time; then the checks compare what clients saw with the chain, and the index with a rebuild.
import { findKept, watchBounds } from './checks/bounds.ts';
import { checkChain, toChainRecords } from './checks/chainChecks.ts';
import { checkFirstStart } from './checks/firstStartChecks.ts';
import { checkIndex } from './checks/indexChecks.ts';
import { checkKeys } from './checks/keyChecks.ts';
import { findLate, isAnySubmittedAgain } from './checks/lateRecords.ts';
import { checkLines } from './checks/lineChecks.ts';
import { checkLists } from './checks/listChecks.ts';
import { checkLocations, findConflicting } from './checks/locationChecks.ts';
import { checkOrder } from './checks/orderChecks.ts';
import { checkOutboxFiles } from './checks/outboxFileChecks.ts';
import { checkQuiet, isQuiet } from './checks/quietChecks.ts';
import { checkRefusals } from './checks/refusalChecks.ts';
import { checkRequests } from './checks/requestChecks.ts';
import { wait } from './clients/exchange.ts';
import { LAST_LABEL, sendLastRequests } from './clients/lastRequests.ts';
import { labelOf } from './clients/recordLabel.ts';
import { PlanChangeError } from './command/planChange.ts';
import { countOutcome } from './outcomeCounts.ts';
import { drawPlan, LAST_END, toFaultNames } from './plan/drawPlan.ts';
import type { Outcome, Plan, Violation } from './plan/plan.ts';
import { startPlan } from './plan/startPlan.ts';
import { REBUILT_INDEX_DIR } from './server/settings.ts';
import { CHAINS, openSimulation, type Simulation } from './simulation.ts';
import { findForeignStreams, findRemovals, isForeignVersion, REMOVING_KINDS } from './thirdParties/thirdPartyCalls.ts';
import { createStream, type Random } from './world/random.ts';
import { runToEnd } from './world/runToEnd.ts';
import type { Note } from './world/world.ts';

/** Virtual milliseconds in which everything must be complete after the last fault. */
const LIVENESS_MS = 180_000;
/** Virtual milliseconds in which kills still wait for their operations after everything else has begun. */
const KILLS_MS = 60_000;
/** Virtual milliseconds in which the last checks must be complete. */
const CHECKS_MS = 60_000;
/** Virtual milliseconds after which the disk has every change of the outbox. */
const WRITTEN_MS = 1_000;
/** Virtual milliseconds in which the server finds that the disk accepts writes again: it tries once a second. */
const RECOVERY_MS = 2_500;
const DISK_FAULTS: readonly string[] = ['diskFull', 'diskErrors'];
const UNCHECKED = 'the checks end';

/** Share of the runs with a network. One costs as much as one and a half with the embedded chain. */
const RUNS_WITH_NETWORKS = 0.4;

const drawChain = (random: Random): Plan['chain'] => (random.chance(RUNS_WITH_NETWORKS) ? 'network' : 'embedded');

/**
 * The plan of a seed. `chain` undefined: the seed decides the kind of chain; `only`: the kinds of its faults, or all.
 * @throws PlanChangeError when there is no fault of a kind on that chain.
 */
export const toPlan = (seed: number, chain?: Plan['chain'], only?: readonly string[]): Plan => {
  const kind = chain ?? drawChain(createStream(seed, 'chain'));
  const names = toFaultNames(CHAINS[kind]);
  const unknown = only?.find((name) => !names.has(name));
  if (unknown === undefined) return drawPlan(seed, kind, CHAINS[kind], only);
  throw new PlanChangeError(`the ${kind} chain has no fault called ${unknown}; it has ${[...names].sort().join(', ')}`);
};

// Runs checks in the process of the server that is open.
const checkOnServer = async (
  { world, machine }: Simulation,
  check: () => Promise<Violation[]>,
): Promise<Violation[]> => {
  const ended = await runToEnd(world, machine.server()!.process, check, CHECKS_MS);
  if (ended === undefined) return [{ check: UNCHECKED, text: 'they did not end' }];
  return 'error' in ended ? [{ check: UNCHECKED, text: String(ended.error) }] : ended.value;
};

const checkRecords = async (simulation: Simulation): Promise<Violation[]> => {
  const { plan, history, chain, machine, template } = simulation;
  const submissions = simulation.submissions.records;
  const { ledger } = machine.server()!;
  const failed = ledger.outbox
    .readEntries()
    .filter(({ status }) => status === 'FAILED')
    .map(({ tenantIdentity, record }) => ({
      tenantIdentity,
      record,
      identity: record.identity,
      label: labelOf(record),
    }));
  const all = toChainRecords(await chain.readLogs(ledger));
  const records = all.filter((one) => !isForeignVersion(one));
  const versions = { records: all, first: template.locations };
  const faults = new Set(plan.faults.map(({ kind }) => kind));
  const isRefusalPossible =
    failed.length > 0 || (REMOVING_KINDS.some((kind) => faults.has(kind)) && isAnySubmittedAgain(submissions));
  const refused = isRefusalPossible ? await chain.readRefused(ledger) : new Set<string>();
  const removals = findRemovals(plan.faults, template.tenants);
  const others = [...template.streams, ...findForeignStreams(plan.faults, template.tenants)];
  const late = findLate({ undone: chain.readUndone(), refused, submissions });
  const seen = { history, records, failed, late };
  return [
    ...checkChain({ ...seen, refused, removals, faults }),
    ...checkOrder({ ...seen, submissions }),
    ...checkLines({ ...seen, submissions }),
    ...checkRequests({ history, records, failed }),
    ...checkRefusals({ history, plan, records, failed, removals, conflicting: findConflicting(versions) }),
    ...checkKeys({ history, records, failed }),
    ...checkLocations({ ...seen, ...versions }),
    ...checkLists({ ...seen, removals, others }),
  ];
};

const checkEnd = (simulation: Simulation): Promise<Violation[]> =>
  checkOnServer(simulation, async () => {
    const { plan, machine, world } = simulation;
    world.note('checks', () => 'begin');
    const server = machine.server()!;
    const violations = plan.settings.isFirstStart ? await checkFirstStart(server) : await checkRecords(simulation);
    const index = await checkIndex(server.ledger, REBUILT_INDEX_DIR);
    // An entry is removed from memory first.
    await wait(WRITTEN_MS);
    return [...violations, ...index, ...(await checkOutboxFiles(server.ledger.outbox.readEntries(), 'in the end'))];
  });

// Requests that clients no longer wait for may still run for a while.
const checkKept = async ({ world, machine }: Simulation): Promise<Violation[]> => {
  const server = machine.server()!;
  await world.runUntil(() => findKept(server).length === 0, world.nowMs() + CHECKS_MS);
  return findKept(server).map((text) => ({ check: 'a server at rest keeps nothing in memory', text }));
};

// The last event of a run, after which the world stands still: only the files of the disk remain.
const checkAfterPowerFailure = ({ machine, world }: Simulation): Promise<Violation[]> => {
  const { ledger, process } = machine.server()!;
  world.note('checks', () => 'end the run with a power failure, after which they read the files of the outbox');
  const entries = ledger.outbox.readEntries();
  process.kill('power failure');
  return checkOutboxFiles(entries, 'after a last power failure');
};

const checkAll = async (simulation: Simulation): Promise<Violation[]> => [
  ...(await checkEnd(simulation)),
  ...(await checkKept(simulation)),
  ...(await checkAfterPowerFailure(simulation)),
];

const NOTES_OF_END: Readonly<Record<number, string>> = {
  [LAST_END.NONE]: 'everything is complete',
  [LAST_END.STOP]: 'everything is complete; the server is stopped once more',
  [LAST_END.POWER_FAILURE]: 'everything is complete; a power failure ends the server once more',
};

// Ends the server once more when everything is complete: what was complete must stay so.
const endServer = ({ plan, machine, world }: Simulation): void => {
  world.note('plan', () => NOTES_OF_END[plan.settings.lastEnd!]);
  if (plan.settings.lastEnd === LAST_END.STOP) machine.stop();
  if (plan.settings.lastEnd === LAST_END.POWER_FAILURE) machine.process()!.kill('power failure');
};

const awaitQuiet = (simulation: Simulation): Promise<boolean> =>
  simulation.world.runUntil(() => isQuiet(simulation), simulation.world.nowMs() + LIVENESS_MS);

const endOnceMore = (simulation: Simulation): Promise<boolean> => {
  endServer(simulation);
  return awaitQuiet(simulation);
};

const serveLast = async (simulation: Simulation): Promise<boolean> => {
  const { activeClients, clients, plan, template, world } = simulation;
  if (plan.settings.isFirstStart) return true;
  if (plan.faults.some(({ kind }) => DISK_FAULTS.includes(kind)))
    await world.runUntil(() => false, world.nowMs() + RECOVERY_MS);
  activeClients.add(LAST_LABEL);
  void sendLastRequests(clients, template.tenants).then(() => activeClients.delete(LAST_LABEL));
  return awaitQuiet(simulation);
};

const checkAfterFailures = ({ machine }: Simulation): Violation[] => {
  const { answeredAfterFailure: count } = machine;
  const text = `${count} requests were answered by a server whose start had failed`;
  return count === 0 ? [] : [{ check: 'nothing is answered after a failed replay', text }];
};

/** Runs a plan and its checks. `onNote` receives the story of the run. */
export const runPlan = async (plan: Plan, onNote?: (note: Note) => void): Promise<Outcome> => {
  const simulation = await openSimulation(plan, onNote);
  const { world } = simulation;
  watchBounds(simulation.bounds, simulation);
  const endMs = startPlan(simulation);
  await world.runUntil(() => world.nowMs() >= endMs, endMs);
  // Operations follow as long as something is left to do.
  await world.runUntil(() => simulation.kills.pending() === 0 || isQuiet(simulation), endMs + KILLS_MS);
  simulation.heal();
  const isComplete = (await awaitQuiet(simulation)) && (await endOnceMore(simulation)) && (await serveLast(simulation));
  const violations = isComplete ? await checkAll(simulation) : checkQuiet(simulation);
  return {
    plan,
    violations: [...simulation.bounds.check(), ...checkAfterFailures(simulation), ...violations],
    counts: countOutcome(simulation),
    virtualMs: world.nowMs(),
    tasks: world.tasks(),
  };
};
