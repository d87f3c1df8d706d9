// Collects the cosignatures of the log's witnesses for its newest checkpoint. All are asked at once; one that doesn't
// answer delays the others only once, and is asked again for the next checkpoint.
import type { SignedHead } from '../../chain/blockLog/blockLog.ts';
import { type WitnessClient, WitnessRefusal } from '../../chain/blockLog/witnessClient.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { NoteSignature } from '../../ledger/evidence/signedNote.ts';
import { joinSignals } from '../../ledger/joinedSignal.ts';
import { toConnectionFailure } from '../connectionFailure.ts';
import { createStatus, setClock, setFailure, type WitnessStatus } from './witnessStatus.ts';

/** Collects cosignatures. */
export interface Cosigning {
  /**
   * Requests the cosignatures of a checkpoint that are missing. Resolves when a quorum of them is published, or as soon
   * as that is impossible without a witness that failed last time; the requests in progress go on.
   */
  cosign(head: SignedHead): Promise<void>;
  /** Names of the witnesses that answered last that they refuse the log. */
  refusing(): readonly string[];
  /** Ends all requests. */
  stop(): Promise<void>;
}

/** Options of `startCosigning`. */
export interface CosigningOptions {
  readonly witnesses: readonly WitnessClient[];
  /** How many of the witnesses make a checkpoint valid. */
  readonly quorum: number;
  readonly publish: (head: SignedHead, cosignatures: readonly NoteSignature[]) => Promise<void>;
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** For one witness. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

interface Asked extends WitnessStatus {
  readonly client: WitnessClient;
  running: Promise<void> | undefined;
}

interface Round {
  readonly head: SignedHead;
  readonly cosignatures: Map<Asked, NoteSignature>;
  /** How many of them are published. */
  published: number;
}

const toAsked = (client: WitnessClient): Asked => ({ ...createStatus(client.key.name), client, running: undefined });

/** Collects cosignatures from now on. */
export const startCosigning = (options: CosigningOptions): Cosigning => {
  const { quorum, publish, onProblem, timeoutMs = TIMEOUT_MS } = options;
  const all: Asked[] = options.witnesses.map(toAsked);
  const stopping = new AbortController();
  let round: Round | undefined;

  const publishRound = async (current: Round): Promise<void> => {
    const { head, cosignatures } = current;
    const inOrder = all.flatMap((asked) => cosignatures.get(asked) ?? []);
    if (inOrder.length < quorum || inOrder.length === current.published) return;
    await publish(head, inOrder);
    current.published = inOrder.length;
  };

  const ask = async (asked: Asked, current: Round): Promise<void> => {
    using joined = joinSignals(stopping.signal, AbortSignal.timeout(timeoutMs));
    try {
      const { cosignature, aheadSeconds } = await asked.client.cosign(current.head, joined.signal);
      current.cosignatures.set(asked, cosignature);
      setFailure(asked, 'none', onProblem);
      setClock(asked, aheadSeconds, onProblem);
    } catch (cause) {
      if (stopping.signal.aborted) return;
      if (cause instanceof WitnessRefusal || cause instanceof LedgerError)
        setFailure(asked, 'refusing', onProblem, cause);
      else setFailure(asked, 'unreachable', onProblem, new Error(toConnectionFailure(cause)));
      return;
    }
    await publishRound(current);
  };

  // A witness that still has a request of an earlier checkpoint gets this one after it.
  const askIdle = (current: Round, asked: Set<Asked>): void => {
    for (const one of all.filter((each) => each.running === undefined && !asked.has(each))) {
      if (current.cosignatures.has(one)) continue;
      asked.add(one);
      one.running = ask(one, current).finally(() => {
        one.running = undefined;
      });
      // `cosign` publishes again what could not be published.
      one.running.catch(() => undefined);
    }
  };

  const toLikely = ({ cosignatures }: Round): Asked[] =>
    all.filter((one) => !cosignatures.has(one) && one.running !== undefined && one.failure === 'none');

  return {
    cosign: async (head) => {
      if (round?.head.note !== head.note) round = { head, cosignatures: new Map(), published: 0 };
      const current = round;
      const asked = new Set<Asked>();
      askIdle(current, asked);
      for (;;) {
        const likely = toLikely(current);
        const count = current.cosignatures.size;
        if (count >= quorum || count + likely.length < quorum) break;
        await Promise.race(likely.map(({ running }) => running));
        askIdle(current, asked);
      }
      await publishRound(current);
    },
    refusing: () => all.filter(({ failure }) => failure === 'refusing').map(({ name }) => name),
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(all.map(({ running }) => running));
    },
  };
};
