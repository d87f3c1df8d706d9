// Documents that are the same for every client. Unless a build has compressed it, the first request for a document
// does, in another thread: compressing all of them would delay each start by half a second. Any other request costs no
// more than sending the bytes.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Response } from 'express';

type Compression = 'br' | 'gzip';
type Encoding = Compression | 'identity';

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
  /** The answer's Cache-Control; `no-cache` where it is left out. */
  readonly cacheControl?: string | undefined;
  readVariants(): Promise<readonly Variant[]>;
}

/** Higher levels need seconds for a megabyte and save at most another 10 %. */
const BROTLI_QUALITY = 5;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const ENCODERS: readonly (readonly [Compression, (content: Buffer) => Promise<Buffer>])[] = [
  ['br', (content) => toBrotli(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })],
  ['gzip', (content) => toGzip(content)],
];

const toVariant = (encoding: Encoding, bytes: Buffer): Variant => ({
  encoding,
  bytes,
  etag: `"${createHash('sha256').update(encoding).update(bytes).digest('base64url')}"`,
});

const keepSmaller = (encoded: readonly Variant[], bytes: Buffer): readonly Variant[] => [
  ...encoded.filter((variant) => variant.bytes.length < bytes.length),
  toVariant('identity', bytes),
];

const createVariants = async (bytes: Buffer): Promise<readonly Variant[]> => {
  const encoded = await Promise.all(ENCODERS.map(async ([name, encode]) => toVariant(name, await encode(bytes))));
  return keepSmaller(encoded, bytes);
};

/** A document that is compressed in every encoding when it is first sent. */
export const createStaticDocument = (type: string, content: string | Buffer): StaticDocument => {
  let variants: Promise<readonly Variant[]> | undefined;
  return {
    type,
    readVariants: () => {
      variants ??= createVariants(Buffer.from(content));
      return variants;
    },
  };
};

/** A document of which compressed forms exist already; undefined: none in that encoding. */
export const createCompressedDocument = (
  type: string,
  { identity, ...encoded }: Readonly<Record<Compression, Buffer | undefined>> & { readonly identity: Buffer },
  cacheControl?: string,
): StaticDocument => {
  const compressed = ENCODERS.flatMap(([name]) => {
    const bytes = encoded[name];
    return bytes === undefined ? [] : [toVariant(name, bytes)];
  });
  const variants = keepSmaller(compressed, identity);
  return { type, cacheControl, readVariants: async () => variants };
};

const chooseVariant = ({ req }: Response, variants: readonly Variant[]): Variant =>
  variants.find(({ encoding }) => encoding !== 'identity' && req.acceptsEncodings(encoding)) ?? variants.at(-1)!;

/** Sends the document in the best encoding that the client accepts, or 304 when the client has that variant. */
export const sendDocument = async (response: Response, document: StaticDocument): Promise<void> => {
  const { encoding, bytes, etag } = chooseVariant(response, await document.readVariants());
  response.set({ etag, vary: 'accept-encoding', 'cache-control': document.cacheControl ?? 'no-cache' });
  if (response.req.fresh) {
    response.status(304).end();
    return;
  }
  if (encoding !== 'identity') response.set('content-encoding', encoding);
  response.type(document.type).set('content-length', String(bytes.length)).end(bytes);
};
