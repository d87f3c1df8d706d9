// The content of a blob as an answer: what a handler says of it, and how Express sends it, whole or in part. The bytes are whatever somebody
// uploaded, so a browser must neither run nor guess anything.
import type { Response } from 'express';
import { LedgerError } from '../../ledger/errors.ts';
import type { BlobResource } from '../../ledger/resources.ts';
import type { BlobStore, ContentPlace } from './blobStore.ts';
import { parseMimeType, UNKNOWN_TYPE } from './mimeType.ts';

/** A file for the client. */
export interface FileAnswer extends ContentPlace {
  readonly headers: Readonly<Record<string, string>>;
}

/** Parameters of a download. */
export interface DownloadQuery {
  readonly allow_insecure?: string;
  readonly strict?: string;
}

// Nothing scans blobs yet: a client that insists on it gets nothing, whether or not it also allows what is insecure.
const assertServed = ({ scanned_status }: BlobResource, { strict }: DownloadQuery): void => {
  const isStrict = strict?.toLowerCase() === 'true';
  if (isStrict && scanned_status === 'NOT_SCANNED') throw new LedgerError('BLOB_NOT_SCANNED');
};

/**
 * The content of a blob as the answer to a download.
 * Rejects with BLOB_NOT_SCANNED, or with an error that names the file when it isn't there.
 */
export const toDownload = async (blobs: BlobStore, blob: BlobResource, query: DownloadQuery): Promise<FileAnswer> => {
  assertServed(blob, query);
  const sha256 = blob.hash.value;
  const place = await blobs.locate({ tenantIdentity: blob.tenantid, sha256 }, blob.size);
  const headers = {
    'content-type': parseMimeType(blob.mime_type) ?? UNKNOWN_TYPE,
    'content-disposition': 'attachment',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache',
    etag: `"${sha256}"`,
  };
  return { ...place, headers };
};

interface SendError extends Error {
  readonly code?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const REFUSALS: Readonly<Record<number, 'PRECONDITION_FAILED' | 'RANGE_NOT_SATISFIABLE'>> = {
  412: 'PRECONDITION_FAILED',
  416: 'RANGE_NOT_SATISFIABLE',
};

const toRefusal = (response: Response, file: FileAnswer, error: SendError): unknown => {
  const code = REFUSALS[error.status ?? 0];
  if (!response.headersSent) {
    for (const name of [...Object.keys(file.headers), 'accept-ranges']) response.removeHeader(name);
    response.set(error.headers ?? {});
  }
  return code === undefined
    ? new Error(`${file.path}: ${error.message}`, { cause: error })
    : new LedgerError(code, { cause: error });
};

/**
 * Sends a file, as the request's conditions and range ask. Rejects with PRECONDITION_FAILED or RANGE_NOT_SATISFIABLE; a client that goes
 * away is no error.
 */
export const sendFile = (response: Response, file: FileAnswer): Promise<void> =>
  new Promise((resolve, reject) => {
    const { root, path, headers } = file;
    // `no-cache` tells caches to ask the server, and so asks for 304; Express' helper would take it for a wish to have the bytes again.
    delete response.req.headers['cache-control'];
    response.sendFile(path, { root, headers, cacheControl: false, lastModified: false }, (error?: SendError) => {
      if (error === undefined || error.code === 'ECONNABORTED') resolve();
      else reject(toRefusal(response, file, error));
    });
  });
