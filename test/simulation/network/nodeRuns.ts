// The runs of a node's process. A connection belongs to one run, and a hung node receives requests without a step.
import type { Exchange } from './exchange.ts';
import type { NodeConditions } from './nodeConditions.ts';

/** The runs of one node. */
export interface NodeRuns {
  /** Runs a step of an exchange now, or when the node runs again. Without `run` it belongs to the run of now. */
  whenRunning(exchange: Exchange, step: () => void, run?: number): void;
  /** Number of the run of now. */
  current(): number;
  /** Ends the run: its connections break. */
  end(): void;
  /** Begins a run, or continues a hung one. */
  resume(): void;
}

/** The runs of a node, whose state is in `conditions`. */
export const createNodeRuns = (conditions: Pick<NodeConditions, 'state'>): NodeRuns => {
  let current = 0;
  let waiting: (() => void)[] = [];
  const whenRunning: NodeRuns['whenRunning'] = (exchange, step, run = current) => {
    if (conditions.state === 'hung') waiting.push(() => whenRunning(exchange, step, run));
    else if (conditions.state === 'down' || run !== current) exchange.reset('ECONNRESET');
    else step();
  };
  const takeWaiting = (): void => {
    const steps = waiting;
    waiting = [];
    for (const step of steps) step();
  };
  return {
    whenRunning,
    current: () => current,
    end: () => {
      conditions.state = 'down';
      current += 1;
      takeWaiting();
    },
    resume: () => {
      conditions.state = 'up';
      takeWaiting();
    },
  };
};
