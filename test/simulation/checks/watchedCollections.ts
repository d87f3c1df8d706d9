// The collections of the project's code that grow with requests. Where the code creates one, the simulation gets it, so
// that checks can read its size.
import { registerHooks } from 'node:module';
import { currentProcess, type SimulatedProcess } from '../world/processes.ts';

/** One collection: a constant of one source file. */
export interface WatchedCollection {
  readonly name: string;
  /** The source file, from the root of the repository. */
  readonly file: string;
  /** The constant's name; the file declares it once. */
  readonly variable: string;
}

type Collection = { readonly size: number } | { readonly length: number };

/** Collections that each request, record or transaction is added to, and must be removed from. */
export const WATCHED_COLLECTIONS = [
  { name: 'requests that wait for a commitment', file: 'chain/writing/commitmentWaiters.ts', variable: 'waiters' },
  { name: 'records that wait for a batch', file: 'chain/writing/recordWriter.ts', variable: 'queue' },
  { name: 'streams with records in the outbox', file: 'chain/writing/outboxEntries.ts', variable: 'streams' },
  { name: 'nonces in use', file: 'chain/writing/accountNonces.ts', variable: 'taken' },
  { name: 'calls that are not final', file: 'chain/writing/transactionSender.ts', variable: 'sentCalls' },
  { name: 'transactions that are not final', file: 'chain/network/transactionSubmitter.ts', variable: 'keepers' },
  { name: 'tasks that wait for blocks', file: 'chain/embedded/readWriteLock.ts', variable: 'waiters' },
  { name: 'names of exclusive tasks', file: 'server/fairness/exclusive.ts', variable: 'last' },
] as const satisfies readonly WatchedCollection[];

/** Name of a watched collection. */
export type CollectionName = (typeof WATCHED_COLLECTIONS)[number]['name'];

const ofProcesses = new WeakMap<SimulatedProcess, Map<CollectionName, Collection[]>>();

/** Watches a collection of the running process, and returns it. Outside of processes, nothing is watched. */
export const watchCollection = <T extends Collection>(name: CollectionName, collection: T): T => {
  const process = currentProcess();
  if (process === undefined) return collection;
  const watched = ofProcesses.get(process) ?? new Map<CollectionName, Collection[]>();
  ofProcesses.set(process, watched);
  watched.set(name, [...(watched.get(name) ?? []), collection]);
  return collection;
};

const sizeOf = (collection: Collection): number => ('size' in collection ? collection.size : collection.length);

/** How many elements all collections of a name have in a process. */
export const readSize = (process: SimulatedProcess, name: CollectionName): number =>
  (ofProcesses.get(process)?.get(name) ?? []).reduce((sum, collection) => sum + sizeOf(collection), 0);

const toUrl = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;

/**
 * The source with the collection watched.
 * @throws Error when the source doesn't declare the constant exactly once.
 */
export const applyWatch = ({ name, file, variable }: WatchedCollection, source: string): string => {
  const declaration = new RegExp(`^( *const ${variable}(?:: [^=]+)? = )(.+);$`, 'gm');
  const { length } = [...source.matchAll(declaration)];
  if (length !== 1) throw new Error(`${file} declares ${variable} ${length} times`);
  const watched = source.replace(declaration, (_, before, value) => `${before}watchCollection('${name}', ${value});`);
  // At the end, so that line numbers stay the same.
  return `${watched}\nimport { watchCollection } from '${import.meta.url}';\n`;
};

/** Watches the collections of the code that this process loads from now on. */
export const watchCollections = (): void => {
  const watchedAt = new Map(WATCHED_COLLECTIONS.map((watched) => [toUrl(watched.file), watched]));
  registerHooks({
    load: (url, context, nextLoad) => {
      const result = nextLoad(url, context);
      const watched = watchedAt.get(url);
      if (watched === undefined) return result;
      return { ...result, source: applyWatch(watched, Buffer.from(result.source as Uint8Array).toString('utf8')) };
    },
  });
};
