// Starts again until a start succeeds, on a network with faults and on a machine of any speed.
import type { FaultProxy } from './faultProxy.ts';

/** Attempts of one start. By the last one, faults are rare and the timeout is at its limit. */
export const ATTEMPTS_MAX = 60;
/** The longest timeout of a request. */
export const TIMEOUT_MS_MAX = 10_000;
const RATE_FACTOR = 0.9;
const TIMEOUT_FACTOR = 1.2;

/**
 * Repeats a start through a proxy until it succeeds, as an operator restarts a server. Each attempt has fewer faults
 * and a longer timeout than the one before, because a slow machine answers too late without any fault. The proxy keeps
 * the last rate and timeout. Rejects with the error of the last attempt.
 */
export const startStubbornly = async <T>(
  proxy: Pick<FaultProxy, 'rate' | 'timeoutMs'>,
  start: (timeoutMs: number) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(proxy.timeoutMs);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
      proxy.rate *= RATE_FACTOR;
      proxy.timeoutMs = Math.min(TIMEOUT_MS_MAX, Math.round(proxy.timeoutMs * TIMEOUT_FACTOR));
    }
  }
};
