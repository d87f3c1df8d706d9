// Which rows of a long list are rendered. Rows are rendered in blocks, whose heights are measured once they are; the
// others have an estimated height.

/** Rows of a block. */
export const BLOCK_ROWS = 20;
/** Browsers draw no element that is much higher, in pixels; beyond it, rows that aren't rendered are lower. */
const HEIGHT_MAX = 12_000_000;
/** What is rendered beyond the visible part, in pixels. */
const MARGIN = 600;

/** The rows of a list and what is known of their heights, in pixels. */
export interface RowHeights {
  readonly count: number;
  /** Of one row. */
  readonly estimate: number;
  /** Of blocks, by their numbers. */
  readonly measured: ReadonlyMap<number, number>;
}

/** Rows that are rendered, and the heights of what is left out. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  readonly above: number;
  readonly below: number;
}

const toBlockHeight = ({ count, estimate, measured }: RowHeights, block: number): number => {
  const rows = Math.min(BLOCK_ROWS, count - block * BLOCK_ROWS);
  return measured.get(block) ?? rows * Math.min(estimate, HEIGHT_MAX / count);
};

/** The height of the rows before a row. */
export const toRowOffset = (heights: RowHeights, row: number): number => {
  const block = Math.floor(row / BLOCK_ROWS);
  let offset = 0;
  for (let each = 0; each < block; each += 1) offset += toBlockHeight(heights, each);
  const rows = Math.min(BLOCK_ROWS, heights.count - block * BLOCK_ROWS);
  return offset + (toBlockHeight(heights, block) * (row % BLOCK_ROWS)) / Math.max(1, rows);
};

/** The rows to render where a list is scrolled to `top` in a box of a height. */
export const toRowWindow = (heights: RowHeights, top: number, height: number): RowWindow => {
  const blocks = Math.ceil(heights.count / BLOCK_ROWS);
  let [first, end, above, below, offset] = [blocks, 0, 0, 0, 0];
  for (let block = 0; block < blocks; block += 1) {
    const blockHeight = toBlockHeight(heights, block);
    const isBefore = offset + blockHeight < top - MARGIN && block < blocks - 1;
    const isAfter = offset > top + height + MARGIN && block > 0;
    if (isBefore) above += blockHeight;
    else if (isAfter) below += blockHeight;
    else [first, end] = [Math.min(first, block), block + 1];
    offset += blockHeight;
  }
  return { first: first * BLOCK_ROWS, end: Math.min(heights.count, end * BLOCK_ROWS), above, below };
};
