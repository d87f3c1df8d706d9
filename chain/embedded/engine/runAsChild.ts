// What all programs of the engine's native code have in common. They hold nothing that is needed after their end, so
// they end at once with the process that started them, and leave all signals to that one.
import { writeFileSync } from 'node:fs';
import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;
/** Of this process, when memory is short: the kernel ends it before the server, which can start another one. */
const OOM_SCORE = '500';

/** Milliseconds between two signs of life: native code runs beside them. */
const ALIVE_MS = 2_000;

/** Sends a message to the process that started this one. */
export const sendToParent = (message: object | 'started' | 'alive'): void => void process.send!(message);

/** Answers the request with this id, or says why there is no answer. */
export const answerParent = async (id: number, answer: () => Promise<string>): Promise<string | undefined> => {
  try {
    const text = await answer();
    sendToParent({ id, text });
    return text;
  } catch (cause) {
    sendToParent({ id, failure: (cause as Error).message });
    return undefined;
  }
};

/** Runs a program. `start` gets the first message, and resolves with what gets all others. */
export const runAsChild = <First, Other>(start: (first: First) => Promise<(message: Other) => void>): void => {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  // Every process may raise its own.
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', OOM_SCORE);
  process.once('message', async (first: First) => {
    process.on('message', await start(first));
    setInterval(() => sendToParent('alive'), ALIVE_MS).unref();
    sendToParent('started');
  });
};
