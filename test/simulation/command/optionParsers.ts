// Values of the options of commands that run seeds.
import { type Command, InvalidArgumentError } from 'commander';

/** New seeds are below. */
const NEW_SEEDS = 1_000_000_007;

/**
 * A parser of whole numbers from 1 to a maximum.
 * It throws InvalidArgumentError at any other text.
 */
export const createCountParser =
  (max: number) =>
  (text: string): number => {
    const number = Number(text);
    if (number >= 1 && number <= max && Number.isInteger(number)) return number;
    throw new InvalidArgumentError(`It is a whole number from 1 to ${max}.`);
  };

/** The parser of seeds and of their numbers, which are exact. */
export const parseCount = createCountParser(Number.MAX_SAFE_INTEGER);

/** A seed that is another one each time. */
export const toNewSeed = (): number => 1 + (Date.now() % (NEW_SEEDS - 1));

/** Ends the command with an error when the last of the seeds is no exact number. Without a first one, they are new. */
export const refuseInexactSeeds = (program: Command, count: number, first: number = NEW_SEEDS): void => {
  if (first > Number.MAX_SAFE_INTEGER - (count - 1))
    program.error(`error: the last seed is above ${Number.MAX_SAFE_INTEGER}: choose a smaller --seed or --seeds`);
};
