// A signal that aborts with the first of several. `AbortSignal.any` leaves something at each of them; at a signal that
// lives as long as the server, it would become more with every wait.

/** A joined signal. Disposed, it no longer follows the others. */
export interface JoinedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/** A signal that aborts with the first of these, and with its reason. Undefined ones never abort. */
export const joinSignals = (...signals: readonly (AbortSignal | undefined)[]): JoinedSignal => {
  const followed = signals.filter((signal) => signal !== undefined);
  if (followed.length === 1) return { signal: followed[0]!, [Symbol.dispose]: () => undefined };
  const own = new AbortController();
  const leave = (): void => {
    for (const signal of followed) signal.removeEventListener('abort', end);
  };
  function end(this: AbortSignal): void {
    leave();
    own.abort(this.reason);
  }
  const aborted = followed.find((signal) => signal.aborted);
  if (aborted === undefined) for (const signal of followed) signal.addEventListener('abort', end);
  else own.abort(aborted.reason);
  return { signal: own.signal, [Symbol.dispose]: leave };
};
