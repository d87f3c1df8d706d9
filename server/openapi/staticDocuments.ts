// Documents that are the same for every client. They are compressed once, so that a request costs no more than sending
// the bytes.
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { Response } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';

interface Variant {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** A strong tag, so each encoding has its own (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

/** A document in each encoding that shortens it, the preferred one first; the last variant is the document itself. */
export interface StaticDocument {
  /** File name extension that determines the content type: `json`, `js`, ... */
  readonly type: string;
  readonly variants: readonly Variant[];
}

/** Higher levels need seconds for a megabyte and save at most another 10 %. */
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

/** Compresses a document in every encoding. */
export const createStaticDocument = (type: string, content: string | Buffer): StaticDocument => {
  const bytes = Buffer.from(content);
  const encoded = ENCODERS.map(([encoding, encode]) => toVariant(encoding, encode(bytes)));
  const smaller = encoded.filter((variant) => variant.bytes.length < bytes.length);
  return { type, variants: [...smaller, toVariant('identity', bytes)] };
};

const chooseVariant = ({ req }: Response, { variants }: StaticDocument): Variant =>
  variants.find(({ encoding }) => encoding !== 'identity' && req.acceptsEncodings(encoding)) ?? variants.at(-1)!;

/** Sends the document in the best encoding that the client accepts, or 304 when the client has that variant. */
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
