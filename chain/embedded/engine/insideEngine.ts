// The engine inside this process, which ends with it.
import process from 'node:process';
import { collectAnswers } from '../collectAnswers.ts';
import { createEdr } from '../edr.ts';
import type { StartEngine } from './engine.ts';

/** Starts an engine in this process. Its memory is that of this process, and is freed with the last reference. */
export const startEngineInside: StartEngine = async (config) => ({
  ...(await createEdr(config)),
  pid: process.pid,
  collectAnswers,
  memoryBytes: () => 0,
  onEnd: () => undefined,
  close: async () => undefined,
});
