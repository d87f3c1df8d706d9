// Sends an answer of lines while they are made, no faster than the client reads them.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DRAINED_BYTES, drain } from '../http/drain.ts';
import { LINES } from '../openapi/document.ts';

/** An answer of lines, complete and several in one text, or of another content that is sent while it is made. */
export interface LinesAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  /** Lines of JSON unless given. */
  readonly mediaType?: string;
  readonly lines: AsyncIterable<string | Uint8Array>;
  /** Closes the connection when it aborts. */
  readonly cut?: AbortSignal;
}

/** How long what a client still sends is read and discarded. */
const DRAIN_MS = 2_000;

const isClientGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

const endEarly = async (request: Readable, response: Response): Promise<void> => {
  const isComplete = await drain(request, DRAINED_BYTES, AbortSignal.timeout(DRAIN_MS));
  if (!isComplete) response.once('finish', () => response.req.socket.destroySoon());
};

/**
 * Sends the lines. The header is sent at once, because a client may wait for it before it sends its body. Resolves when
 * the client has disconnected, too, and when `cut` has aborted: then no further line is requested. Rejects as `lines`
 * does.
 */
export const sendLines = async (
  request: Request,
  response: Response,
  { headers, lines, mediaType = LINES, cut }: LinesAnswer,
): Promise<void> => {
  response.status(200).set({ ...headers, 'content-type': mediaType, 'cache-control': 'no-store' });
  response.flushHeaders();
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // Node closes a connection without progress itself, unless its request handles the event.
  const endUnread = (): unknown => response.writableNeedDrain && response.destroy();
  request.on('timeout', endUnread);
  cut?.addEventListener('abort', () => response.destroy());
  try {
    await pipeline(lines, response, { end: false });
  } catch (error) {
    if (isClientGone(error)) return;
    throw error;
  } finally {
    request.off('timeout', endUnread);
  }
  if (!request.complete) await endEarly(request, response);
  response.end();
};
