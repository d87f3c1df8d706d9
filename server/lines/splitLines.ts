// Splits the bytes of a body into lines, with bounded memory: a line over the limit is skipped to its end without being
// kept.

/** One line of a body. */
export interface RawLine {
  /** Counts from 1, blank lines included. */
  readonly number: number;
  /** The bytes without the newline; undefined when there are more than the limit. */
  readonly bytes: Buffer | undefined;
}

/** Bounds of a body of lines, and of the lines that are held at once. */
export interface LineLimits {
  /** Lines of one body, blank lines included. */
  readonly linesMax: number;
  /** Largest line in bytes, without its newline. */
  readonly lineBytesMax: number;
  /** Lines of one group. */
  readonly groupLinesMax: number;
  /** Bytes after which no further line is added to a group. */
  readonly groupBytesMax: number;
}

const NEWLINE = 0x0a;
const BLANKS: readonly number[] = [0x09, 0x0d, 0x20];
// A client may send a line in very small pieces; each needs more memory than its bytes.
const PIECES_MAX = 64;

const isBlank = ({ bytes }: RawLine): boolean => bytes?.every((byte) => BLANKS.includes(byte)) ?? false;

/** The line of which pieces arrive. */
const createCurrentLine = (bytesMax: number) => {
  let number = 0;
  let pieces: Buffer[] = [];
  let length = 0;
  return {
    isEmpty: (): boolean => length === 0,
    add: (piece: Buffer): void => {
      length += piece.length;
      if (length > bytesMax) pieces = [];
      else if (pieces.push(piece) > PIECES_MAX) pieces = [Buffer.concat(pieces)];
    },
    end: (): RawLine => {
      number += 1;
      const bytes = length > bytesMax ? undefined : pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      pieces = [];
      length = 0;
      return { number, bytes };
    },
  };
};

/**
 * The lines of a body that aren't blank, as they arrive, in groups: a group ends with the bytes that have arrived, or
 * at its limit. The first line over `linesMax` ends the last group, blank or not; nothing after it is read. The last
 * line needs no newline. Waits for `pause` after a chunk that ends no group, because its reader waits for nothing then.
 * Rejects as `chunks` does.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { linesMax, lineBytesMax, groupLinesMax, groupBytesMax }: LineLimits,
  pause: () => Promise<unknown>,
): AsyncGenerator<RawLine[]> {
  const current = createCurrentLine(lineBytesMax);
  let group: RawLine[] = [];
  let groupBytes = 0;
  let isOver = false;
  const end = (): void => {
    const line = current.end();
    isOver = line.number > linesMax;
    if (!isOver && isBlank(line)) return;
    group.push(line);
    groupBytes += line.bytes?.length ?? 0;
  };
  const take = (): RawLine[] => {
    const taken = group;
    group = [];
    groupBytes = 0;
    return taken;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      current.add(chunk.subarray(from, to));
      end();
      from = to + 1;
      if (isOver || group.length >= groupLinesMax || groupBytes >= groupBytesMax) yield take();
      if (isOver) return;
    }
    if (from < chunk.length) current.add(chunk.subarray(from));
    if (group.length > 0) yield take();
    else await pause();
  }
  if (!current.isEmpty()) end();
  if (group.length > 0) yield take();
}
