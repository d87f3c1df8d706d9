// Limits the states that the engine of the embedded chain keeps in memory: without a limit it keeps that of each block,
// which is most of the memory of a record. The engine has no other way to set it than its environment, which it reads
// when it creates a chain; it is not a setting of the operator, since the public port depends on it.
import { CACHED_STATES } from '../chain/embedded/rpc/stateBounds.ts';

/** The variable of the environment that the engine reads. */
export const CACHED_STATES_VARIABLE = '__EDR_MAX_CACHED_STATES';

/** Sets the limit for the engines that this process starts from now on: by default that of the public port. */
export const limitCachedStates = (states = CACHED_STATES): void => {
  process.env[CACHED_STATES_VARIABLE] = String(states);
};
