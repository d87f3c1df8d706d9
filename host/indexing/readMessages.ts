// The messages between the main thread and the threads that read pages of lists.
import type { EncodedPage } from '../../indexer/ledgerView.ts';
import type { DelegatedRead } from '../../indexer/reads/encodedReads.ts';
import { LedgerError } from '../../ledger/errors.ts';

/** What the main thread sends: a read, or the request to end after the reads in progress. */
export type ToReadThread = { readonly id: number; readonly read: DelegatedRead } | 'end';

interface ReadFailure {
  readonly isDamage: boolean;
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

/** Whether an error reports damage to the index. */
export const isDamaged = (error: unknown): boolean => error instanceof LedgerError && error.code === 'INDEX_DAMAGED';

/** What another thread needs of an error. */
export const toFailure = (error: unknown): ReadFailure => ({
  isDamage: isDamaged(error),
  message: error instanceof Error ? error.message : String(error),
});

/** The error of a failure. */
export const toReadError = ({ isDamage, message }: ReadFailure): Error =>
  isDamage ? new LedgerError('INDEX_DAMAGED', { message }) : new Error(message);
