// The events as they are committed. The stream is read by `fetch`, which can send a token in a header, and continues
// after a break where it ended.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { sleep } from '../state/sleep.ts';
import type { LedgerEvent } from './client.ts';
import { fetchInSession, isExpired, token } from './session.ts';

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 15_000;

/** What a stream calls. */
export interface StreamListener {
  readonly onEvent: (event: LedgerEvent) => void;
  /** Called when the stream is connected, and when it is interrupted. */
  readonly onConnected: (isConnected: boolean) => void;
}

const open = async (path: string, lastId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
  const authorization = `Bearer ${token.value ?? ''}`;
  const headers = { authorization, ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
  const { status, body } = await fetchInSession(new Request(path, { headers, signal }));
  if (status !== 200 || body === null) throw new Error(`the stream is answered ${status}`);
  return body;
};

/**
 * Follows the events of a path of the interface until `signal` is aborted or the session has expired. Doesn't reject.
 */
export const followEvents = async (path: string, signal: AbortSignal, listener: StreamListener): Promise<void> => {
  let lastId = '';
  let pauseMs = FIRST_PAUSE_MS;
  const read = async (): Promise<void> => {
    const body = await open(path, lastId, signal);
    listener.onConnected(true);
    pauseMs = FIRST_PAUSE_MS;
    // The types of the DOM allow its decoder more kinds of bytes than a body has.
    const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
    const messages = body.pipeThrough(decoder).pipeThrough(new EventSourceParserStream()).getReader();
    for (let next = await messages.read(); !next.done; next = await messages.read()) {
      const { id, data } = next.value;
      if (data !== '') listener.onEvent(JSON.parse(data) as LedgerEvent);
      if (id !== undefined) lastId = id;
    }
  };
  while (!signal.aborted) {
    // However the stream ended, the next attempt tells whether it can go on.
    await read().catch(() => undefined);
    if (signal.aborted) return;
    listener.onConnected(false);
    if (isExpired.value) return;
    await sleep(pauseMs, signal);
    pauseMs = Math.min(PAUSE_MAX_MS, 2 * pauseMs);
  }
};
