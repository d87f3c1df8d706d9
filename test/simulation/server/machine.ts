// A machine that runs the server: it starts the server again after each end, as an operator's supervisor does.
import type { LedgerOptions } from '../../../host/ledgerOptions.ts';
import { setTimeout as passTime } from '../edges/timersPromises.ts';
import type { KillKind, SimulatedProcess } from '../world/processes.ts';
import { theWorld } from '../world/world.ts';
import { type OpenServer, type StartResult, startServer } from './serverProcess.ts';

/** A machine with one server. */
export interface Machine {
  readonly name: string;
  /** The server that accepts requests; undefined while there is none. */
  server(): OpenServer | undefined;
  /** The process of the server, also while it starts or stops; undefined when there is none. */
  process(): SimulatedProcess | undefined;
  /** Number of starts so far. */
  starts(): number;
  /** The error of the last start; undefined when it succeeded. */
  startError(): unknown;
  /** Number of requests that a server whose start had failed before has answered. */
  readonly answeredAfterFailure: number;
  /** Counts such an answer. */
  countAnswerAfterFailure(): void;
  /** Calls the listener when the process that runs now ends. Returns the function that removes it. */
  onEnd(listener: () => void): () => void;
  start(): void;
  /** Ends the server as SIGTERM does; it is started again later. */
  stop(): void;
}

/** Longest pauses before a start after the end of the server, in virtual milliseconds: a supervisor, or an operator. */
const RESTARTS_MS_MAX = [2_000, 2_000, 2_000, 40_000];
/** Longest pause before a start after a start that failed. */
const RETRY_MS_MAX = 5_000;
/** Longest time after which an operator stops a server whose start failed while it answered requests. */
const NOTICE_MS_MAX = 3_000;
/** Virtual milliseconds in which a server that stops ends its requests. */
const GRACE_MS = 15_000;
const GRACE_STEP_MS = 20;

const toText = (error: unknown): string => {
  const { code, message } = error as { code?: string; message: string };
  return code === undefined ? message : `${code} (${message})`;
};

// As the port of the API closes: it accepts nothing more, and ends what takes too long.
const awaitRequests = async (server: OpenServer): Promise<void> => {
  const endMs = theWorld().nowMs() + GRACE_MS;
  while (server.inProgress > 0 && theWorld().nowMs() < endMs) await passTime(GRACE_STEP_MS);
};

/** A machine whose server isn't running. `crash` is called when a process is killed, after its last effects. */
export const createMachine = (options: {
  name: string;
  ledger: LedgerOptions;
  crash: (kind: KillKind) => void;
  /** Called when a process starts. */
  onStart: () => void;
}): Machine => {
  const { name, ledger, crash } = options;
  const random = theWorld().stream(`starts of ${name}`);
  const listeners = new Set<() => void>();
  let server: OpenServer | undefined;
  let process: SimulatedProcess | undefined;
  let startError: unknown;
  let starts = 0;
  let answeredAfterFailure = 0;

  const endConnections = (): void => {
    const ended = [...listeners];
    listeners.clear();
    for (const listener of ended) listener();
  };

  const end = (restartMsMax = random.pick(RESTARTS_MS_MAX)): void => {
    server = undefined;
    process = undefined;
    endConnections();
    theWorld().schedule(random.integer(1, restartMsMax), start);
  };

  const onStarted = (result: StartResult): void => {
    if ('server' in result) {
      theWorld().note(name, () => 'the server has started');
      startError = undefined;
      server = result.server;
      watchCompletion(result.server);
      return;
    }
    theWorld().note(name, () => `the start failed: ${toText(result.error)}`);
    startError = result.error;
    end(RETRY_MS_MAX);
  };

  // An operator stops a server that refuses everything.
  const watchCompletion = (started: OpenServer): void => {
    started.ledger.completion.completed.catch(() => {
      if (server === started) theWorld().schedule(random.integer(1, NOTICE_MS_MAX), () => server === started && stop());
    });
  };

  const start = (): void => {
    if (process !== undefined) return;
    starts += 1;
    options.onStart();
    theWorld().note(name, () => `starts the server (start ${starts})`);
    const onKilled = (kind: KillKind): void => {
      crash(kind);
      end();
    };
    process = startServer({ name: `server ${starts}`, machine: name, ledger, onStarted, onKilled });
  };

  const stop = (): void => {
    const stopping = server;
    if (stopping === undefined) return;
    server = undefined;
    theWorld().note(name, () => 'stops the server');
    const close = async (): Promise<void> => {
      await awaitRequests(stopping);
      endConnections();
      await stopping.ledger
        .close()
        .catch((error: unknown) => theWorld().note(name, () => `the stop failed: ${toText(error)}`));
      if (stopping.process.isAlive()) end();
    };
    void stopping.process.run(close);
  };

  return {
    name,
    server: () => server,
    process: () => process,
    starts: () => starts,
    startError: () => startError,
    get answeredAfterFailure() {
      return answeredAfterFailure;
    },
    countAnswerAfterFailure: () => {
      answeredAfterFailure += 1;
    },
    onEnd: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    stop,
  };
};
