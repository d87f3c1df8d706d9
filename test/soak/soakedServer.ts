// The server of a soak test: the program of `npm start` on a data directory, which is killed and started again.
import { once } from 'node:events';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { findFreePort } from '../support/externalNode.ts';
import { toInspectorArguments } from './collectGarbage.ts';

/** One run of the server's process that answers requests. */
export interface RunningServer {
  /** Number of the run, from 0. */
  readonly run: number;
  readonly pid: number;
  /** Base URL of the API. */
  readonly base: string;
  /** A token of the root principal; it is renewed before it expires. */
  readonly token: () => string;
  readonly metricsUrl: string;
  /** Port of the inspector, once a signal has opened it. */
  readonly inspectorPort: number;
  /** Milliseconds of `performance.now()` at which it answered. */
  readonly readyMs: number;
  /** Milliseconds from the start of the process until it answered. */
  readonly startMs: number;
}

export interface SoakedServer {
  /** Resolves with the run that answers requests, after a restart if one is in progress. Rejects if it has ended. */
  ready(): Promise<RunningServer>;
  /** The run that answers requests; undefined during a restart. */
  current(): RunningServer | undefined;
  /** Ends the process with SIGKILL and starts the next run. */
  killAndRestart(): Promise<RunningServer>;
  /** Ends the process with SIGTERM. Rejects when it does not end with exit code 0. */
  stop(): Promise<void>;
  /** Ends the process with SIGKILL if there is one. */
  destroy(): Promise<void>;
}

// All clients are one tenant, so its rate limit would limit the load.
const SETTINGS = { RATE_LIMIT_PER_SECOND: '100000' };
const TOKEN_RENEWAL_MS = 20 * 60_000;

const issueToken = async (dataDir: string): Promise<string> => {
  const input = { tenant: FIRST_TENANT, role: 'root' };
  return (await runOperatorCommand<{ token: string }>(dataDir, 'token', input)).token;
};

/** Starts the server of a data directory; `settings` are further environment variables. */
export const startSoakedServer = async (
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<SoakedServer> => {
  const metricsPort = await findFreePort();
  const inspectorPort = await findFreePort();
  let child: ServerProcess | undefined;
  let current: RunningServer | undefined;
  let starting: Promise<RunningServer>;
  let runs = 0;

  // A process that ends although nobody ended it fails the next request of every client.
  const watch = async (started: ServerProcess): Promise<void> => {
    const [code, signal] = await once(started.process, 'exit');
    if (child !== started) return;
    current = undefined;
    starting = Promise.reject(new Error(`the server ended by itself, with ${signal ?? `exit code ${code}`}`));
    starting.catch(() => undefined);
  };

  const renewToken = (started: ServerProcess, onToken: (token: string) => void): void => {
    const timer = setInterval(() => void issueToken(dataDir).then(onToken, console.error), TOKEN_RENEWAL_MS).unref();
    started.process.once('exit', () => clearInterval(timer));
  };

  const start = async (): Promise<RunningServer> => {
    const beganMs = performance.now();
    const started = await startServerProcess(dataDir, toInspectorArguments(inspectorPort), {
      ...SETTINGS,
      METRICS_PORT: String(metricsPort),
      ...settings,
    });
    const readyMs = performance.now();
    child = started;
    void watch(started);
    let token = await issueToken(dataDir);
    renewToken(started, (renewed) => {
      token = renewed;
    });
    current = {
      run: runs++,
      pid: started.process.pid!,
      base: `${started.url}/archivist/v2`,
      token: () => token,
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      inspectorPort,
      readyMs,
      startMs: readyMs - beganMs,
    };
    return current;
  };

  // From here on the end of the process is expected.
  const detach = (): ServerProcess | undefined => {
    const detached = child;
    child = undefined;
    current = undefined;
    return detached;
  };

  starting = start();
  await starting;
  return {
    ready: () => starting,
    current: () => current,
    killAndRestart: () => {
      const killed = detach();
      starting = Promise.resolve(killed?.stop('SIGKILL')).then(start);
      starting.catch(() => undefined);
      return starting;
    },
    stop: async () => {
      const code = await detach()?.stop('SIGTERM');
      if (code !== 0) throw new Error(`the server ended with exit code ${code} after SIGTERM`);
    },
    destroy: async () => {
      const killed = detach();
      if (killed?.process.exitCode === null && killed.process.signalCode === null) await killed.stop('SIGKILL');
    },
  };
};
