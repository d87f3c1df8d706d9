// Bounds the memory of answers that are being built, or that clients have not read yet, over all connections of a server.
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';

export interface AnswerBudgetLimits {
  /** Bytes that all answers together may have beyond the allowance of each. */
  readonly bytesMax: number;
  /** Bytes of each answer that do not count, so that small answers are given while large ones use up the budget. */
  readonly allowanceBytes: number;
}

/** Counts what an answer has. Both methods throw RpcError LIMIT_EXCEEDED. */
export interface AnswerCounter {
  /** Asserts that something may be added. */
  assertRoom(): void;
  /** Adds bytes; when it throws, nothing is added. */
  add(bytes: number): void;
}

/** What one answer takes of a budget. */
export interface AnswerShare extends AnswerCounter {
  /** Gives everything back. Nothing can be added from then on. */
  release(): void;
}

const refuse = (): RpcError =>
  new RpcError(RPC_CODE.LIMIT_EXCEEDED, 'too many answers are not read yet; ask again in some seconds');

/** Creates the shares of one budget. */
export const createAnswerBudget = ({ bytesMax, allowanceBytes }: AnswerBudgetLimits): (() => AnswerShare) => {
  let used = 0;
  const toCounted = (bytes: number): number => Math.max(0, bytes - allowanceBytes);
  return () => {
    let held = 0;
    let isReleased = false;
    return {
      assertRoom: () => {
        if (isReleased || (held >= allowanceBytes && used >= bytesMax)) throw refuse();
      },
      add: (bytes) => {
        const more = toCounted(held + bytes) - toCounted(held);
        if (isReleased || (more > 0 && used + more > bytesMax)) throw refuse();
        held += bytes;
        used += more;
      },
      release: () => {
        if (!isReleased) used -= toCounted(held);
        isReleased = true;
      },
    };
  };
};
