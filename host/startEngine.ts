// Where the engine of the embedded chain runs, and what it gets of the environment: nothing that it doesn't read.
import type { StartEngine } from '../chain/embedded/engine/engine.ts';
import { startEngineProcess } from '../chain/embedded/engine/engineProcess.ts';
import { createStartSandbox, type StartSandbox } from '../chain/embedded/sandbox/sandboxProcess.ts';
import { CACHED_STATES_VARIABLE } from './cachedStates.ts';
import type { CHAIN_ENGINES } from './settings/chainSettings.ts';

const VARIABLES = [CACHED_STATES_VARIABLE, 'NODE_COMPILE_CACHE'];

const readEnvironment = () => Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));

/** Starts the engine in a process of its own; undefined: it is in this process. */
export const toStartEngine = (place: (typeof CHAIN_ENGINES)[number]): StartEngine | undefined => {
  if (place === 'inside') return undefined;
  return (config) => startEngineProcess(config, { environment: readEnvironment() });
};

/** Starts the process that executes the code of third parties. */
export const startSandbox: StartSandbox = (...parameters) => createStartSandbox(readEnvironment())(...parameters);
