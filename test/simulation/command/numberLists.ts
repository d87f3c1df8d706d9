// Lists of positions as the command line has them: `0-3,7`, or `none`.

const NONE = 'none';
const RANGE = /^(\d+)(?:-(\d+))?$/;

const parseRange = (text: string): number[] => {
  const [, first, last = first] = RANGE.exec(text.trim()) ?? [];
  if (first === undefined) throw new Error(`'${text}' is neither a position nor a range of positions such as 0-3`);
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
};

/**
 * The positions of a list.
 * @throws Error that names the part that can't be read.
 */
export const parseNumbers = (text: string): number[] => (text === NONE ? [] : text.split(',').flatMap(parseRange));

/** The list of positions, which are in ascending order; consecutive ones are a range. */
export const formatNumbers = (numbers: readonly number[]): string => {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range?.[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  if (ranges.length === 0) return NONE;
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
};
