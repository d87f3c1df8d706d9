// One node of several, and what is known of it: whether it is of this chain, how far it is, and when it may be asked again.
import { LedgerError } from '../../ledger/errors.ts';
import { fetchBlock, type NodeBlock } from '../jsonRpc/chainQueries.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import type { BlockRef } from '../port.ts';
import {
  assertBlock,
  assertCheckpoint,
  assertIdentity,
  type ChainCheckpoint,
  type ChainIdentity,
  fetchIdentity,
} from './chainIdentity.ts';

/** How many blocks a record's block must be followed by, itself included; or what the node says is final. */
export type Confirmations = number | 'finalized';

/** What every node of the chain must agree with. */
export interface Expectation {
  readonly identity: ChainIdentity;
  readonly confirmations: Confirmations;
  readonly checkpoint: ChainCheckpoint | undefined;
  /** The newest block that was final anywhere. */
  readonly final: BlockRef | undefined;
}

export interface RpcNode {
  readonly client: JsonRpcClient;
  /** Undefined while the node may be used. */
  readonly failure: LedgerError | undefined;
  /** Number of the newest block that it had at the last look. */
  readonly headNumber: number;
  /** How long the last look took. */
  readonly latencyMs: number;
  /** Whether it may be looked at again. */
  isDue(): boolean;
  /** Looks at the node; gives what is final there, or undefined when there is failure. One look at a time. */
  look(expectation: Expectation): Promise<BlockRef | undefined>;
  /** The next look asks again whether it is of this chain. */
  forget(): void;
  /** After a call that failed: the node isn't used before it was looked at again. */
  leave(cause: LedgerError): void;
}

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 5_000;

const toUnasked = ({ name }: JsonRpcClient): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `${name} was not asked yet` });

const fetchFinal = async (client: JsonRpcClient, head: NodeBlock, confirmations: Confirmations): Promise<BlockRef> => {
  const number = confirmations === 'finalized' ? confirmations : Math.max(0, head.number - confirmations + 1);
  if (number === head.number) return head;
  const final = await fetchBlock(client, number);
  if (final === undefined) throw refuseAnswer(client, `no block ${number}`);
  return final;
};

const verify = async (client: JsonRpcClient, { identity, checkpoint }: Expectation): Promise<void> => {
  assertIdentity(client, await fetchIdentity(client), identity);
  if (checkpoint !== undefined) await assertCheckpoint(client, checkpoint);
};

const assertAgrees = async (
  client: JsonRpcClient,
  head: NodeBlock,
  final: BlockRef,
  known: BlockRef,
  onMissing: () => Promise<void>,
): Promise<void> => {
  if (head.number === known.number && head.hash === known.hash) return;
  if (final.number === known.number && final.hash === known.hash) return;
  await assertBlock(client, known, 'which was final', onMissing);
};

interface Inspection {
  readonly headNumber: number;
  readonly final: BlockRef;
}

const inspect = async (client: JsonRpcClient, expectation: Expectation): Promise<Inspection> => {
  const { confirmations, final: known } = expectation;
  const head = await fetchBlock(client, 'latest');
  if (head === undefined) throw refuseAnswer(client, 'no newest block');
  const { number, hash } = await fetchFinal(client, head, confirmations);
  // A node without a block that was final is behind, or of a chain that has begun anew, which shows in what it was known by.
  const onMissing = (): Promise<void> => verify(client, expectation);
  if (known !== undefined) await assertAgrees(client, head, { number, hash }, known, onMissing);
  return { headNumber: head.number, final: { number, hash } };
};

// The first failure may be nothing: it is followed by a look at once.
const toPauseMs = (failedLooks: number): number =>
  failedLooks === 1 ? 0 : Math.min(PAUSE_MS_MIN * 2 ** (failedLooks - 2), PAUSE_MS_MAX);

/** The node behind a client. `onChange` hears when it is left and when it is back. */
export const createRpcNode = (
  client: JsonRpcClient,
  { now, onChange }: { now: () => number; onChange: (failure: LedgerError | undefined) => void },
): RpcNode => {
  const state = { failure: toUnasked(client) as LedgerError | undefined, headNumber: 0, latencyMs: 0 };
  let isVerified = false;
  let failedLooks = 0;
  let pauseEndsMs = 0;
  let announced: string | undefined;
  let looking: Promise<BlockRef | undefined> | undefined;

  const announce = (): void => {
    if (state.failure?.code !== announced) onChange(state.failure);
    announced = state.failure?.code;
  };

  const leave = (cause: LedgerError): void => {
    state.failure = cause;
    failedLooks += 1;
    pauseEndsMs = now() + toPauseMs(failedLooks);
    if (failedLooks > 1 || cause.code !== 'CHAIN_UNAVAILABLE') announce();
  };

  const look = async (expectation: Expectation): Promise<BlockRef | undefined> => {
    const startMs = now();
    try {
      if (!isVerified) await verify(client, expectation);
      const { headNumber, final } = await inspect(client, expectation);
      Object.assign(state, { failure: undefined, headNumber, latencyMs: now() - startMs });
      isVerified = true;
      failedLooks = 0;
      announce();
      return final;
    } catch (error) {
      leave(error instanceof LedgerError ? error : refuseAnswer(client, (error as Error).message, error));
      return undefined;
    }
  };

  return {
    client,
    get failure() {
      return state.failure;
    },
    get headNumber() {
      return state.headNumber;
    },
    get latencyMs() {
      return state.latencyMs;
    },
    isDue: () => now() >= pauseEndsMs,
    look: (expectation) => {
      looking ??= look(expectation).finally(() => {
        looking = undefined;
      });
      return looking;
    },
    forget: () => {
      isVerified = false;
    },
    leave,
  };
};
