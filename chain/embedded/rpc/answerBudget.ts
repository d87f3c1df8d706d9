// Limits the memory of answers that are being built or that clients have not read yet, over all connections of a
// server.
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';

/** Limits of a budget. */
export interface AnswerBudgetLimits {
  /** Bytes of all answers together beyond the allowance of each. */
  readonly bytesMax: number;
  /** Bytes of each answer that do not count, so that small answers are possible while large ones use up the budget. */
  readonly allowanceBytes: number;
}

/** Counts the bytes of one answer. Both methods throw RpcError LIMIT_EXCEEDED. */
export interface AnswerCounter {
  /** Asserts that bytes may be added. */
  assertCapacity(): void;
  /** Adds bytes; when it throws, nothing is added. */
  add(bytes: number): void;
}

/** The share of a budget that one answer uses. */
export interface AnswerShare extends AnswerCounter {
  /** Releases the bytes. None can be added afterwards. */
  release(): void;
}

const refuse = (): RpcError =>
  new RpcError(RPC_CODE.LIMIT_EXCEEDED, 'too many answers are not read yet; try again in some seconds');

/** A budget. Each call of the returned function opens a share. */
export const createAnswerBudget = ({ bytesMax, allowanceBytes }: AnswerBudgetLimits): (() => AnswerShare) => {
  let used = 0;
  const toCounted = (bytes: number): number => Math.max(0, bytes - allowanceBytes);
  return () => {
    let held = 0;
    let isReleased = false;
    return {
      assertCapacity: () => {
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
