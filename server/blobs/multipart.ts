// Parses a multipart body while it is received (RFC 7578, RFC 2046). At most a few chunks are in memory: a slow reader
// of a part slows the client down. Uses Busboy's parser, Dicer, because Busboy itself skips malformed parts without an
// event, accepts a file that its own boundary cuts, and reports neither the parameters of a part's content type nor
// that it is missing.
import { EventEmitter, on } from 'node:events';
import { finished, type Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';

/** One part of a body. */
export interface Part {
  readonly name: string | undefined;
  /** Whether it has a file name, and so is a file. The name itself is ignored. */
  readonly isFile: boolean;
  readonly mediaType: string | undefined;
  readonly transferEncoding: string | undefined;
  /** Bytes that its content probably has if it is the body's only part; undefined when the body's size is unknown. */
  readonly expectedBytes: number | undefined;
  /** Must be read to its end before the next part. */
  readonly content: Readable;
}

/** A body as the headers of its request describe it. */
export interface Form {
  /** The text that separates its parts. */
  readonly boundary: string;
  /** Its bytes; undefined when the request doesn't declare them. */
  readonly size: number | undefined;
}

const HEADER_LIMITS = { maxHeaderPairs: 50, maxHeaderSize: 16_384 };
const BOUNDARY =
  /;[ \t]*boundary=(?:"([0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-])"|([0-9A-Za-z'+_.-]{1,70})[ \t]*(?:;|$))/i;
const PARAMETER = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

type Headers = Readonly<Record<string, readonly string[]>>;

/** The boundary in a `Content-Type`; undefined when there is none that RFC 2046 allows. */
export const parseBoundary = (contentType: string): string | undefined => {
  const match = BOUNDARY.exec(contentType);
  return match?.[1] ?? match?.[2];
};

// The parser returns each byte of a header as one character.
const decodeUtf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

// Bytes around the content of a single part, as clients write them: first boundary, headers, last boundary.
const countOverhead = (headers: Headers, boundary: string): number => {
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`));
  return `--${boundary}\r\n${lines.join('')}\r\n\r\n--${boundary}--\r\n`.length;
};

const toPart = (headers: Headers, content: Readable, { boundary, size }: Form): Part => {
  const disposition = headers['content-disposition']?.[0] ?? '';
  const parameters = new Map(
    [...disposition.matchAll(PARAMETER)].map(([, name, quoted, bare]) => [name!.toLowerCase(), quoted ?? bare ?? '']),
  );
  const name = /^form-data\s*(;|$)/i.test(disposition) ? parameters.get('name') : undefined;
  return {
    name: name === undefined ? undefined : decodeUtf8(name),
    isFile: parameters.has('filename') || parameters.has('filename*'),
    mediaType: headers['content-type']?.[0],
    transferEncoding: headers['content-transfer-encoding']?.[0],
    expectedBytes: size === undefined ? undefined : Math.max(0, size - countOverhead(headers, boundary)),
    content,
  };
};

const refuseBody = (code: LedgerErrorCode, description: string, cause?: unknown): LedgerError =>
  new LedgerError(code, {
    message: `body: ${description}`,
    violations: [{ field: 'body', description }],
    cause,
  });

/**
 * Yields the parts of a body, one after the other. When iteration ends, early or not, the body is paused; bytes after
 * the last boundary are still unread.
 * Throws the reason of `signal` when that aborts, REQUEST_INVALID that names `body` when the body breaks off, has no
 * last boundary or a part without headers, REQUEST_TOO_LARGE when it has more than `bytesMax` in all.
 */
export const readParts = async function* (
  body: Readable,
  form: Form,
  bytesMax: number,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const parser = new Dicer({ boundary: form.boundary, ...HEADER_LIMITS });
  // An error may be emitted after the iteration has ended.
  const found = new EventEmitter().on('error', () => undefined);
  let current: Readable | undefined;
  const fail = (error: LedgerError): void => {
    current?.destroy(error);
    found.emit('error', error);
  };
  // Counts boundaries without headers: a file that contains its own boundary has one, say.
  let headless = 0;
  parser.on('part', (content) => {
    headless += 1;
    // An error of a part is an error of the body, which the parser emits as well.
    content.on('error', () => undefined);
    content.once('header', (headers) => {
      headless -= 1;
      current = content;
      found.emit('part', toPart(headers as Headers, content, form));
    });
  });
  parser.on('error', (cause) => fail(refuseBody('REQUEST_INVALID', 'ends before its last boundary', cause)));
  parser.once('finish', () => {
    if (headless > 0) fail(refuseBody('REQUEST_INVALID', 'has a boundary that no headers follow'));
    else found.emit('end');
  });
  const parts = on(found, 'part', { close: ['end'] });
  let bytes = 0;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > bytesMax) fail(refuseBody('REQUEST_TOO_LARGE', `has more than ${bytesMax} bytes`));
  };
  const stopWatching = finished(body, { writable: false }, (cause) => {
    if (cause) fail(refuseBody('REQUEST_INVALID', 'breaks off', cause));
  });
  const abort = (): void => fail(signal.reason as LedgerError);
  signal.addEventListener('abort', abort);
  body.on('data', count).pipe(parser);
  try {
    for await (const [part] of parts) yield part as Part;
  } finally {
    stopWatching();
    signal.removeEventListener('abort', abort);
    body.off('data', count).unpipe(parser).pause();
  }
};
