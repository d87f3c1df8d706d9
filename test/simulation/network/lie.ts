// Lies of a node: answers that follow the protocol, or nearly, and are false. Each lie states whether today's code
// survives it: no answer of the server becomes wrong, no record is lost or FAILED, and the writer continues when the
// lie ends, without a restart. The others are not simulated.
import type { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';

/** A node's answer: a result or an error. */
export type NodeAnswer = { readonly result: unknown } | { readonly error: RpcError };

/** A request, and what a lying node knows when it answers. */
export interface LyingContext {
  readonly method: string;
  readonly params: readonly unknown[];
  /** A hash that no block or transaction has. */
  inventHash(): Hex;
  /** A number of the lying node's own. */
  readonly headNumber: number;
  /** The node's true answer to another request. */
  ask(method: string, params: readonly unknown[]): NodeAnswer;
  /** The receipt of a transaction in a block that a reorg has replaced, if there is one. */
  findReplacedReceipt(hash: string): Fields | undefined;
  /** Removes a transaction from the node's pool. */
  discard(hash: string): void;
}

/** One kind of lie. */
export interface Lie {
  /** Methods whose answers it changes. */
  readonly methods: readonly string[];
  /** The false answer; the honest one where the lie doesn't apply. */
  readonly falsify: (honest: NodeAnswer, context: LyingContext) => NodeAnswer;
  /** Whether today's code survives it, with `confirmations` blocks until a block is final. */
  readonly isDetectable: (confirmations: number | 'finalized') => boolean;
  /** Why it is survived or not. */
  readonly reason: string;
}

/** A JSON object of an answer. */
export type Fields = Record<string, unknown>;
type ChangeResult = (result: unknown, context: LyingContext) => unknown;

const always = (): boolean => true;
const never = (): boolean => false;

/** Changes results; errors stay as they are. */
export const onResult =
  (change: ChangeResult): Lie['falsify'] =>
  (honest, context) =>
    'error' in honest ? honest : { result: change(honest.result, context) };

/** Changes results that are objects. */
export const onObject = (change: (fields: Fields, context: LyingContext) => unknown): Lie['falsify'] =>
  onResult((result, context) => (isJsonObject(result) ? change(result, context) : result));

/** A lie that today's code survives. */
export const survived = (methods: readonly string[], falsify: Lie['falsify'], reason: string): Lie => ({
  methods,
  falsify,
  isDetectable: always,
  reason,
});

/** A lie that today's code doesn't detect. */
export const believed = (methods: readonly string[], falsify: Lie['falsify'], reason: string): Lie => ({
  methods,
  falsify,
  isDetectable: never,
  reason,
});

/** The block of this number or tag as the node has it. */
export const readBlock = ({ ask }: LyingContext, number: string): Fields | undefined => {
  const answer = ask('eth_getBlockByNumber', [number, false]);
  return 'result' in answer && isJsonObject(answer.result) ? answer.result : undefined;
};
