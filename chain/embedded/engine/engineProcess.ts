// The engine in a process of its own: a panic of its native code aborts that process, and its memory is that process's,
// so that neither ends this one.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { GenesisConfig } from '../genesis.ts';
import { type ChainEngine, EngineEnded } from './engine.ts';
import type { FromEngine, ToEngine } from './engineMessages.ts';
import { toEdr } from './toEdr.ts';

/** Options of an engine's process. */
export interface EngineProcessOptions {
  /** Its whole environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds without an answer to a request after which the process is ended. */
  readonly answerMsMax?: number;
}

const PROGRAM = fileURLToPath(new URL('engineProgram.ts', import.meta.url));
/** Last characters of what it wrote to standard error, which names a panic first. */
const ERROR_CHARACTERS_MAX = 64 * 1024;
/** Longer than any request that the bounds of the port permit, and than any group of blocks of a replay. */
const ANSWER_MS_MAX = 600_000;
const REASON_LINES = 3;
const REASON_CHARACTERS_MAX = 500;

const forkEngine = async (environment: EngineProcessOptions['environment']): Promise<ChildProcess> => {
  const child = fork(PROGRAM, [], {
    env: { ...environment, RUST_BACKTRACE: '0' },
    execArgv: ['--disable-sigusr1', '--single-threaded-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  await once(child, 'spawn').catch((cause: Error) => {
    throw new EngineEnded(cause.message);
  });
  return child;
};

// What its process says last, for the report of its end: a panic names itself in the first lines.
const keepErrors = (child: ChildProcess): (() => string) => {
  let text = '';
  child.on('error', ({ message }) => {
    text += `${message}\n`;
  });
  child.stderr!.setEncoding('utf8').on('data', (part: string) => {
    if (text.length < ERROR_CHARACTERS_MAX) text += part;
  });
  return () =>
    text
      .trim()
      .split(/\s*\n\s*/, REASON_LINES)
      .join(' ')
      .slice(0, REASON_CHARACTERS_MAX);
};

// The requests that wait for their answers.
const createAnswers = (post: (message: ToEngine) => void) => {
  const waiting = new Map<number, PromiseWithResolvers<string> & { readonly sinceMs: number }>();
  let lastId = 0;
  let ended: Error | undefined;
  const take = (id: number): PromiseWithResolvers<string> => {
    const answer = waiting.get(id)!;
    waiting.delete(id);
    return answer;
  };
  return {
    /** Milliseconds that the oldest of them has waited. */
    waitedMs: (): number => {
      const [oldest] = waiting.values();
      return oldest === undefined ? 0 : performance.now() - oldest.sinceMs;
    },
    request: (payload: string): Promise<string> => {
      const answer = Promise.withResolvers<string>();
      if (ended !== undefined) return Promise.reject(ended);
      lastId += 1;
      waiting.set(lastId, { ...answer, sinceMs: performance.now() });
      post({ id: lastId, payload });
      return answer.promise;
    },
    resolve: (id: number, text: string): void => take(id).resolve(text),
    reject: (id: number, failure: string): void => take(id).reject(new Error(failure)),
    end: (cause: Error): void => {
      ended = cause;
      for (const { reject } of waiting.values()) reject(cause);
      waiting.clear();
    },
  };
};

const describeEnd = (code: number | null, signal: string | null, errors: string): string => {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  return errors === '' ? how : `${how}; ${errors}`;
};

type Answers = ReturnType<typeof createAnswers>;

// Ends an engine that is lost in a request, which no bound of the port expects.
const watchAnswers = (child: ChildProcess, { waitedMs }: Answers, answerMsMax: number): (() => string) => {
  let reason = '';
  const check = (): void => {
    if (waitedMs() < answerMsMax) return;
    reason = `it did not answer a request for ${Math.round(answerMsMax / 1_000)} s; `;
    child.kill('SIGKILL');
  };
  const timer = setInterval(check, answerMsMax / 10).unref();
  child.once('close', () => clearInterval(timer));
  return () => reason;
};

const receive = (child: ChildProcess, answers: Answers) => {
  const started = Promise.withResolvers<void>();
  let memoryBytes = 0;
  child.on('message', (message: FromEngine) => {
    if (message === 'started') started.resolve();
    else if ('memoryBytes' in message) memoryBytes = message.memoryBytes;
    else if ('text' in message) answers.resolve(message.id, message.text);
    else answers.reject(message.id, message.failure);
  });
  return { started, memoryBytes: () => memoryBytes };
};

/** Starts an engine in a process of its own, which ends with this process. */
export const startEngineProcess = async (
  config: GenesisConfig,
  { environment = {}, answerMsMax = ANSWER_MS_MAX }: EngineProcessOptions = {},
): Promise<ChainEngine> => {
  const child = await forkEngine(environment);
  const readErrors = keepErrors(child);
  const answers = createAnswers((message) => void child.send(message));
  const readOverdue = watchAnswers(child, answers, answerMsMax);
  const { started, memoryBytes } = receive(child, answers);
  const ended = Promise.withResolvers<EngineEnded>();
  let isClosing = false;
  // It follows the exit, when what the process wrote has been read.
  child.on('close', (code, signal) => {
    const cause = new EngineEnded(readOverdue() + describeEnd(code, signal, readErrors()));
    started.reject(cause);
    answers.end(cause);
    ended.resolve(cause);
  });
  child.send(config);
  await started.promise;
  return {
    ...toEdr(answers.request),
    pid: child.pid!,
    collectAnswers: async () => void (await answers.request('collect')),
    memoryBytes,
    onEnd: (listener) => void ended.promise.then((cause) => !isClosing && listener(cause)),
    close: async () => {
      isClosing = true;
      child.kill('SIGKILL');
      await ended.promise;
    },
  };
};
