// A program of the engine's native code in a process of its own: a panic there aborts that process, and its memory is
// that process's, so that neither ends this one.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { EngineEnded } from './engine.ts';
import type { FromProgram } from './programMessages.ts';

/** Options of a program's process. */
export interface ProgramOptions {
  /** Its whole environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds without an answer to a request after which the process is ended. */
  readonly answerMsMax?: number;
  /** Milliseconds without a sign of life after which a process that owes an answer is ended. */
  readonly silenceMsMax?: number;
}

/** A program that has started. */
export interface ProgramProcess {
  readonly pid: number;
  /** Sends a request. Resolves with the text of its answer; rejects with EngineEnded when the process ends. */
  request(message: object): Promise<string>;
  /** Sends a message that has no answer. */
  send(message: object): void;
  /** Resolves when the process has ended, with the reason. */
  readonly ended: Promise<EngineEnded>;
  /** Ends the process. */
  kill(): Promise<void>;
}

/** Last characters of what it wrote to standard error, which names a panic first. */
const ERROR_CHARACTERS_MAX = 64 * 1024;
/** Longer than any request that the bounds of the port permit, and than any group of blocks of a replay. */
const ANSWER_MS_MAX = 600_000;
/** A busy machine lets a process wait for some seconds. */
const SILENCE_MS_MAX = 30_000;
/** Looks at a silent process before it is ended: after a pause of this process, one look finds messages unread. */
const LOOKS = 10;
const REASON_LINES = 3;
const REASON_CHARACTERS_MAX = 500;

const forkProgram = async (file: string, environment: ProgramOptions['environment']): Promise<ChildProcess> => {
  const child = fork(file, [], {
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
const createAnswers = (post: (message: object) => void) => {
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
    request: (message: object): Promise<string> => {
      const answer = Promise.withResolvers<string>();
      if (ended !== undefined) return Promise.reject(ended);
      lastId += 1;
      waiting.set(lastId, { ...answer, sinceMs: performance.now() });
      post({ ...message, id: lastId });
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

const toSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

// Ends an engine that is lost in a request, which no bound of the port expects, or that hangs as a whole.
const watchAnswers = (
  child: ChildProcess,
  { waitedMs }: Answers,
  { answerMsMax = ANSWER_MS_MAX, silenceMsMax = SILENCE_MS_MAX }: ProgramOptions,
): (() => string) => {
  let reason = '';
  let silentLooks = 0;
  const end = (why: string): void => {
    reason = `${why}; `;
    child.kill('SIGKILL');
  };
  const lookForAnswer = (): void => {
    if (waitedMs() >= answerMsMax) end(`it did not answer a request for ${toSeconds(answerMsMax)}`);
  };
  const lookForLife = (): void => {
    silentLooks = waitedMs() === 0 ? 0 : silentLooks + 1;
    if (silentLooks >= LOOKS) end(`it gave no sign of life for ${toSeconds(silenceMsMax)}`);
  };
  child.on('message', () => {
    silentLooks = 0;
  });
  const timers = [
    setInterval(lookForAnswer, answerMsMax / LOOKS).unref(),
    setInterval(lookForLife, silenceMsMax / LOOKS).unref(),
  ];
  child.once('close', () => timers.forEach(clearInterval));
  return () => reason;
};

/**
 * Starts a program, which ends with this process. It gets `first` at once, and says when it has started; `onOther` gets
 * its messages that are no answers.
 */
export const startProgram = async <Other extends object>(
  file: string,
  first: object,
  onOther: (message: Other) => void,
  options: ProgramOptions = {},
): Promise<ProgramProcess> => {
  const child = await forkProgram(file, options.environment ?? {});
  const readErrors = keepErrors(child);
  const send = (message: object): void => void child.send(message);
  const answers = createAnswers(send);
  const readOverdue = watchAnswers(child, answers, options);
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<EngineEnded>();
  child.on('message', (message: FromProgram<Other>) => {
    if (message === 'alive') return;
    if (message === 'started') started.resolve();
    else if ('text' in message) answers.resolve(message.id, message.text);
    else if ('failure' in message) answers.reject(message.id, message.failure);
    else onOther(message);
  });
  // It follows the exit, when what the process wrote has been read.
  child.on('close', (code, signal) => {
    const cause = new EngineEnded(readOverdue() + describeEnd(code, signal, readErrors()));
    started.reject(cause);
    // Who is waiting for its end knows of it before those whose requests reject.
    ended.resolve(cause);
    answers.end(cause);
  });
  send(first);
  await started.promise;
  return {
    pid: child.pid!,
    request: answers.request,
    send,
    ended: ended.promise,
    kill: async () => {
      child.kill('SIGKILL');
      await ended.promise;
    },
  };
};
