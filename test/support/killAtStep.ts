// Ends the process that preloads it at a step: before or after a file of keys gets or loses its name, and before or
// after a node gets a transaction.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { around } from './killSteps.ts';

const isKey = (path: unknown): boolean => String(path).includes('/keys/');
const { link, rename, rm } = fs.promises;
fs.promises.link = (from, to) => (isKey(to) ? around(() => link(from, to)) : link(from, to));
fs.promises.rename = (from, to) => (isKey(to) ? around(() => rename(from, to)) : rename(from, to));
fs.promises.rm = (path, options) => (isKey(path) ? around(() => rm(path, options)) : rm(path, options));
syncBuiltinESMExports();
