// `fetch` of the simulated network of the run.
import type { SimulatedFetch } from '../network/simulatedFetch.ts';

let current: SimulatedFetch | undefined;

/** Sets the network that `fetch` reaches from now on; undefined: none. */
export const setFetch = (fetch: SimulatedFetch | undefined): void => {
  current = fetch;
};

/** Stands in for the global `fetch`. */
export const simulatedFetch: SimulatedFetch = (url, init) => {
  if (current === undefined) throw new TypeError(`fetch failed: there is no network for ${url}`);
  return current(url, init);
};
