// The messages between the main thread and the threads that read pages of lists.
import type { EncodedPage } from '../../indexer/ledgerView.ts';
import type { DelegatedRead } from '../../indexer/reads/encodedReads.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toErrorMessage } from '../watching/errorText.ts';

/** What the main thread sends: a read, or the request to end after the reads in progress. */
export type ToReadThread = { readonly id: number; readonly read: DelegatedRead } | 'end';

interface ReadFailure {
  /** Undefined: the error is none of the catalogue. */
  readonly refusal: Pick<LedgerError, 'code' | 'violations'> | undefined;
  readonly message: string;
}

/** What a thread answers: first that its handle of the index is open, then one answer to each read. */
export type FromReadThread =
  | 'open'
  | { readonly id: number; readonly page: EncodedPage }
  | { readonly id: number; readonly failure: ReadFailure };

/** The page with its JSON in a buffer of its own, which can be transferred. */
export const toOwnBuffer = ({ json, ...rest }: EncodedPage): EncodedPage => ({
  ...rest,
  json: json.byteLength === json.buffer.byteLength ? json : new Uint8Array(json),
});

/** What another thread needs of an error. */
export const toFailure = (error: unknown): ReadFailure => {
  const message = toErrorMessage(error);
  if (!(error instanceof LedgerError)) return { refusal: undefined, message };
  return { refusal: { code: error.code, violations: error.violations }, message };
};

/** The error of a failure. */
export const toReadError = ({ refusal, message }: ReadFailure): Error =>
  refusal === undefined
    ? new Error(message)
    : new LedgerError(refusal.code, { message, violations: refusal.violations });
