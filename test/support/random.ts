// Pseudorandom numbers, equal for equal seeds.

/** Park and Miller's generator: numbers from 0 to 1. */
export const createRandom = (seed: number): (() => number) => {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};
