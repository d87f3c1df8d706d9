// Schedules everything that a plan contains.
import { create } from '../clients/creations.ts';
import type { ListQuery } from '../clients/history.ts';
import { createFromLines, type OddLine } from '../clients/lines.ts';
import { walkList } from '../clients/listWalk.ts';
import { readAgain, readLocation } from '../clients/reads.ts';
import type { Simulation } from '../simulation.ts';
import type { Fault, PlannedRequest } from './plan.ts';
import { SERVER_FAULTS } from './serverFaults.ts';

const list = ({ clients }: Simulation, tenantIdentity: string, request: PlannedRequest): Promise<void> => {
  const assets = clients.history.streamsOf(tenantIdentity, 'assets');
  return walkList(clients, {
    list: request.list as ListQuery['list'],
    tenantIdentity,
    streamIdentity: request.ofAsset === true ? assets[Number(request.target) % assets.length] : undefined,
    order: String(request.order),
    pageSize: Number(request.pageSize) || undefined,
  });
};

const sendLines = ({ clients }: Simulation, tenantIdentity: string, request: PlannedRequest): Promise<void> =>
  createFromLines(clients, {
    label: `r${request.number}`,
    tenantIdentity,
    target: Number(request.target),
    lines: Number(request.lines),
    oddLine: request.oddLine as OddLine,
    keyedEach: Number(request.keyedEach),
    pieceCharacters: Number(request.pieceCharacters),
    pauseMsMax: Number(request.pauseMsMax),
    repeatsUnkeyed: request.repeatsUnkeyed === true,
    isDoubled: request.isDoubled === true,
    piecesUntilEnd: Number(request.piecesUntilEnd),
  });

const send = async (simulation: Simulation, request: PlannedRequest): Promise<void> => {
  const { clients, template } = simulation;
  const { kind } = request;
  const tenantIdentity = template.tenants[Number(request.tenant)]!;
  const target = Number(request.target);
  if (kind === 'read') return readAgain(clients, target);
  if (kind === 'readLocation') return readLocation(clients, tenantIdentity, target);
  if (kind === 'list') return list(simulation, tenantIdentity, request);
  if (kind === 'createEvents') return sendLines(simulation, tenantIdentity, request);
  await create(clients, {
    kind: kind as 'createAsset',
    label: `r${request.number}`,
    tenantIdentity,
    target,
    renames: request.renames === true,
    isKeyed: request.isKeyed === true,
    repeatsUnkeyed: request.repeatsUnkeyed === true,
    vanishes: request.vanishes === true,
    isDoubled: request.isDoubled === true,
    givesUp: true,
    rivalMs: Number(request.rivalMs),
  });
};

const startRequest = (simulation: Simulation, request: PlannedRequest): void => {
  const { activeClients, world } = simulation;
  const name = `r${request.number}`;
  activeClients.add(name);
  world.schedule(request.atMs, () => void send(simulation, request).then(() => activeClients.delete(name)));
};

const applyFault = (simulation: Simulation, fault: Fault): void => {
  const { chain, counts, machine, disk, kills, clients } = simulation;
  const name = `faults: ${fault.kind}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (chain.applyFault(fault, machine)) return;
  SERVER_FAULTS[fault.kind]!.apply(fault, { machine, disk, kills, clients: clients.network });
};

const endOf = ({ atMs, durationMs }: Fault): number => atMs + Number(durationMs ?? 0);

/** Starts the server and schedules requests and faults. Returns the time at which the last of them has ended. */
export const startPlan = (simulation: Simulation): number => {
  const { plan, world, machine, chain } = simulation;
  chain.start();
  machine.start();
  for (const request of plan.requests) startRequest(simulation, request);
  for (const fault of plan.faults) world.schedule(fault.atMs, () => applyFault(simulation, fault));
  return Math.max(0, ...plan.requests.map(({ atMs }) => atMs), ...plan.faults.map(endOf)) + 1;
};
