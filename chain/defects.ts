// Tells failures that pass, or that an operator can end, from mistakes of this program. A task that failed by a mistake
// fails again however often it is repeated, and hides the mistake.
import { LedgerError } from '../ledger/errors.ts';
import { RpcError } from './jsonRpc/rpcError.ts';

// Errors of the system have a number and a call; those of LevelDB a code of their own.
const isOfStorage = (cause: unknown): boolean =>
  cause instanceof Error && ('syscall' in cause || String((cause as NodeJS.ErrnoException).code).startsWith('LEVEL_'));

/** Whether a failure is a mistake of this program: no refusal, no answer of a node, and no error of the storage. */
export const isDefect = (cause: unknown): boolean =>
  !(cause instanceof LedgerError) && !(cause instanceof RpcError) && !isOfStorage(cause);

/** Leaves a mistake to the handler of errors that nothing caught, which ends the process in order. */
export const raiseDefect = (cause: unknown): void => {
  setImmediate(() => {
    throw cause;
  });
};
