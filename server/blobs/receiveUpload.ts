// An upload on its way in: a multipart body with exactly one part `file`, written to disk while it comes. A refusal waits for the rest of
// the body, so that a client who is still sending gets to see it.

import { finished, type Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { refuseField } from '../../ledger/errors.ts';
import type { BlobStore, StagedFile } from './blobStore.ts';
import { refuseTooLarge } from './contentFiles.ts';
import { type Part, readParts } from './multipart.ts';
import { createUploadSlots } from './uploadSlots.ts';

/** Uploads under way at once, each with an open file: in all, and of one tenant. */
const UPLOADS_MAX = { max: 256, tenantMax: 64 };
/** What a body may have besides the file: boundaries and headers. */
const OVERHEAD_BYTES_MAX = 65_536;
/** How much of a body that is refused is read and thrown away, at least. */
const DRAINED_BYTES_MIN = 16 * 1024 * 1024;

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

const stageParts = async (parts: AsyncIterable<Part>, blobs: BlobStore): Promise<StagedFile | undefined> => {
  let staged: StagedFile | undefined;
  try {
    for await (const part of parts) {
      assertFile(part, staged !== undefined);
      staged = await blobs.stage(part.content, part.mediaType);
    }
    return staged;
  } catch (error) {
    if (staged !== undefined) await blobs.discard(staged);
    throw error;
  }
};

// Reads on to the end and throws away what comes. Tells whether the body came to its end.
const drain = (body: Readable, bytesMax: number): Promise<boolean> =>
  new Promise((resolve) => {
    let bytes = 0;
    const settle = (isWhole: boolean): void => {
      stopWatching();
      body.off('data', count).pause();
      resolve(isWhole);
    };
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (bytes > bytesMax) settle(false);
    };
    const stopWatching = finished(body, { writable: false }, (error) => settle(!error));
    body.on('data', count).resume();
  });

const assertContent = (staged: StagedFile | undefined): StagedFile => {
  if (staged === undefined) throw refuseField('REQUEST_INVALID', 'file', 'is missing');
  if (staged.size === 0) throw refuseField('BLOB_EMPTY', 'file', 'has no bytes');
  return staged;
};

interface Upload {
  readonly request: Request;
  readonly response: Response;
  /** Whose upload it is. */
  readonly tenantIdentity: string;
  /** What separates the parts. */
  readonly boundary: string;
}

export type ReceiveUpload = (upload: Upload, task: (file: StagedFile) => Promise<void>) => Promise<void>;

/**
 * Receives one file and has something done with it; nothing of it stays behind that the task didn't keep. Rejects with REQUEST_INVALID,
 * REQUEST_TOO_LARGE or BLOB_EMPTY that names the part, with UPLOADS_BUSY, or with STORAGE_FULL.
 */
export const createReceiveUpload = (blobs: BlobStore, bytesMax: number): ReceiveUpload => {
  const bodyBytesMax = bytesMax + OVERHEAD_BYTES_MAX;
  const drainedBytesMax = Math.max(bytesMax, DRAINED_BYTES_MIN);
  const slots = createUploadSlots(UPLOADS_MAX);

  const refuseLate = async ({ request, response }: Upload, error: unknown): Promise<never> => {
    const isWhole = await drain(request, drainedBytesMax);
    if (!isWhole) response.set('connection', 'close');
    throw error;
  };

  const assertFits = ({ request, response }: Upload): void => {
    if (!(Number(request.headers['content-length']) > bodyBytesMax + drainedBytesMax)) return;
    response.set('connection', 'close');
    throw refuseTooLarge(bytesMax);
  };

  const receive = async (upload: Upload, task: (file: StagedFile) => Promise<void>): Promise<void> => {
    const parts = readParts(upload.request, upload.boundary, bodyBytesMax);
    const staged = await stageParts(parts, blobs).catch((error: unknown) => refuseLate(upload, error));
    try {
      const isWhole = await drain(upload.request, bodyBytesMax);
      if (!isWhole)
        await refuseLate(upload, refuseField('REQUEST_TOO_LARGE', 'body', 'goes on after its last boundary'));
      await task(assertContent(staged));
    } finally {
      if (staged !== undefined) await blobs.discard(staged);
    }
  };

  return async (upload, task) => {
    assertFits(upload);
    await slots.occupy(upload.tenantIdentity, () => receive(upload, task));
  };
};
