// Watches whether the chain makes blocks, and who seals them. It works in the background, so that a node that hangs
// delays no report.
import { readCliqueSigners } from '../../ledger/evidence/cliqueSeal.ts';
import { raiseIfMistake } from '../defects.ts';
import type { ChainProgress, ChainStall, ChainValidators } from '../port.ts';
import { type ReadWaits, type RecordWait, toOldest } from '../recordWaits.ts';
import { type BlockIntervals, readEngine, readIntervals } from './blockIntervals.ts';
import type { HashedHeader } from './decodeHeader.ts';
import { fetchNamedValidators } from './namedValidators.ts';
import { createNodeHeights } from './nodeHeights.ts';
import type { NodeSet } from './nodeSet.ts';
import { createRecentHeaders, fetchHeader } from './recentHeaders.ts';
import type { Confirmations } from './rpcNode.ts';
import { createStallWatch, type FoundStall } from './stallWatch.ts';
import { createSealReader, type KnownValidators } from './validatorSeals.ts';

/** Watches the progress of a chain. */
export interface ProgressWatch {
  /** What was seen last. */
  read(): ChainProgress;
  /** Looks at the chain after a check of its nodes. Calls in the meantime share it. Doesn't reject. */
  look(): Promise<void>;
  /** Counts a transaction as waiting until the task ends. */
  whileWaiting<T>(task: () => Promise<T>): Promise<T>;
  /** Counts records as waiting that are read so. */
  watchRecords(readWaits: ReadWaits): void;
}

/** Options of a watch. */
export interface ProgressOptions {
  readonly nodes: NodeSet;
  readonly confirmations: Confirmations;
  /** Whether the chain promises blocks without transactions; undefined: its engine and its blocks decide. */
  readonly promisesBlocks?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

/** How often a node is asked for the validators. */
const NAMED_MS = 10_000;
/** Proof of stake: a block is final when two more epochs of 32 blocks have followed its own. */
const FINALIZED_BLOCKS = 96;

const toText = (ms: number): string => new Date(ms).toISOString();

const describeSilent = (validators: ChainValidators | undefined): string => {
  const silent = (validators?.all ?? []).filter(({ isSilent }) => isSilent).map(({ address }) => address);
  return silent.length === 0 ? '' : `; not sealed lately: ${silent.join(', ')}`;
};

const toReason = (
  { cause, sinceMs }: FoundStall,
  { number }: HashedHeader,
  { final, hasFailed }: { readonly final: number | undefined; readonly hasFailed: boolean },
): string => {
  if (cause === 'silence')
    return `no block came after block ${number} since ${toText(sinceMs)}, and the chain promises blocks without transactions`;
  if (cause === 'finality')
    return `a transaction has waited since ${toText(sinceMs)}: it is mined and not final; the newest block is ${number}, and the newest final one ${final ?? 'unknown'}`;
  const failed = hasFailed ? ', and attempts to send it have failed' : '';
  return `a transaction has waited since ${toText(sinceMs)}: it isn't mined${failed}; the newest block is ${number}`;
};

// Reports the beginning and the end of a stall once each.
const createReports = ({ nodes, now, onProblem }: ProgressOptions) => {
  const heights = createNodeHeights();
  let stall: ChainStall | undefined;
  const toStall = (found: FoundStall, head: HashedHeader, hasFailed: boolean): ChainStall => {
    const reason = toReason(found, head, { final: nodes.final?.number, hasFailed });
    return { sinceMs: found.sinceMs, blockNumber: head.number, reason: `${reason}${heights.describeBehind()}` };
  };
  return (
    found: FoundStall | undefined,
    head: HashedHeader,
    seen: { readonly hasFailed: boolean; readonly validators: ChainValidators | undefined },
  ) => {
    heights.note(nodes.uses(), now());
    const before = stall;
    stall = found && toStall(found, head, seen.hasFailed);
    if (stall !== undefined && before === undefined)
      onProblem(`CHAIN_STALLED: ${stall.reason}${describeSilent(seen.validators)}`);
    if (stall === undefined && before !== undefined) {
      const seconds = Math.round((now() - before.sinceMs) / 1_000);
      onProblem(`CHAIN_STALLED has ended after ${seconds} s: the newest block is ${head.number}`);
    }
    return stall;
  };
};

// The engine and the validators of the newest headers.
const createValidatorReader = ({ nodes, now }: ProgressOptions) => {
  const seals = createSealReader();
  let genesis: HashedHeader | undefined;
  let named: KnownValidators['named'] = [];
  let namedAtMs = Number.NEGATIVE_INFINITY;
  return async (headers: readonly HashedHeader[]) => {
    genesis ??= await nodes.use((client) => fetchHeader(client, 0));
    const newest = headers.at(-1)!;
    const engine = genesis && readEngine(newest, readCliqueSigners(genesis.header) !== undefined);
    if (genesis === undefined || engine === undefined) return {};
    if (now() - namedAtMs >= NAMED_MS) {
      namedAtMs = now();
      named = await fetchNamedValidators(nodes, engine);
    }
    return { engine, validators: await seals.read(headers, { engine, named, genesis }) };
  };
};

/** A watch that has seen nothing yet. */
export const createProgressWatch = (options: ProgressOptions): ProgressWatch => {
  const { nodes, confirmations, promisesBlocks, now } = options;
  const finalBlocks = confirmations === 'finalized' ? FINALIZED_BLOCKS : confirmations;
  const recent = createRecentHeaders();
  const readValidators = createValidatorReader(options);
  const judge = createStallWatch();
  const report = createReports(options);
  const waiting = new Set<RecordWait>();
  let readWaits: ReadWaits | undefined;
  let validators: ChainValidators | undefined;
  let intervals: BlockIntervals | undefined;
  let stall: ChainStall | undefined;
  let judged: HashedHeader | undefined;
  let looking: Promise<void> | undefined;

  const lookOnce = async (): Promise<void> => {
    const { headNumber } = nodes;
    // Where no node answers, nothing is known.
    if (nodes.uses().every(({ isLeft }) => isLeft)) return;
    await nodes.use((client) => recent.follow(client, headNumber));
    const headers = recent.read();
    const head = headers.at(-1);
    if (head === undefined || head.number < headNumber) return;
    if (head !== judged) {
      const { engine, validators: found } = await readValidators(headers);
      validators = found;
      intervals = readIntervals(headers, engine, promisesBlocks);
      judged = head;
    }
    // A Set keeps its order.
    const [oldest] = waiting;
    const { unmined, unfinal } = readWaits?.() ?? {};
    const waits = { unmined: toOldest(unmined, oldest), unfinal };
    const found = judge({ nowMs: now(), head, intervals, finalBlocks, ...waits });
    stall = report(found, head, { hasFailed: unmined?.hasFailed === true, validators });
  };

  return {
    read: () => {
      const head = recent.read().at(-1);
      const shown = head && { number: head.number, timestampSeconds: head.timestampSeconds };
      return { head: shown, usualMs: intervals?.usualMs, stall, validators };
    },
    look: () => {
      // What a node doesn't answer is read the next time; the set of nodes reports the failure.
      looking ??= lookOnce()
        .catch(raiseIfMistake)
        .then(() => undefined)
        .finally(() => {
          looking = undefined;
        });
      return looking;
    },
    whileWaiting: async (task) => {
      const entry = { sinceMs: now(), isRecovered: false };
      waiting.add(entry);
      try {
        return await task();
      } finally {
        waiting.delete(entry);
      }
    },
    watchRecords: (read) => {
      readWaits = read;
    },
  };
};
