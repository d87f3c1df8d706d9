// How far the clock of a witness may be from ours: the time of a cosignature is that of the witness, and evidence files
// prove it.

/** Beyond it the witness is reported. */
export const CLOCK_SECONDS_TOLERATED = 5 * 60;
/** Beyond it a cosignature isn't accepted. A mistaken time zone is within it. */
export const CLOCK_SECONDS_MAX = 24 * 60 * 60;

const UNITS = [
  { name: 'days', seconds: 24 * 60 * 60 },
  { name: 'hours', seconds: 60 * 60 },
  { name: 'minutes', seconds: 60 },
] as const;

const SECONDS = { name: 'seconds', seconds: 1 } as const;

/** Such as `7 minutes ahead of this server's`; `aheadSeconds` is negative for a clock that is behind. */
export const describeClock = (aheadSeconds: number): string => {
  const difference = Math.abs(aheadSeconds);
  const { name, seconds } = UNITS.find((unit) => difference >= 2 * unit.seconds) ?? SECONDS;
  return `${Math.floor(difference / seconds)} ${name} ${aheadSeconds > 0 ? 'ahead of' : 'behind'} this server's`;
};
