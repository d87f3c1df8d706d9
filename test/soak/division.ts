// How the time of a soak test is divided: first runs that are killed, then one long run, which shows what a run loses.

// A server that is killed every minute shows nothing but its warm-up, so the long run has the larger share.
const KILLING_SHARE = 0.4;
// So many minutes are a kill at each of 15 to 20 moments; more add little, and the long run decides sooner.
const KILLING_MINUTES_MAX = 20;

/** The minutes with kills, at the beginning of a soak test of so many minutes. */
export const toKillingMinutes = (minutes: number): number => Math.min(KILLING_SHARE * minutes, KILLING_MINUTES_MAX);

/** The minutes of the shortest soak test whose long run has so many minutes: the inverse of the division. */
export const toMinutesForLongRun = (longRunMinutes: number): number =>
  Math.min(longRunMinutes / (1 - KILLING_SHARE), longRunMinutes + KILLING_MINUTES_MAX);
