// Receives an upload: a multipart body with exactly one part `file`, which is written to disk while it is received. A
// refusal waits for the rest of the body, so that a client that is still sending can read it; a client that sends
// nothing is refused at once.
import type { Request, Response } from 'express';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { DRAINED_BYTES, drain } from '../http/drain.ts';
import type { ServerLimits } from '../limits.ts';
import type { BlobStore, StagedFile } from './blobStore.ts';
import { refuseTooLarge } from './contentFiles.ts';
import { type Part, readParts } from './multipart.ts';
import { createReadSlowPace, createUploadSlots } from './uploadSlots.ts';

/** Concurrent uploads, each with an open file: in all, and of one tenant. */
const UPLOADS_MAX = { max: 256, tenantMax: 64 };
/** Bytes that a body may have besides the file: boundaries and headers. */
const OVERHEAD_BYTES_MAX = 65_536;

const PLAIN_ENCODINGS: readonly (string | undefined)[] = [undefined, '7bit', '8bit', 'binary'];

const assertFile = ({ name, isFile, transferEncoding }: Part, isSecond: boolean): void => {
  const field = name === undefined ? 'body' : name.slice(0, 255);
  if (name === undefined) throw refuseField('REQUEST_INVALID', field, 'has a part without a name');
  if (name !== 'file') throw refuseField('REQUEST_INVALID', field, 'is not a documented field');
  if (isSecond) throw refuseField('REQUEST_INVALID', field, 'is there more than once');
  if (!isFile) throw refuseField('REQUEST_INVALID', field, 'is a field without a file name, not a file');
  if (!PLAIN_ENCODINGS.includes(transferEncoding?.toLowerCase()))
    throw refuseField('REQUEST_INVALID', field, 'has a content-transfer-encoding');
};

// The parser gives a part that is cut an error of its own, before the reason for which the part is destroyed.
const stagePart = async ({ content, mediaType, expectedBytes }: Part, blobs: BlobStore, tenantIdentity: string) => {
  try {
    return await blobs.stage(tenantIdentity, content, mediaType, expectedBytes);
  } catch (error) {
    throw error instanceof LedgerError ? error : (content.errored ?? error);
  }
};

const stageParts = async (
  parts: AsyncIterable<Part>,
  blobs: BlobStore,
  tenantIdentity: string,
): Promise<StagedFile | undefined> => {
  let staged: StagedFile | undefined;
  try {
    for await (const part of parts) {
      assertFile(part, staged !== undefined);
      staged = await stagePart(part, blobs, tenantIdentity);
    }
    return staged;
  } catch (error) {
    if (staged !== undefined) await blobs.discard(staged);
    throw error;
  }
};

const assertContent = (staged: StagedFile | undefined): StagedFile => {
  if (staged === undefined) throw refuseField('REQUEST_INVALID', 'file', 'is missing');
  if (staged.size === 0) throw refuseField('BLOB_EMPTY', 'file', 'has no bytes');
  return staged;
};

const readLength = ({ headers }: Request): number | undefined => {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
};

interface Upload {
  readonly request: Request;
  readonly response: Response;
  /** Tenant of the client. */
  readonly tenantIdentity: string;
  /** The text that separates the parts. */
  readonly boundary: string;
}

interface Watched extends Upload {
  /** Aborts with REQUEST_TIMEOUT when the client sends nothing, or too slowly. */
  readonly signal: AbortSignal;
}

type UploadLimits = Pick<ServerLimits, 'blobBytesMax' | 'uploadPace'>;

/** Receives one file and runs a task with it. */
export type ReceiveUpload = (upload: Upload, task: (file: StagedFile) => Promise<void>) => Promise<void>;

/**
 * Receives one file and runs a task with it. A file that the task didn't keep is deleted. Rejects with REQUEST_INVALID,
 * REQUEST_TOO_LARGE or BLOB_EMPTY that names the part, with REQUEST_TIMEOUT when the request emits `timeout` or another
 * upload gets its slot, with UPLOADS_BUSY, or as `BlobStore.stage` does.
 */
export const createReceiveUpload = (blobs: BlobStore, limits: UploadLimits): ReceiveUpload => {
  const { blobBytesMax: bytesMax, uploadPace } = limits;
  const bodyBytesMax = bytesMax + OVERHEAD_BYTES_MAX;
  const drainedBytesMax = Math.max(bytesMax, DRAINED_BYTES);
  const slots = createUploadSlots(UPLOADS_MAX);

  const refuseLate = async ({ request, response, signal }: Watched, error: unknown): Promise<never> => {
    const isComplete = !signal.aborted && (await drain(request, drainedBytesMax, signal));
    if (!isComplete) response.set('connection', 'close');
    throw error;
  };

  const assertFits = ({ request, response }: Upload): void => {
    if ((readLength(request) ?? 0) <= bodyBytesMax + drainedBytesMax) return;
    response.set('connection', 'close');
    throw refuseTooLarge(bytesMax);
  };

  const readToEnd = async (upload: Watched): Promise<void> => {
    const { request, signal } = upload;
    if (await drain(request, bodyBytesMax, signal)) return;
    const tooLarge = refuseField('REQUEST_TOO_LARGE', 'body', 'continues after its last boundary');
    await refuseLate(upload, signal.aborted ? signal.reason : tooLarge);
  };

  const receive = async (upload: Watched, task: (file: StagedFile) => Promise<void>): Promise<void> => {
    const { request, boundary, signal } = upload;
    const parts = readParts(request, { boundary, size: readLength(request) }, bodyBytesMax, signal);
    const staged = await stageParts(parts, blobs, upload.tenantIdentity).catch((error: unknown) =>
      refuseLate(upload, error),
    );
    try {
      await readToEnd(upload);
      await task(assertContent(staged));
    } finally {
      if (staged !== undefined) await blobs.discard(staged);
    }
  };

  return async (upload, task) => {
    assertFits(upload);
    const { request, tenantIdentity } = upload;
    const ending = new AbortController();
    const end = (): void => ending.abort(new LedgerError('REQUEST_TIMEOUT'));
    const occupant = { tenantIdentity, readSlowPace: createReadSlowPace(request, uploadPace), end };
    request.on('timeout', end);
    try {
      await slots.occupy(occupant, () => receive({ ...upload, signal: ending.signal }, task));
    } finally {
      request.off('timeout', end);
    }
  };
};
