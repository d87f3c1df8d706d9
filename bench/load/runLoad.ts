// Runs the load generator as a child process.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What the parent requests. */
export interface LoadOrder {
  readonly url: string;
  readonly token: string;
  /** Identities of the assets that the events go to, in turn. */
  readonly assets: readonly string[];
  readonly clients: number;
  /** The least time that precedes the measured time. */
  readonly warmUpMs: number;
  /** The fewest events that precede the measured ones. */
  readonly warmUpEvents: number;
  /** The least measured time. */
  readonly measureMs: number;
  /** The fewest measured events: the measured time is longer when it has fewer. */
  readonly eventsMin: number;
  /**
   * Events that arrive in each second, whatever the answers; latencies count from their planned times. Undefined: a
   * closed loop of `clients`.
   */
  readonly perSecond?: number;
  /**
   * Whether answers with PENDING, and refusals of a full server, are counted. Otherwise they end the load generator.
   */
  readonly acceptsPending?: boolean;
}

/** What the load generator measured. */
export interface LoadResult {
  /** Latency of each answer with CONFIRMED in the measured time, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** Answers with PENDING. */
  readonly pending: number;
  /** Answers of a server that is full. */
  readonly refused: number;
  readonly elapsedMs: number;
  /** CPU time of the load generator in the measured time, all threads. */
  readonly generatorCpuMs: number;
}

/** What the load generator sends to its parent, in this order. */
export type LoadMessage =
  | { readonly kind: 'began' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'result'; readonly result: LoadResult };

/** What happens while the load generator runs. */
export interface LoadHooks {
  /** Called when the measured time begins and when it ends. */
  readonly onBoundary?: () => void;
  /** Ends the load generator at once. */
  readonly signal?: AbortSignal;
}

const PROGRAM = fileURLToPath(new URL('writeLoad.ts', import.meta.url));

const readResult = (child: ChildProcess, onBoundary: () => void): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    child.on('message', (message: LoadMessage) => {
      if (message.kind === 'result') resolve(message.result);
      else onBoundary();
    });
    // The channel ends after its last message. The exit of the process may be reported before that message.
    child.once('disconnect', () => reject(new Error('the load generator ended before its measurement did')));
    child.once('error', reject);
  });

/**
 * Posts events until the order is met and returns what was measured.
 * @throws Error when an answer is not CONFIRMED, or not one that the order accepts, or the load generator ends early
 */
export const runLoad = async (
  order: LoadOrder,
  { onBoundary = () => undefined, signal }: LoadHooks = {},
): Promise<LoadResult> => {
  const child = fork(PROGRAM, { stdio: 'inherit', serialization: 'advanced' });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  try {
    child.send(order);
    const result = await readResult(child, onBoundary);
    const [code] = await exited;
    if (code !== 0) throw new Error(`the load generator ended with code ${code} after its measurement`);
    return result;
  } finally {
    signal?.removeEventListener('abort', kill);
    kill();
  }
};
