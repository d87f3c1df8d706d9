/** When the events of an open loop arrive: at a fixed rate, whatever the answers. Times are of `performance.now`. */
export interface Arrivals {
  /** How many events have arrived at this time. */
  count(nowMs: number): number;
  /** When the event with this number arrives, from 0. */
  toMs(event: number): number;
}

/** Begins with an event at `beganMs`. */
export const createArrivals = (perSecond: number, beganMs: number): Arrivals => ({
  count: (nowMs) => Math.floor(((nowMs - beganMs) * perSecond) / 1000) + 1,
  toMs: (event) => beganMs + (event * 1000) / perSecond,
});
