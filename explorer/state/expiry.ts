// Notes when the token of the session expires, while a person reads and no request tells so.
import { effect } from '@preact/signals';
import { claims, isExpired, serverAheadMs } from '../api/session.ts';

/** Longest time that a browser's timer can wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

// The token ends by the clock of the server: that of a browser may be wrong by hours.
const watchToken = (expires: number, aheadMs: number): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = (): void => {
    clearTimeout(timer);
    const leftMs = expires * 1000 - Date.now() - aheadMs;
    if (leftMs <= 0) isExpired.value = true;
    else timer = setTimeout(check, Math.min(leftMs, TIMER_MS_MAX));
  };
  check();
  // Timers stand still while the machine sleeps.
  document.addEventListener('visibilitychange', check);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', check);
  };
};

/** Sets `isExpired` when the token has expired, as soon as an answer has shown the server's time. */
export const watchExpiry = (): void => {
  effect(() => {
    const expires = claims.value?.expires;
    const aheadMs = serverAheadMs.value;
    if (expires === undefined || aheadMs === undefined || isExpired.value) return;
    return watchToken(expires, aheadMs);
  });
};
