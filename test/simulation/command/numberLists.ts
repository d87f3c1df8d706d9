// Lists of positions as the command line has them: `0-3,7`, or `none`.

const NONE = 'none';
const RANGE = /^(\d{1,5})(?:-(\d{1,5}))?$/;

const parseRange = (text: string): number[] => {
  const [, first, last = first] = RANGE.exec(text.trim()) ?? [];
  if (first === undefined) throw new Error(`'${text}' is neither a position nor a range of positions such as 0-3`);
  const count = Number(last) - Number(first) + 1;
  if (count < 1) throw new Error(`the range '${text}' descends`);
  return Array.from({ length: count }, (_, at) => Number(first) + at);
};

/**
 * The positions of a list, in ascending order.
 * @throws Error that names the part that can't be read, a range that descends, or a position that is listed twice.
 */
export const parseNumbers = (text: string): number[] => {
  if (text === NONE) return [];
  const numbers = text
    .split(',')
    .flatMap(parseRange)
    .sort((a, b) => a - b);
  const duplicate = numbers.find((number, at) => number === numbers[at + 1]);
  if (duplicate !== undefined) throw new Error(`the position ${duplicate} is listed twice`);
  return numbers;
};

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
