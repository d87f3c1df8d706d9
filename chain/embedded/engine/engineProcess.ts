// The engine in a process of its own: a panic of its native code aborts that process, and its memory is that process's,
// so that neither ends this one.
import { fileURLToPath } from 'node:url';
import type { GenesisConfig } from '../genesis.ts';
import type { ChainEngine } from './engine.ts';
import type { EngineMemory } from './programMessages.ts';
import { type ProgramOptions, startProgram } from './programProcess.ts';
import { toEdr } from './toEdr.ts';

const PROGRAM = fileURLToPath(new URL('engineProgram.ts', import.meta.url));

/** Starts an engine in a process of its own, which ends with this process. */
export const startEngineProcess = async (config: GenesisConfig, options?: ProgramOptions): Promise<ChainEngine> => {
  let memoryBytes = 0;
  const onMemory = (message: EngineMemory): void => {
    memoryBytes = message.memoryBytes;
  };
  const { pid, request, ended, kill } = await startProgram(PROGRAM, config, onMemory, options);
  let isClosing = false;
  return {
    ...toEdr((payload) => request({ payload })),
    pid,
    collectAnswers: async () => void (await request({ payload: 'collect' })),
    memoryBytes: () => memoryBytes,
    onEnd: (listener) => void ended.then((cause) => !isClosing && listener(cause)),
    close: async () => {
      isClosing = true;
      await kill();
    },
  };
};
