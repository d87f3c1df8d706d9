// The program of the engine's process. It holds nothing that is needed after its end, so it ends at once with the
// process that started it, and leaves all signals to that one.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { collectAnswers, createTraceCollector } from '../collectAnswers.ts';
import { openProvider } from '../edr.ts';
import type { GenesisConfig } from '../genesis.ts';
import type { FromEngine, ToEngine } from './engineMessages.ts';
import type { AnswerText } from './toEdr.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;
/** Of this process, when memory is short: the kernel ends it before the server, which can start another one. */
const OOM_SCORE = '500';
/** Milliseconds without a request after which all answers are collected. */
const IDLE_MS = 1_000;
/** How the text of a list of requests begins: only those mine blocks. */
const LIST = '[';
const GAS_USED = /"gasUsed":"(0x[0-9a-f]+)"/;

const send = (message: FromEngine): void => void process.send!(message);

// Gas that the first block of an answer used: those of a replay are counted by the server, which has them collected.
const readGasUsed = (text: string): number => Number(GAS_USED.exec(text)?.[1] ?? 0);

// Answers own the traces of executions, and V8 sees small objects, of which there are too few here for it to collect.
const createCollector = () => {
  const collect = async (): Promise<void> => {
    await collectAnswers();
    send({ memoryBytes: process.memoryUsage.rss() });
  };
  const traces = createTraceCollector(collect);
  const whenIdle = setTimeout(() => void collect(), IDLE_MS).unref();
  return (text: string): void => {
    whenIdle.refresh();
    void traces.add(readGasUsed(text));
  };
};

const serve = (answerText: AnswerText): void => {
  const collect = createCollector();
  const handle = async ({ id, payload }: ToEngine): Promise<void> => {
    if (payload === 'collect') {
      await collectAnswers();
      send({ id, text: '' });
      return;
    }
    try {
      const text = await answerText(payload);
      send({ id, text });
      if (payload.startsWith(LIST)) collect(text);
    } catch (cause) {
      send({ id, failure: (cause as Error).message });
    }
  };
  process.on('message', (message: ToEngine) => void handle(message));
};

for (const signal of SIGNALS) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
// Every process may raise its own.
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', OOM_SCORE);
process.once('message', async (config: GenesisConfig) => {
  serve(await openProvider(config));
  send('started');
});
