// False answers of nodes: they follow the protocol and contradict what the hashes of blocks commit to.
import { LedgerError } from '../../ledger/errors.ts';
import type { JsonRpcClient } from './jsonRpcClient.ts';

/**
 * A node's answer is disproven by a block's hash. For the caller it is CHAIN_UNAVAILABLE, as if the node had not
 * answered: another node may.
 */
export class FalseAnswer extends LedgerError {
  constructor({ name }: JsonRpcClient, problem: string) {
    super('CHAIN_UNAVAILABLE', { message: `${name} gave a false answer: ${problem}` });
  }
}

/** @throws FalseAnswer unless the answer holds. `problem` states what is false. */
export function assertHolds(client: JsonRpcClient, holds: boolean, problem: string): asserts holds {
  if (!holds) throw new FalseAnswer(client, problem);
}
