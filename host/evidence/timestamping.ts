// Time stamps (RFC 3161) of the checkpoint that is shown. The newest one is in the file `timestamp` of the log, in DER;
// it counts while it is of the checkpoint that is shown, under the certificates of the settings.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignedHead } from '../../chain/blockLog/blockLog.ts';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { TIMESTAMP_FILE } from '../../chain/blockLog/logFiles.ts';
import { requestTimestamp } from '../../chain/blockLog/timestampRequest.ts';
import { readCertificates } from '../../ledger/evidence/certificateChain.ts';
import { toUtf8 } from '../../ledger/evidence/lines.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { checkTimestamp } from '../../ledger/evidence/timestampToken.ts';
import { joinSignals } from '../../ledger/joinedSignal.ts';

const TIMEOUT_MS = 10_000;

/** Stamps checkpoints. */
export interface Timestamping {
  /** The time stamp of a checkpoint; undefined when there is none. */
  find(head: SignedHead): Uint8Array | undefined;
  /** Requests the time stamp of a checkpoint that has none, without waiting for it. One request at a time. */
  stamp(head: SignedHead): void;
  /** Ends the request in progress. */
  stop(): Promise<void>;
}

/** Options of `openTimestamping`. */
export interface TimestampingOptions {
  /** Of the log. */
  readonly directory: string;
  readonly url: string;
  /** Path of a PEM file with the authority's certificates: roots, and those below them down to the signer's. */
  readonly caFile: string;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

const toText = ({ note }: SignedHead): string => decodeSignedNote(note).text;

const readToken = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const readCaFile = async (path: string) => {
  try {
    return await readCertificates(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`TSA_CA_FILE ${path} can't be used: ${(cause as Error).message}`, { cause });
  }
};

/**
 * Opens the time stamp of a log, of which `head` is the checkpoint that is shown.
 * @throws Error when the file of certificates can't be used.
 */
export const openTimestamping = async (
  { directory, url, caFile, onProblem }: TimestampingOptions,
  head: SignedHead | undefined,
): Promise<Timestamping> => {
  const files = createDurableFiles(directory);
  const certificates = await readCaFile(caFile);
  const stopping = new AbortController();
  let isFailing = false;
  let running: Promise<void> | undefined;
  let known: { readonly text: string; readonly token: Uint8Array } | undefined;

  const isValid = async (token: Uint8Array, text: string): Promise<boolean> => {
    const checked = await checkTimestamp(token, toUtf8(text), certificates);
    return checked.isUnderRoot && checked.at !== undefined;
  };

  const request = async (text: string): Promise<void> => {
    using joined = joinSignals(stopping.signal, AbortSignal.timeout(TIMEOUT_MS));
    const token = await requestTimestamp(url, toUtf8(text), joined.signal);
    if (!(await isValid(token, text))) throw new Error('a token that the certificates of TSA_CA_FILE do not verify');
    await files.write(TIMESTAMP_FILE, token);
    await files.syncNames();
    known = { text, token };
  };

  const run = async (text: string): Promise<void> => {
    try {
      await request(text);
      if (isFailing) onProblem('checkpoints of the block log get time stamps again');
      isFailing = false;
    } catch (cause) {
      if (!isFailing && !stopping.signal.aborted) onProblem('a checkpoint of the block log gets no time stamp', cause);
      isFailing = true;
    }
  };

  const stored = head && (await readToken(join(directory, TIMESTAMP_FILE)));
  if (stored && (await isValid(stored, toText(head)))) known = { text: toText(head), token: stored };
  return {
    find: (shown) => (known?.text === toText(shown) ? known.token : undefined),
    stamp: (shown) => {
      const text = toText(shown);
      if (known?.text === text || stopping.signal.aborted) return;
      running ??= run(text).finally(() => {
        running = undefined;
      });
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
