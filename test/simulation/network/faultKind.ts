// The kinds of fault of a network: how they are drawn, applied and described.
import type { Fault } from '../plan/plan.ts';
import type { Actors } from '../thirdParties/thirdPartyCalls.ts';
import type { Random } from '../world/random.ts';
import type { SimulatedNetwork } from './network.ts';

/** What a fault may be drawn for. */
export interface DrawContext {
  readonly nodes: number;
  readonly confirmations: number | 'finalized';
  /** Number of blocks that make a block final on this chain: `confirmations`, or what `finalized` means there. */
  readonly finalDepth: number;
  readonly blockMs: number;
  /** The timeout of the clients, in virtual milliseconds. */
  readonly timeoutMs: number;
  /** Number of tenants whose keys the run has. */
  readonly tenants: number;
}

/** Parameters of a fault. */
export type FaultParams = Readonly<Record<string, number | string | boolean>>;

/** One kind of fault. */
export interface FaultKind {
  /** Undefined where this kind is impossible. */
  draw(random: Random, context: DrawContext): FaultParams | undefined;
  apply(network: SimulatedNetwork, fault: Fault, actors: Actors): void;
  /** A sentence for the story of the run, without a full stop. */
  describe(fault: Fault): string;
}
