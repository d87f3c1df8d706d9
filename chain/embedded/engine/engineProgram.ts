// The program of the engine's process.
import process from 'node:process';
import { collectAnswers, createTraceCollector } from '../collectAnswers.ts';
import { openProvider } from '../edr.ts';
import type { GenesisConfig } from '../genesis.ts';
import type { ToEngine } from './programMessages.ts';
import { answerParent, runAsChild, sendToParent } from './runAsChild.ts';
import type { AnswerText } from './toEdr.ts';

/** Milliseconds without a request after which all answers are collected. */
const IDLE_MS = 1_000;
/** How the text of a list of requests begins: only those mine blocks. */
const LIST = '[';
const GAS_USED = /"gasUsed":"(0x[0-9a-f]+)"/;

// Gas that the first block of an answer used: those of a replay are counted by the server, which has them collected.
const readGasUsed = (text: string): number => Number(GAS_USED.exec(text)?.[1] ?? 0);

// Answers own the traces of executions, and V8 sees small objects, of which there are too few here for it to collect.
const createCollector = () => {
  const collect = async (): Promise<void> => {
    await collectAnswers();
    sendToParent({ memoryBytes: process.memoryUsage.rss() });
  };
  const traces = createTraceCollector(collect);
  const whenIdle = setTimeout(() => void collect(), IDLE_MS).unref();
  return (text: string): void => {
    whenIdle.refresh();
    void traces.add(readGasUsed(text));
  };
};

const createHandler = (answerText: AnswerText): ((message: ToEngine) => void) => {
  const collect = createCollector();
  const handle = async ({ id, payload }: ToEngine): Promise<void> => {
    if (payload === 'collect') {
      await collectAnswers();
      sendToParent({ id, text: '' });
      return;
    }
    const text = await answerParent(id, () => answerText(payload));
    if (text !== undefined && payload.startsWith(LIST)) collect(text);
  };
  return (message) => void handle(message);
};

runAsChild(async (config: GenesisConfig) => createHandler(await openProvider(config)));
