// Faults that last for some time.
import { theWorld } from '../world/world.ts';
import type { Fault } from './plan.ts';

/** Begins what a fault does, and ends it after `durationMs`. */
export const during = ({ durationMs }: Fault, begin: () => void, end: () => void): void => {
  begin();
  theWorld().schedule(Number(durationMs), end);
};
