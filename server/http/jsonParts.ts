// Answers with JSON that is encoded already, without copying it. Pages of long lists have a megabyte: the memory of
// each is freed as soon as the system has its bytes. V8 would free it at its next collection of all garbage, which a
// few dozen such pages make necessary, and during which the event loop stands.
import type { Response } from 'express';

/** A smaller buffer may be a part of memory that it shares with others. */
const FREED_BYTES_MIN = 65_536;

const free = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength >= FREED_BYTES_MIN && byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
};

/**
 * Sends a body in parts, which nobody may use afterwards. A request for a changed document only (RFC 9110 section 13)
 * is answered by Express.
 */
export const sendJsonParts = (response: Response, parts: readonly Uint8Array[]): void => {
  const { req: request } = response;
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
  response.type('json');
  if (known !== undefined || since !== undefined) return void response.send(Buffer.concat(parts));
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  response.setHeader('content-length', bytes);
  if (request.method === 'HEAD') return void response.end();
  response.cork();
  // The write of a part calls back when the system has its bytes, or never gets them. `finish` may be earlier where the
  // connection is closed.
  for (const part of parts) response.write(part, () => free(part));
  response.end();
};
