// Measures how fast a request comes in, or its response is read, so that a client that keeps a connection busy with very little is found.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PaceLimits } from '../limits.ts';

/** `working`: the server has something to do, and the client waits. */
type Phase = 'receiving' | 'working' | 'sending';

export interface ExchangePace {
  /** Measures the pace when a window has passed. To be called more often than that, with monotonic milliseconds. */
  measure(nowMs: number): void;
  /** Bytes per second of the slow client in the last window; undefined when the client is not slow. A response is slow if nothing was sent. */
  findSlowPace(): number | undefined;
  /** For how long nothing of a response has been sent; 0 when it is otherwise. */
  toUnreadMs(nowMs: number): number;
}

// What the server has not read yet is its own delay.
const toPhase = (request: IncomingMessage, response: ServerResponse): Phase => {
  if (!request.complete) return request.readableLength === 0 ? 'receiving' : 'working';
  return response.writableLength > 0 ? 'sending' : 'working';
};

const BYTES: Readonly<Record<Phase, (socket: IncomingMessage['socket']) => number>> = {
  receiving: ({ bytesRead }) => bytesRead,
  working: () => 0,
  sending: ({ bytesWritten, writableLength }) => bytesWritten - writableLength,
};

/** Begins to measure an exchange that is dispatched at `beganAtMs`. */
export const createExchangePace = (
  request: IncomingMessage,
  response: ServerResponse,
  { limits, beganAtMs }: { limits: PaceLimits; beganAtMs: number },
): ExchangePace => {
  const { socket } = request;
  let phase = toPhase(request, response);
  let window = { beganAtMs, bytes: BYTES[phase](socket) };
  let movedAtMs = beganAtMs;
  let pace: number | undefined;

  const measureWindow = (nowMs: number): void => {
    const bytes = BYTES[phase](socket);
    pace = ((bytes - window.bytes) / (nowMs - window.beganAtMs)) * 1000;
    if (pace > 0) movedAtMs = nowMs;
    window = { beganAtMs: nowMs, bytes };
  };

  return {
    measure: (nowMs) => {
      const next = toPhase(request, response);
      if (next !== phase) {
        phase = next;
        pace = undefined;
        movedAtMs = nowMs;
        window = { beganAtMs: nowMs, bytes: BYTES[phase](socket) };
      } else if (nowMs - window.beganAtMs >= limits.windowMs) measureWindow(nowMs);
    },
    findSlowPace: () => {
      if (pace === undefined || phase === 'working') return undefined;
      const isSlow = phase === 'receiving' ? pace < limits.bodyBytesPerSecondMin : pace === 0;
      return isSlow ? pace : undefined;
    },
    toUnreadMs: (nowMs) => (phase === 'sending' ? nowMs - movedAtMs : 0),
  };
};
