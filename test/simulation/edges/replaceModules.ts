// Replaces the edges of the project's code by simulated ones, when its modules are loaded: disk, clock, randomness, the
// engine of the embedded chain. All other code of the project runs as it is. Import this before any of it.
import { registerHooks } from 'node:module';

const toUrl = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;

/** Packages and modules of Node, and what the project's code imports in their place. */
const PACKAGES: Readonly<Record<string, string>> = {
  level: 'test/simulation/disk/level.ts',
  'node:fs': 'test/simulation/disk/nodeFs.ts',
  'node:fs/promises': 'test/simulation/disk/nodeFsPromises.ts',
  'node:crypto': 'test/simulation/edges/nodeCrypto.ts',
  'node:timers/promises': 'test/simulation/edges/timersPromises.ts',
  // It remembers who signed, for the simulated chain.
  'tiny-secp256k1': 'test/simulation/chain/secp256k1.ts',
};

/** Modules of the project, and what its code imports in their place. */
const MODULES: Readonly<Record<string, string>> = {
  'chain/embedded/edr.ts': 'test/simulation/chain/edr.ts',
  // It frees memory of the real engine.
  'chain/embedded/collectAnswers.ts': 'test/simulation/chain/collectAnswers.ts',
};

const PROJECT = ['ledger/', 'chain/', 'indexer/', 'server/', 'host/'].map(toUrl);
const replacedModules = new Map(Object.entries(MODULES).map(([from, to]) => [toUrl(from), toUrl(to)]));
const replacedPackages = new Map(Object.entries(PACKAGES).map(([from, to]) => [from, toUrl(to)]));

const isOfProject = (url: string | undefined): boolean =>
  url !== undefined && PROJECT.some((folder) => url.startsWith(folder));

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    if (!isOfProject(context.parentURL)) return nextResolve(specifier, context);
    const replacement = replacedPackages.get(specifier);
    if (replacement !== undefined) return { url: replacement, shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    return { ...resolved, url: replacedModules.get(resolved.url) ?? resolved.url };
  },
});
