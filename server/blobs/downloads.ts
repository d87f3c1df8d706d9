// Sends the content of a blob, complete or in part: the headers that a handler chooses, and the file that Express
// sends. The bytes are untrusted, so the headers keep a browser from running them or guessing their type.
import type { Request, Response } from 'express';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import type { BlobStore, ContentPlace } from './blobStore.ts';
import { parseMimeType, UNKNOWN_TYPE } from './mimeType.ts';

/** A file that is sent to a client. */
export interface FileAnswer extends ContentPlace {
  readonly headers: Readonly<Record<string, string>>;
}

/** Parameters of a download. */
export interface DownloadQuery {
  readonly allow_insecure?: boolean;
  readonly strict?: boolean;
}

// No scanner exists yet: a client that requires a scan is refused, even if it also allows insecure files.
const assertServed = ({ scanned_status }: BlobResource, { strict }: DownloadQuery): void => {
  if (strict === true && scanned_status === 'NOT_SCANNED') throw new LedgerError('BLOB_NOT_SCANNED');
};

/**
 * Asserts that this server has a file for a blob of another tenant, whose servers may keep their files to themselves.
 * Rejects with BLOB_ELSEWHERE, which names the hash.
 */
export const assertHere = async (blobs: Pick<BlobStore, 'has'>, { tenantid, hash }: BlobResource): Promise<void> => {
  if (await blobs.has({ tenantIdentity: tenantid, sha256: hash.value })) return;
  throw refuseField('BLOB_ELSEWHERE', 'hash', `${hash.alg} ${hash.value}`);
};

/**
 * Prepares the content of a blob for download.
 * Rejects with BLOB_NOT_SCANNED, or with BLOB_DAMAGED when the file is missing or has other bytes.
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

const toRefusal = (response: Response, file: FileAnswer, error: SendError): unknown => {
  if (!response.headersSent) {
    for (const name of [...Object.keys(file.headers), 'accept-ranges']) response.removeHeader(name);
    response.set(error.headers ?? {});
  }
  return error.status === 416
    ? new LedgerError('RANGE_NOT_SATISFIABLE', { cause: error })
    : new Error(`${file.path}: ${error.message}`, { cause: error });
};

const isMatch = (condition: string, etag: string | undefined): boolean =>
  condition.trim() === '*' || condition.split(',').some((tag) => tag.trim() === etag);

// Express treats weak tags as strong ones, and times that can't be compared as different. Therefore it gets
// `If-None-Match` and `Range` alone, and the other conditions are evaluated here.
const evaluatePreconditions = (request: Request, etag: string | undefined): void => {
  const { headers } = request;
  const [ifMatch, ifRange] = [request.get('if-match'), request.get('if-range')];
  if (ifMatch !== undefined && !isMatch(ifMatch, etag)) throw new LedgerError('PRECONDITION_FAILED');
  if (ifRange !== undefined && ifRange.trim() !== etag) delete headers.range;
  for (const name of ['if-match', 'if-range', 'if-unmodified-since', 'if-modified-since']) delete headers[name];
  // `no-cache` makes caches revalidate, and the answer may be 304; Express would send the bytes again.
  delete headers['cache-control'];
};

/**
 * Sends a file by the request's conditions and range. Rejects with PRECONDITION_FAILED or RANGE_NOT_SATISFIABLE. A
 * client that disconnects is not an error.
 */
export const sendFile = (response: Response, file: FileAnswer): Promise<void> =>
  new Promise((resolve, reject) => {
    const { root, path, headers } = file;
    evaluatePreconditions(response.req, headers.etag);
    response.sendFile(path, { root, headers, cacheControl: false, lastModified: false }, (error?: SendError) => {
      if (error === undefined || error.code === 'ECONNABORTED') resolve();
      else reject(toRefusal(response, file, error));
    });
  });
