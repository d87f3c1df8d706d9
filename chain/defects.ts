// Tells failures that pass, or that an operator can end, from mistakes of this program. A task that failed by a mistake
// fails again however often it is repeated, and hides the mistake.
import { LedgerError } from '../ledger/errors.ts';
import { RpcError } from './jsonRpc/rpcError.ts';

// Errors of the system have a number and a call; those of LevelDB a code of their own.
const isOfStorage = (cause: unknown): boolean =>
  cause instanceof Error && ('syscall' in cause || String((cause as NodeJS.ErrnoException).code).startsWith('LEVEL_'));

const isEnded = (cause: unknown): boolean => cause instanceof Error && cause.name === 'AbortError';

/**
 * Whether a failure is a mistake of this program: no refusal, no answer of a node, no error of the storage, and not the
 * end of the task by a signal.
 */
export const isDefect = (cause: unknown): boolean =>
  !(cause instanceof LedgerError) && !(cause instanceof RpcError) && !isOfStorage(cause) && !isEnded(cause);

const raised = new WeakSet<object>();

/** Leaves a mistake to the handler of errors that nothing caught, which ends the process in order; each one once. */
export const raiseDefect = (cause: unknown): void => {
  if (cause instanceof Error && raised.has(cause)) return;
  if (cause instanceof Error) raised.add(cause);
  setImmediate(() => {
    throw cause;
  });
};

// What the language throws when a program is wrong. `fetch` throws a TypeError when a connection fails.
const isOfLanguage = (cause: unknown): boolean =>
  (cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError) &&
  !(cause.cause instanceof Error && 'code' in cause.cause);

/**
 * Raises a failure if the language says that it is a mistake. For what goes on without the result of a task that
 * failed, or begins it again later, and reports any other failure. Returns whether it is one.
 */
export const raiseIfMistake = (cause: unknown): boolean => {
  const isMistake = isOfLanguage(cause);
  if (isMistake) raiseDefect(cause);
  return isMistake;
};
