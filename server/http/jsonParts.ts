// Answers with JSON that is encoded already, without copying it. Pages of long lists have a megabyte: the memory of
// each is freed as soon as the system has its bytes. V8 would free it at its next collection of all garbage, which a
// few dozen such pages make necessary, and during which the event loop stands.
import type { Response } from 'express';
import type { Steps } from '../../ledger/compliance/steps.ts';
import { encodeTextInSteps } from './steppedJson.ts';

/** A smaller buffer may be a part of memory that it shares with others. */
const FREED_BYTES_MIN = 65_536;

const free = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength >= FREED_BYTES_MIN && byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
};

/** A longer text is encoded in slices; in characters. */
const TEXT_AT_ONCE_MAX = 2 ** 17;

const sendParts = (response: Response, parts: readonly Uint8Array[]): void => {
  const { req: request } = response;
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
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

/**
 * Sends a body in parts, which nobody may use afterwards. A request for a changed document only (RFC 9110 section 13)
 * is answered by Express.
 */
export const sendJsonParts = (response: Response, parts: readonly Uint8Array[]): void => {
  response.type('json');
  sendParts(response, parts);
};

/** Sends a text, of the content type that the answer has. `run` encodes a long one in slices. */
export const sendText = async (
  response: Response,
  text: string,
  run: (steps: Steps<Buffer[]>) => Promise<Buffer[]>,
): Promise<void> => {
  if (text.length <= TEXT_AT_ONCE_MAX) return void response.send(text);
  const parts = await run(encodeTextInSteps(text));
  // As `send` names the encoding of a text.
  response.setHeader('content-type', `${response.get('content-type')}; charset=utf-8`);
  sendParts(response, parts);
};
