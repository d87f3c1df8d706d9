// The body of a request with one JSON value on each line, decoded line by line while it arrives.
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Request } from 'express';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import type { ServerTurns } from '../fairness/serverTurns.ts';
import { decodeJson } from '../http/bodies.ts';
import { refuseDisconnected, refuseLarge } from '../http/bodyBytes.ts';
import { createBodyCheck } from '../openapi/bodyCheck.ts';
import type { ApiDocument, ApiOperation } from '../openapi/document.ts';
import { toLineRefusal } from './lineRefusal.ts';
import { type LineLimits, type RawLine, splitLines } from './splitLines.ts';

/** One line: its value, or why it has none. */
export type Line<T> = { readonly number: number } & ({ readonly value: T } | { readonly refusal: LedgerError });

/**
 * The lines of a body in groups, in the order in which they arrive. The first line after the largest number of lines is
 * the last one, refused with REQUEST_TOO_LARGE. Rejects with REQUEST_TIMEOUT when the client sends nothing for too
 * long, with STOPPING when the server stops, and with REQUEST_INVALID when the client disconnects.
 */
export type LineGroups<T> = AsyncIterable<readonly Line<T>[]>;

/** What an operation's lines are decoded with. */
export interface LineBodyDeps extends Pick<ServerTurns, 'runBody'> {
  readonly document: ApiDocument;
  readonly limits: LineLimits;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal | undefined;
}

/** Decodes one line. */
type Decode = (line: RawLine) => Line<unknown>;

const createDecode = ({ document, limits }: LineBodyDeps, operation: ApiOperation): Decode => {
  const check = createBodyCheck(document, operation.bodySchema);
  const decode = (bytes: Buffer | undefined): unknown => {
    if (bytes === undefined) throw refuseLarge(limits.lineBytesMax);
    const value = decodeJson(bytes, operation);
    check(value);
    return value;
  };
  const refuseMore = (): LedgerError =>
    refuseField('REQUEST_TOO_LARGE', 'body', `has more than ${limits.linesMax} lines`);
  return ({ number, bytes }) => {
    if (number > limits.linesMax) return { number, refusal: refuseMore() };
    try {
      return { number, value: decode(bytes) };
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return { number, refusal: toLineRefusal(error) };
    }
  };
};

// A stream between the request and its reader, which can be ended while the connection stays open for the answer.
const openBytes = (request: Request, stopping: AbortSignal | undefined): PassThrough => {
  const bytes = new PassThrough();
  const endWith = (error: Error) => (): void => {
    request.unpipe(bytes);
    bytes.destroy(error);
  };
  const refuseSilence = endWith(new LedgerError('REQUEST_TIMEOUT'));
  const refuseBreak = endWith(refuseDisconnected());
  const stop = endWith(new LedgerError('STOPPING'));
  request.once('timeout', refuseSilence).once('error', refuseBreak);
  stopping?.addEventListener('abort', stop);
  bytes.once('close', () => {
    request.off('timeout', refuseSilence).off('error', refuseBreak);
    stopping?.removeEventListener('abort', stop);
  });
  if (stopping?.aborted) stop();
  // The client disconnected while the request waited or was authenticated: no event follows.
  if (request.destroyed) refuseBreak();
  return request.pipe(bytes);
};

// Groups that have arrived together are decoded in several turns of the event loop.
async function* readGroups(request: Request, party: string, decode: Decode, deps: LineBodyDeps) {
  const { limits, stopping, runBody } = deps;
  const bytes = openBytes(request, stopping);
  for await (const group of splitLines(bytes, limits, () => setImmediate()))
    yield await runBody(party, async () => group.map(decode));
}

/** Returns the function that reads the lines of a party's request of this operation. */
export const createReadLines = (
  deps: LineBodyDeps,
  operation: ApiOperation,
): ((request: Request, party: string) => LineGroups<unknown>) => {
  let decode: Decode | undefined;
  return (request, party) => {
    decode ??= createDecode(deps, operation);
    return readGroups(request, party, decode, deps);
  };
};
