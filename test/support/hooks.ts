// What mocha loads before any test, in each of its processes.
import { configureProperties } from './propertyRuns.ts';

configureProperties();
