// The process of the sandbox, which is started when it is first needed, and again when it has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import { openTemporaryDirectory } from '../../temporaryDirectory.ts';
import type { EngineEnded } from '../engine/engine.ts';
import { type ProgramOptions, startProgram } from '../engine/programProcess.ts';
import type { GenesisConfig } from '../genesis.ts';
import type { FromSandbox, SandboxRun } from './sandboxMessages.ts';

/** A sandbox that has started. */
export interface SandboxProcess {
  readonly pid: number;
  /** Resolves with the text of the engine's answer; rejects with EngineEnded when the process ends. */
  run(run: SandboxRun): Promise<string>;
  /** Bytes of memory that it had after its newest answer. */
  memoryBytes(): number;
  readonly ended: Promise<EngineEnded>;
  kill(): Promise<void>;
}

/** Starts a sandbox. `answerRead` answers the text of a JSON-RPC request, or of a list of them, about the chain. */
export type StartSandbox = (
  config: GenesisConfig,
  answerRead: (body: string) => Promise<string>,
) => Promise<SandboxProcess>;

const PROGRAM = fileURLToPath(new URL('sandboxProgram.ts', import.meta.url));
/** The bounds of the port allow far less. */
const ANSWER_MS_MAX = 10_000;
/** Between the starts of two processes: what ends one can be sent again at once. */
const START_PERIOD_MS = 1_000;

/** Starts sandboxes with this environment. */
export const createStartSandbox =
  (environment: ProgramOptions['environment'] = {}): StartSandbox =>
  async (config, answerRead) => {
    const { path: cacheDirectory, remove } = await openTemporaryDirectory('provenance-sandbox-');
    let memoryBytes = 0;
    const onMessage = async (message: FromSandbox): Promise<void> => {
      if ('memoryBytes' in message) memoryBytes = message.memoryBytes;
      else program.send({ readId: message.readId, text: await answerRead(message.body) });
    };
    const program = await startProgram<FromSandbox>(
      PROGRAM,
      { config, cacheDirectory },
      (message) => void onMessage(message),
      { environment, answerMsMax: ANSWER_MS_MAX },
    ).catch(async (cause: unknown) => {
      await remove();
      throw cause;
    });
    const removed = program.ended.then(remove);
    removed.catch(() => undefined);
    const kill = async (): Promise<void> => {
      await program.kill();
      await removed;
    };
    return { pid: program.pid, run: program.request, memoryBytes: () => memoryBytes, ended: program.ended, kill };
  };

/** The process of now. */
export interface SandboxProcesses {
  /** The process, once it has started. Only a first start is waited for: rejects with UNAVAILABLE during another. */
  current(): Promise<SandboxProcess>;
  /** @throws RpcError UNAVAILABLE while there is no process. */
  assertRunning(): void;
  readState(): SandboxState;
  close(): Promise<void>;
}

/** What is known about the processes of the sandbox. */
export interface SandboxState {
  /** Processes that have ended by themselves. */
  readonly endedCount: number;
  /** Bytes of memory of those that run. */
  readonly memoryBytes: number;
}

/** Keeps one process from the first use on. `onEnded` is called when one has ended by itself. */
export const createSandboxProcesses = (
  start: () => Promise<SandboxProcess>,
  onEnded: (cause: EngineEnded) => void,
): SandboxProcesses => {
  const closing = new AbortController();
  const { signal } = closing;
  let current: Promise<SandboxProcess> | undefined;
  let running: SandboxProcess | undefined;
  let endedCount = 0;
  let lastMs = Number.NEGATIVE_INFINITY;

  const startNext = async (): Promise<SandboxProcess> => {
    await sleep(Math.max(0, lastMs + START_PERIOD_MS - performance.now()), undefined, { signal });
    lastMs = performance.now();
    const started = await start();
    running = started;
    void started.ended.then(restart);
    return started;
  };
  const begin = (): Promise<SandboxProcess> => {
    const next = startNext();
    current = next;
    next.catch(() => {
      current = undefined;
    });
    return next;
  };
  const restart = (cause: EngineEnded): void => {
    running = undefined;
    if (signal.aborted) return;
    endedCount += 1;
    onEnded(cause);
    begin();
  };
  const assertRunning = (): void => {
    if (running !== undefined) return;
    throw new RpcError(RPC_CODE.UNAVAILABLE, "the engine for third parties' code is being started; send it again");
  };
  return {
    current: async () => {
      const next = current ?? begin();
      if (endedCount > 0) assertRunning();
      return next;
    },
    assertRunning,
    readState: () => ({ endedCount, memoryBytes: running?.memoryBytes() ?? 0 }),
    close: async () => {
      closing.abort();
      const last = await current?.catch(() => undefined);
      await last?.kill();
    },
  };
};
