// What a data directory knows of blocks that were final. A start compares all of it with the chain before it opens the
// index or writes anything; a rebuild takes the chain as it is, and keeps what contradicts it.
import { readLoggedBlock } from '../chain/blockLog/blockLog.ts';
import type { ChainPort } from '../chain/port.ts';
import { toFinal } from '../indexer/follower.ts';
import { createKnownFinals, type KnownFinal, type KnownFinals, refuseUnreached } from '../indexer/knownFinal.ts';
import { LedgerError } from '../ledger/errors.ts';
import { beginNextLog } from './evidence/nextLog.ts';
import { dataPaths } from './files/dataPaths.ts';
import type { FoundIndex } from './files/indexFiles.ts';
import { readFinalMark } from './finalMark.ts';
import { setIndexAside, toReplacedPath } from './gone/replacedIndexes.ts';

type Source = 'index' | 'mark' | 'log';
type Found = KnownFinal & { readonly source: Source };

/** Blocks before the newest that was final whose headers are read once for all comparisons. */
const DISTANCE_MAX = 8_192;

// A damaged log is refused when it is opened, where its checkpoints are used.
const readLogged = async (directory: string) => {
  try {
    return await readLoggedBlock(directory);
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'LOG_CORRUPT') return undefined;
    throw error;
  }
};

/**
 * The final blocks that a directory has written down, the oldest first. Those far before the newest are left out: the
 * chain of the newest one has them, and the block log compares its own when it is opened.
 * @throws Error when `final.json` is damaged.
 */
const readKnown = async (dataDir: string, { cursor }: FoundIndex): Promise<Found[]> => {
  const [mark, logged] = [await readFinalMark(dataDir), await readLogged(dataPaths(dataDir).log)];
  const known: Found[] = [];
  if (cursor !== undefined) known.push({ ...toFinal(cursor), source: 'index' });
  if (mark !== undefined) known.push({ ...mark, writtenIn: 'final.json', source: 'mark' });
  if (logged !== undefined) known.push({ ...logged, writtenIn: 'the block log', source: 'log' });
  const newest = Math.max(...known.map(({ number }) => number));
  return known.filter(({ number }) => newest - number <= DISTANCE_MAX).sort((one, other) => one.number - other.number);
};

/**
 * Compares the chain with what the directory knows, and resolves with what it has not reached yet.
 * @throws LedgerError CHAIN_REPLACED when it has replaced a final block; CHAIN_UNAVAILABLE when it lacks one that the
 * index doesn't have, so that blocks of another chain could be indexed.
 */
export const assertKnownFinals = async (dataDir: string, found: FoundIndex, chain: ChainPort): Promise<KnownFinals> => {
  const finals = createKnownFinals(await readKnown(dataDir, found));
  const unreached = await finals.compare(chain);
  const isIndexed = found.damage === undefined && (found.cursor?.blockNumber ?? -1) >= (unreached?.number ?? -1);
  if (unreached !== undefined && !isIndexed) throw refuseUnreached(unreached);
  return finals;
};

/** What a rebuild found that the chain no longer has, and keeps beside what it makes. */
export interface ReplacedParts {
  /** Whether the index was set aside: its newest block isn't on the chain, or may not be. */
  readonly hasIndex: boolean;
  /** Name of the block log that begins, and path of the one before; undefined when the chain has its newest block. */
  readonly log: { readonly origin: string; readonly path: string } | undefined;
}

/**
 * Sets aside what contradicts the chain as it is now: the index, which may have the only copy of records, and the block
 * log, whose checkpoints were published. The next block log states where that one ended.
 */
export const keepReplaced = async (dataDir: string, found: FoundIndex, chain: ChainPort): Promise<ReplacedParts> => {
  const paths = dataPaths(dataDir);
  const sources = new Map<Source, string | undefined>();
  for (const { source, number, hash } of await readKnown(dataDir, found)) {
    const now = await chain.fetchBlockHash(number);
    if (now !== hash) sources.set(source, now);
  }
  // What a damaged index ends with isn't known.
  const hasIndex = sources.has('index') || (sources.size > 0 && found.damage !== undefined);
  if (hasIndex) await setIndexAside(paths.index);
  return {
    hasIndex,
    log: sources.get('log') === undefined ? undefined : await beginNextLog(dataDir, toReplacedPath(paths.log)),
  };
};
