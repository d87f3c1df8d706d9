// The catalogue of a network's faults. A fault is plain JSON: its kind, its time and its parameters.
import type { Fault } from '../plan/plan.ts';
import type { Actors } from '../thirdParties/thirdPartyCalls.ts';
import type { Random } from '../world/random.ts';
import { theWorld } from '../world/world.ts';
import { CHAIN_FAULTS } from './chainFaults.ts';
import type { DrawContext, FaultKind } from './faultKind.ts';
import type { SimulatedNetwork } from './network.ts';
import { NODE_FAULTS } from './nodeFaults.ts';
import { strayTransactions } from './strayTransactions.ts';
import { THIRD_PARTY_FAULTS } from './thirdPartyFaults.ts';

/** All kinds of fault of a network. */
export const NETWORK_FAULTS: Readonly<Record<string, FaultKind>> = {
  ...CHAIN_FAULTS,
  ...NODE_FAULTS,
  ...THIRD_PARTY_FAULTS,
  strayTransactions,
};

const kindOf = ({ kind }: Fault): FaultKind => {
  const found = NETWORK_FAULTS[kind];
  if (found === undefined) throw new Error(`there is no fault of a network called ${kind}`);
  return found;
};

/** A fault at this time, of one of `kinds`: undefined when the kind that was drawn is impossible. */
export const drawNetworkFault = (
  random: Random,
  atMs: number,
  context: DrawContext,
  kinds: readonly string[] = Object.keys(NETWORK_FAULTS),
): Fault | undefined => {
  const kind = random.pick(kinds);
  const params = NETWORK_FAULTS[kind]!.draw(random, context);
  return params === undefined ? undefined : { kind, atMs, ...params };
};

/** Begins the fault now, whatever its time is. It ends by itself. */
export const applyNetworkFault = (network: SimulatedNetwork, fault: Fault, actors: Actors): void => {
  theWorld().note('network', () => kindOf(fault).describe(fault));
  kindOf(fault).apply(network, fault, actors);
};
