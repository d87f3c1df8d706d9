// The requests for evidence that are in progress. One ends when its client is gone or the server closes: at its next
// read, in the queue of large files, or while it waits for a checkpoint.
import type { TreeView } from '../../indexer/treeView.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { RunInSlices } from '../../server/fairness/timeSlices.ts';
import type { RunInTurn } from '../../server/fairness/turns.ts';
import { type OpenHeldAnswer, toParty } from './answerMemory.ts';
import type { Asker, Coverage } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { LogProofs } from './logProofs.ts';

/** What all requests share. */
export interface SharedParts {
  readonly trees: TreeView;
  readonly logProofs: LogProofs;
  readonly findAccount: EvidenceContext['findAccount'];
  readonly readRecordedBlock: EvidenceContext['readRecordedBlock'];
  readonly coverage: Coverage;
  readonly runInTurn: RunInTurn;
  readonly runInSlices: RunInSlices;
  readonly openHeld: OpenHeldAnswer;
}

/** Somebody who waits for a file. */
export interface WaitingAsker extends Asker {
  /** Aborts when the answer is sent or its client is gone. Until then the file is in memory. */
  readonly signal?: AbortSignal | undefined;
}

/** The requests in progress. */
export interface EvidenceRequests {
  /** Makes a file. Rejects with the reason of the caller's signal, or with STOPPING, when one of them ends it. */
  run(caller: WaitingAsker, make: (context: EvidenceContext) => Promise<string>): Promise<string>;
  /** The same items, until the server closes. */
  stream<T>(items: AsyncIterable<T>): AsyncIterable<T>;
  /** Ends all requests, and resolves when none of them reads any more. */
  close(): Promise<void>;
}

async function* endAtSignal<T>(items: AsyncIterable<T>, signal: AbortSignal, onEnd = (): void => undefined) {
  try {
    for await (const item of items) {
      signal.throwIfAborted();
      yield item;
    }
  } finally {
    onEnd();
  }
}

// Every read is refused after the signal.
const untilAborted = (trees: TreeView, signal: AbortSignal): TreeView => {
  const guarded: Record<string, unknown> = { ...trees };
  for (const name of Object.keys(trees) as (keyof TreeView)[])
    guarded[name] = (...given: readonly unknown[]) => {
      signal.throwIfAborted();
      return (trees[name] as (...given: readonly unknown[]) => unknown)(...given);
    };
  return {
    ...(guarded as unknown as TreeView),
    readLeaves: (...given) => endAtSignal(trees.readLeaves(...given), signal),
  };
};

/** Begins without requests. */
export const createEvidenceRequests = (shared: SharedParts): EvidenceRequests => {
  const { trees, logProofs, findAccount, readRecordedBlock, coverage, runInTurn, runInSlices, openHeld } = shared;
  const closing = new AbortController();
  const running = new Map<Promise<unknown>, AbortController>();

  const track = (ended: Promise<unknown>, ending: AbortController): void => {
    running.set(ended, ending);
    const forget = (): void => void running.delete(ended);
    ended.then(forget, forget);
  };

  const makeIn = async (caller: WaitingAsker, signal: AbortSignal, make: Parameters<EvidenceRequests['run']>[1]) => {
    const held = openHeld(caller);
    try {
      const text = await make({
        trees: untilAborted(trees, signal),
        logProofs,
        findAccount,
        readRecordedBlock,
        coverage: { cover: (asker, names, find) => coverage.cover(asker, names, find, signal) },
        runInTurn: (party, task) => runInTurn(party, task, { signal }),
        runSteps: (steps) => runInSlices(toParty(caller), steps),
        holdAtLeast: held.holdAtLeast,
      });
      held.holdAtLeast(text.length);
      signal.throwIfAborted();
      if (caller.signal === undefined) held.release();
      else caller.signal.addEventListener('abort', held.release, { once: true });
      return text;
    } catch (error) {
      held.release();
      throw error;
    }
  };

  return {
    run: async (caller, make) => {
      closing.signal.throwIfAborted();
      caller.signal?.throwIfAborted();
      const ending = new AbortController();
      const end = (): void => ending.abort(caller.signal!.reason);
      caller.signal?.addEventListener('abort', end, { once: true });
      const made = makeIn(caller, ending.signal, make);
      track(made, ending);
      return made;
    },
    stream: <T>(items: AsyncIterable<T>) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return {
        [Symbol.asyncIterator]: () => {
          track(promise, closing);
          return endAtSignal(items, closing.signal, resolve)[Symbol.asyncIterator]();
        },
      };
    },
    close: async () => {
      const reason = new LedgerError('STOPPING');
      closing.abort(reason);
      for (const ending of running.values()) ending.abort(reason);
      await Promise.allSettled(running.keys());
    },
  };
};
