// Wrong answers of nodes: those that contradict what the hashes of blocks commit to, and those that don't follow the
// protocol. For the caller each is CHAIN_UNAVAILABLE, as if the node had not answered: another node may.
import { LedgerError } from '../../ledger/errors.ts';
import type { JsonRpcClient } from './jsonRpcClient.ts';

/** The node that answered, as messages name it. */
export type NamedNode = Pick<JsonRpcClient, 'name'>;

/** An answer after which a node isn't believed for some time. */
export class WrongAnswer extends LedgerError {
  constructor(message: string, cause?: unknown) {
    super('CHAIN_UNAVAILABLE', { message, cause });
  }
}

/** A node's answer follows the protocol, and is disproven by a block's hash. */
export class FalseAnswer extends WrongAnswer {
  constructor({ name }: NamedNode, problem: string) {
    super(`${name} gave a false answer: ${problem}`);
  }
}

/** A node's answer doesn't have the form that the protocol requires, so no node of the chain gives it. */
export class InvalidAnswer extends WrongAnswer {
  constructor({ name }: NamedNode, problem: string, cause?: unknown) {
    super(`${name} gave an invalid answer: ${problem}`, cause);
  }
}

/** @throws FalseAnswer unless the answer holds. `problem` states what is false. */
export function assertHolds(client: NamedNode, holds: boolean, problem: string): asserts holds {
  if (!holds) throw new FalseAnswer(client, problem);
}
