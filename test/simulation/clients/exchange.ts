// One exchange between a client and the server: the request and its answer travel for some time, and both may be lost.
import { LedgerError } from '../../../ledger/errors.ts';
import { readSize } from '../checks/watchedCollections.ts';
import type { Machine } from '../server/machine.ts';
import type { OpenServer, SimulatedHandlers } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import type { Read, Refusal } from './history.ts';

/** What a client learns from one exchange. */
export type Exchanged<T> = { readonly answer: T } | { readonly refusal: Refusal } | 'lost';

/** Milliseconds after which a client stops waiting for an answer. */
const TIMEOUT_MS = 20_000;
const LATENCY_MS = [0, 5] as const;

// A request that is being handled besides the refused one, and doesn't wait for the commitment of its record, may have
// one that is being accepted. A request of many lines waits for many.
const countInOutbox = (server: OpenServer): number => {
  const waiting = readSize(server.process, 'requests that wait for a commitment');
  return server.ledger.outbox.pendingCount() + Math.max(0, server.inProgress - 1 - waiting);
};

const codeOf = (error: unknown): string => (error instanceof LedgerError ? error.code : `500: ${String(error)}`);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const toRefusal = (
  machine: Machine,
  { code, message }: Pick<Refusal, 'code' | 'message'>,
  server?: OpenServer,
): Refusal => ({
  code,
  message,
  atMs: theWorld().nowMs(),
  starts: machine.starts(),
  outboxCountMax: server === undefined ? 0 : countInOutbox(server),
  outboxFailed: server?.ledger.outbox.failedCount() ?? 0,
});

/** Loses a share of the requests and answers while it is above 0. */
export interface ClientNetwork {
  lossRate: number;
}

/** Sends one request to the server of a machine. Never rejects. */
export const exchange = <T>(
  machine: Machine,
  network: ClientNetwork,
  call: (handlers: SimulatedHandlers) => Promise<T>,
): Promise<Exchanged<T>> =>
  new Promise((resolve) => {
    const world = theWorld();
    const random = world.stream('clients');
    const travel = (task: () => void): void => {
      if (!random.chance(network.lossRate)) world.schedule(random.integer(...LATENCY_MS), task);
    };
    const finish = (result: Exchanged<T>): void => {
      cancelTimeout();
      resolve(result);
    };
    const cancelTimeout = world.schedule(TIMEOUT_MS, () => resolve('lost'));
    travel(() => {
      const server = machine.server();
      // The connection is refused.
      if (server === undefined) {
        const refusal = toRefusal(machine, { code: 'NOT_RUNNING', message: '' });
        return travel(() => finish({ refusal }));
      }
      const forget = machine.onEnd(() => world.schedule(random.integer(...LATENCY_MS), () => finish('lost')));
      const answer = (result: Exchanged<T>): void => {
        server.inProgress -= 1;
        forget();
        if (server.process.isAlive()) travel(() => finish(result));
      };
      const handle = (): Promise<T> => call(server.handlers);
      const hasFailed = server.ledger.completion.findIssue() !== undefined;
      server.inProgress += 1;
      server.process.run(handle).then(
        (value) => {
          if (hasFailed) machine.countAnswerAfterFailure();
          answer({ answer: value });
        },
        (error: unknown) => {
          const refused = { code: codeOf(error), message: messageOf(error) };
          answer({ refusal: toRefusal(machine, refused, server) });
        },
      );
    });
  });

/** The outcome of an exchange that reads, without the answer. */
export const toOutcome = (result: Exchanged<unknown>): Read['outcome'] => {
  if (result === 'lost') return 'lost';
  return 'refusal' in result ? result.refusal : 'answered';
};

/** What a story says about the outcome of an exchange. */
export const describeOutcome = (outcome: Read['outcome']): string => {
  if (outcome === 'lost') return 'no answer';
  return outcome === 'answered' ? outcome : `refused with ${outcome.code}`;
};

/** Resolves after so many virtual milliseconds. */
export const wait = (ms: number): Promise<void> => new Promise((resolve) => void theWorld().schedule(ms, resolve));
