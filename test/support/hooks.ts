// What mocha loads before any test, in each of its processes.
import { endFile } from './fileEnd.ts';
import { configureProperties } from './propertyRuns.ts';

configureProperties();

/** Root hooks of mocha. */
export const mochaHooks: Mocha.RootHookObject = { afterAll: endFile };
