// Measures how fast a request arrives, or its response is read, to find clients that keep a connection busy with very
// few bytes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PaceLimits } from '../limits.ts';
import { isAwaited } from './bodyPace.ts';

/** `working`: the client waits for the server. */
type Phase = 'receiving' | 'working' | 'sending';

/** The measurement of one request and its response. */
export interface ExchangePace {
  /**
   * Measures the pace when a window has passed. To be called at shorter intervals than a window, with monotonic
   * milliseconds.
   */
  measure(nowMs: number): void;
  /**
   * Bytes per second in the last window if the client is slow; otherwise undefined. A response is slow if nothing was
   * sent.
   */
  findSlowPace(): number | undefined;
  /** Milliseconds since bytes of the response were last sent; 0 when no response is being sent. */
  toUnreadMs(nowMs: number): number;
}

// A response may begin before its request is complete; then the server may wait for its reader before it reads on.
// Bytes that the server hasn't read otherwise are its own delay.
const toPhase = (request: IncomingMessage, response: ServerResponse): Phase => {
  if (response.writableLength > 0) return 'sending';
  return isAwaited(request) ? 'receiving' : 'working';
};

const BYTES: Readonly<Record<Phase, (socket: IncomingMessage['socket']) => number>> = {
  receiving: ({ bytesRead }) => bytesRead,
  working: () => 0,
  sending: ({ bytesWritten, writableLength }) => bytesWritten - writableLength,
};

/** Starts to measure a request that is dispatched at `beganAtMs`, and its response. */
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
