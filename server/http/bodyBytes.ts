// Reads the bytes of a request's body, within a limit.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { DRAINED_BYTES } from './drain.ts';

/** The refusal of a request whose client is gone: nobody reads it, and nothing reports it. */
export const refuseDisconnected = (cause?: unknown): LedgerError =>
  new LedgerError('REQUEST_INVALID', { message: 'the client disconnected', cause });

/** The refusal of a body, or of one line of it, over its limit of bytes. */
export const refuseLarge = (bytesMax: number): LedgerError =>
  refuseField('REQUEST_TOO_LARGE', 'body', `is larger than ${bytesMax} bytes`);

const ENCODING = 'content-encoding';

/**
 * Asserts that a body is not compressed: its size on arrival is what its limits are about.
 * @throws LedgerError MEDIA_TYPE_UNSUPPORTED that names the header.
 */
export const assertUncompressed = ({ [ENCODING]: encoding }: IncomingHttpHeaders): void => {
  if (!encoding || encoding.toLowerCase() === 'identity') return;
  throw refuseField(
    'MEDIA_TYPE_UNSUPPORTED',
    ENCODING,
    'is not supported, except for identity: send the body uncompressed',
  );
};

/** The header that names the supported encodings, with the refusal of one (RFC 9110 section 12.5.3). */
export const toAcceptEncoding = ({ code, violations }: LedgerError): Readonly<Record<string, string>> =>
  code === 'MEDIA_TYPE_UNSUPPORTED' && violations.some(({ field }) => field === ENCODING)
    ? { 'accept-encoding': 'identity' }
    : {};

const receive = (request: IncomingMessage, bytesMax: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const refuse = (cause?: unknown): void => reject(new LedgerError('REQUEST_INVALID', { cause }));
    // Its events have been emitted.
    if (request.destroyed) refuse();
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.once('end', () => {
      if (bytes > bytesMax) reject(refuseLarge(bytesMax));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    // The client disconnected, unless the body is complete. Each error costs a stack trace.
    request.once('error', refuse);
    request.once('close', () => request.readableEnded || refuse());
  });

/**
 * The bytes of a body; none where there is no body. Rejects with MEDIA_TYPE_UNSUPPORTED for a body with a content
 * encoding, with REQUEST_TOO_LARGE for one of more than `bytesMax` bytes, and with REQUEST_INVALID when the client
 * disconnects before its end. `onRefusedAtOnce` is called when a body is refused that is still being sent.
 */
export const readBytes = async (
  request: IncomingMessage,
  { bytesMax, onRefusedAtOnce }: { bytesMax: number; onRefusedAtOnce: () => void },
): Promise<Buffer> => {
  const { 'content-length': length } = request.headers;
  // A smaller body over the limit is read to its end before it is refused: see drain.ts.
  if (Number(length) > Math.max(bytesMax, DRAINED_BYTES)) {
    onRefusedAtOnce();
    throw refuseLarge(bytesMax);
  }
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
  assertUncompressed(request.headers);
  return receive(request, bytesMax);
};
