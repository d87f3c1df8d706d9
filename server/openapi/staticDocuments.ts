// Documents that are the same for everybody: encoded once, so that a request for one costs no more than writing it.
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { Response } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';

interface Variant {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** Strong: another encoding is another tag (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

/** A document in each encoding that makes it smaller, the preferred first; the last one is the document itself. */
export interface StaticDocument {
  /** Extension that the content type follows from: `json`, `js`, ... */
  readonly type: string;
  readonly variants: readonly Variant[];
}

/** Higher levels take seconds for megabytes, and save 10 % at most. */
const BROTLI_QUALITY = 5;

const ENCODERS: readonly (readonly [Encoding, (content: Buffer) => Buffer])[] = [
  ['br', (content) => brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })],
  ['gzip', (content) => gzipSync(content)],
];

const toVariant = (encoding: Encoding, bytes: Buffer): Variant => ({
  encoding,
  bytes,
  etag: `"${createHash('sha256').update(encoding).update(bytes).digest('base64url')}"`,
});

/** Encodes a document. */
export const createStaticDocument = (type: string, content: string | Buffer): StaticDocument => {
  const bytes = Buffer.from(content);
  const encoded = ENCODERS.map(([encoding, encode]) => toVariant(encoding, encode(bytes)));
  const smaller = encoded.filter((variant) => variant.bytes.length < bytes.length);
  return { type, variants: [...smaller, toVariant('identity', bytes)] };
};

const chooseVariant = ({ req }: Response, { variants }: StaticDocument): Variant =>
  variants.find(({ encoding }) => encoding !== 'identity' && req.acceptsEncodings(encoding)) ?? variants.at(-1)!;

/** Sends the document in the best encoding that the client accepts, or 304 if the client has it. */
export const sendDocument = (response: Response, document: StaticDocument): void => {
  const { encoding, bytes, etag } = chooseVariant(response, document);
  response.set({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  if (response.req.fresh) {
    response.status(304).end();
    return;
  }
  if (encoding !== 'identity') response.set('content-encoding', encoding);
  response.type(document.type).set('content-length', String(bytes.length)).end(bytes);
};
