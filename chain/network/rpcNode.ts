// One of several nodes and its state: whether it belongs to this chain, its newest block, and when it may be checked
// again.
import { LedgerError } from '../../ledger/errors.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { WrongAnswer } from '../jsonRpc/falseAnswer.ts';
import { isTimeout, type JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { createNodeMarks, MARK_MS } from '../jsonRpc/nodeMarks.ts';
import type { BlockRef } from '../port.ts';
import { createSharedRuns, type SharedRun } from '../sharedRuns.ts';
import {
  assertCheckpoint,
  assertFinalBlock,
  assertIdentity,
  type ChainCheckpoint,
  type ChainIdentity,
  fetchIdentity,
} from './chainIdentity.ts';
import { fetchHashedHeader, type HashedHeader } from './decodeHeader.ts';
import type { AssertSealed } from './sealCheck.ts';

/**
 * Number of blocks that must exist from a record's block on, itself included, before it counts as final; or the node's
 * own tag `finalized`.
 */
export type Confirmations = number | 'finalized';

/** State that every node of the chain must agree with. */
export interface Expectation {
  readonly identity: ChainIdentity;
  readonly confirmations: Confirmations;
  readonly checkpoint: ChainCheckpoint | undefined;
  /** The newest block that was final at any node. */
  readonly final: BlockRef | undefined;
  /** Undefined: seals aren't checked. */
  readonly assertSealed: AssertSealed | undefined;
}

/** What an operator wants to know of a node. */
export interface NodeUse {
  /** Scheme, host and port. */
  readonly name: string;
  /** Whether it can't be used now. */
  readonly isLeft: boolean;
  /** Number of its false and invalid answers since the start. */
  readonly falseAnswers: number;
  /** Its newest block at its last successful check; undefined before that. */
  readonly seen: SeenHead | undefined;
}

/** The newest block of a node. */
export interface SeenHead {
  readonly height: number;
  readonly headAtSeconds: number;
  /** When the node had it, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** One node. */
export interface RpcNode {
  readonly client: JsonRpcClient;
  /** The last error; undefined while the node may be used. */
  readonly failure: LedgerError | undefined;
  readonly use: NodeUse;
  /** Number of the node's newest block at the last check. */
  readonly headNumber: number;
  /** Milliseconds that the last check took. */
  readonly latencyMs: number;
  /** Whether an answer didn't come in time within the last minute: then others are preferred, also if it answers. */
  wasHung(): boolean;
  /** The block that the node itself named as final at its last successful check. */
  readonly named: BlockRef | undefined;
  /** Whether the node may be checked again. */
  isDue(): boolean;
  /**
   * Checks the node; resolves with its newest final block, or with undefined when the check fails. A call during a
   * check gets the next one, which begins when that one has succeeded, with the newest expectation. Whether the node
   * belongs to this chain is verified again for another identity or checkpoint.
   */
  check(expectation: Expectation): Promise<BlockRef | undefined>;
  /**
   * Marks the node as failed: it isn't used before its next successful check. After a false or invalid answer it isn't
   * checked for 5 s, and for twice as long each time, up to a minute; after a minute without one, for 5 s again.
   */
  leave(cause: LedgerError): void;
}

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 5_000;
const DISTRUST_MS_MAX = 60_000;
/** How long a node counts as one of this chain: its URL may lead to another one after that, with other code. */
const VERIFIED_MS = 60_000;

const toUnchecked = ({ name }: JsonRpcClient): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `${name} was not queried yet` });

const fetchFinal = async (
  client: JsonRpcClient,
  head: HashedHeader,
  confirmations: Confirmations,
): Promise<BlockRef> => {
  const number = confirmations === 'finalized' ? confirmations : Math.max(0, head.number - confirmations + 1);
  if (number === head.number) return head;
  const final = await fetchHashedHeader(client, number);
  if (final === undefined) throw refuseAnswer(client, `no block ${number}`);
  return final;
};

const isSame = (verified: Expectation | undefined, { identity, checkpoint }: Expectation): boolean =>
  verified?.identity === identity && verified.checkpoint === checkpoint;

const verify = async (client: JsonRpcClient, { identity, checkpoint }: Expectation): Promise<void> => {
  assertIdentity(client, await fetchIdentity(client), identity);
  if (checkpoint !== undefined) await assertCheckpoint(client, checkpoint);
};

const assertAgrees = async (
  client: JsonRpcClient,
  head: HashedHeader,
  final: BlockRef,
  known: BlockRef,
  onMissing: () => Promise<void>,
): Promise<void> => {
  if (head.number === known.number && head.hash === known.hash) return;
  if (final.number === known.number && final.hash === known.hash) return;
  await assertFinalBlock(client, known, onMissing);
};

interface Inspection {
  readonly head: HashedHeader;
  readonly final: BlockRef;
}

// A node names any block as its newest, or as final; that has at least the hash that its fields have.
const inspect = async (client: JsonRpcClient, expectation: Expectation): Promise<Inspection> => {
  const { confirmations, final: known } = expectation;
  const head = await fetchHashedHeader(client, 'latest');
  if (head === undefined) throw refuseAnswer(client, 'no newest block');
  const { number, hash } = await fetchFinal(client, head, confirmations);
  // A node without a block that was final is behind, or its chain was reset, which its identity and checkpoint show.
  const onMissing = (): Promise<void> => verify(client, expectation);
  if (known !== undefined) await assertAgrees(client, head, { number, hash }, known, onMissing);
  return { head, final: { number, hash } };
};

// A single failure may be an accident, so the next check follows at once.
const toPauseMs = (failedChecks: number): number =>
  failedChecks === 1 ? 0 : Math.min(PAUSE_MS_MIN * 2 ** (failedChecks - 2), PAUSE_MS_MAX);

const toDistrustMs = (falseAnswers: number): number =>
  Math.min(PAUSE_MS_MAX * 2 ** (falseAnswers - 1), DISTRUST_MS_MAX);

// How long a node isn't checked after failures and after false answers.
const createPauses = (now: () => number) => {
  const marks = createNodeMarks(now);
  let failures = 0;
  let falseAnswers = 0;
  const isDistrusted = (): boolean => marks.read('distrust') !== undefined;
  const distrust = (): void => {
    const inSequence = (marks.read('false answers') ?? 0) + 1;
    const ms = toDistrustMs(inSequence);
    marks.set('distrust', 1, ms);
    marks.set('false answers', inSequence, ms + MARK_MS);
    falseAnswers += 1;
  };
  return {
    /** Begins a pause; returns whether the failure is worth a message. */
    begin: (cause: LedgerError): boolean => {
      const isFalse = cause instanceof WrongAnswer;
      failures += 1;
      // Other nodes are preferred then: this one may answer checks, and hang in another request.
      if (isTimeout(cause)) marks.set('hung', 1);
      marks.set('pause', 1, toPauseMs(failures));
      if (isFalse) distrust();
      return isFalse || failures > 1 || cause.code !== 'CHAIN_UNAVAILABLE';
    },
    /** Ends the pauses, if the node gave no false answer lately; returns whether it did. */
    end: (): boolean => {
      if (isDistrusted()) return false;
      failures = 0;
      return true;
    },
    falseAnswers: (): number => falseAnswers,
    wasHung: (): boolean => marks.read('hung') !== undefined,
    isOver: (): boolean => marks.read('pause') === undefined && !isDistrusted(),
  };
};

type NodeState = { -readonly [K in 'failure' | 'named' | 'latencyMs']: RpcNode[K] } & Pick<NodeUse, 'seen'>;

const toSeen = ({ number, timestampSeconds }: HashedHeader, atMs: number): SeenHead => ({
  height: number,
  headAtSeconds: timestampSeconds,
  atMs,
});

const toUse = ({ name }: JsonRpcClient, { failure, seen }: NodeState, falseAnswers: number): NodeUse => ({
  name,
  isLeft: failure !== undefined,
  falseAnswers,
  seen,
});

// What a node was verified for lately.
const createVerification = (now: () => number) => {
  let verifiedFor: Expectation | undefined;
  const marks = createNodeMarks(now);
  const isKnown = (expectation: Expectation): boolean =>
    marks.read('verified') !== undefined && isSame(verifiedFor, expectation);
  return {
    isKnown,
    /** Counts the node as verified for a while. */
    keep: (expectation: Expectation): void => {
      if (isKnown(expectation)) return;
      verifiedFor = expectation;
      marks.set('verified', 1, VERIFIED_MS);
    },
  };
};

/** The node behind a client. `onChange` is called when the node can no longer be used, and when it can again. */
export const createRpcNode = (
  client: JsonRpcClient,
  { now, onChange }: { now: () => number; onChange: (failure: LedgerError | undefined) => void },
): RpcNode => {
  const state: NodeState = { failure: toUnchecked(client), named: undefined, seen: undefined, latencyMs: 0 };
  let newest: Expectation;
  const verification = createVerification(now);
  const pauses = createPauses(now);
  let announced: string | undefined;

  const announce = (): void => {
    if (state.failure?.code !== announced) onChange(state.failure);
    announced = state.failure?.code;
  };

  const leave = (cause: LedgerError): void => {
    state.failure = cause;
    if (cause instanceof WrongAnswer) announced = undefined;
    if (pauses.begin(cause)) announce();
  };

  const check = async ({ begin, hasWaited }: SharedRun): Promise<BlockRef | undefined> => {
    begin();
    // A failure counts for all who waited: they would wait twice for a node that hangs.
    if (hasWaited && state.failure !== undefined) return undefined;
    const expectation = newest;
    const startMs = now();
    try {
      if (!verification.isKnown(expectation)) await verify(client, expectation);
      const { head, final } = await inspect(client, expectation);
      await expectation.assertSealed?.(client, final);
      // It may have given a false answer meanwhile.
      if (!pauses.end()) return undefined;
      Object.assign(state, { failure: undefined, named: final, seen: toSeen(head, now()), latencyMs: now() - startMs });
      verification.keep(expectation);
      announce();
      return final;
    } catch (error) {
      leave(error instanceof LedgerError ? error : refuseAnswer(client, (error as Error).message, error));
      return undefined;
    }
  };

  const checks = createSharedRuns(check);
  return {
    client,
    get failure() {
      return state.failure;
    },
    get use() {
      return toUse(client, state, pauses.falseAnswers());
    },
    get headNumber() {
      return state.seen?.height ?? 0;
    },
    get latencyMs() {
      return state.latencyMs;
    },
    get named() {
      return state.named;
    },
    isDue: pauses.isOver,
    wasHung: pauses.wasHung,
    check: (expectation) => {
      newest = expectation;
      return checks.run();
    },
    leave,
  };
};
