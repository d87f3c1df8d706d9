// Splits the bytes of a body into lines, with bounded memory: a line over the limit is skipped to its end without being
// kept.

/** One line of a body that isn't blank. */
export interface RawLine {
  /** Counts from 1, blank lines included. */
  readonly number: number;
  /** The bytes without the newline; undefined when there are more than the limit. */
  readonly bytes: Buffer | undefined;
}

/** Bounds of the lines that are held at once. */
export interface LineLimits {
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

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => BLANKS.includes(byte));

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
    /** Ends the line; undefined when it is blank. */
    end: (): RawLine | undefined => {
      number += 1;
      const bytes = length > bytesMax ? undefined : pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      pieces = [];
      length = 0;
      return bytes !== undefined && isBlank(bytes) ? undefined : { number, bytes };
    },
  };
};

/**
 * The lines of a body as they arrive, in groups: a group ends with the bytes that have arrived, or at its limit. The
 * last line needs no newline. Rejects as `chunks` does.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { lineBytesMax, groupLinesMax, groupBytesMax }: LineLimits,
): AsyncGenerator<RawLine[]> {
  const current = createCurrentLine(lineBytesMax);
  let group: RawLine[] = [];
  let groupBytes = 0;
  const end = (): void => {
    const line = current.end();
    if (line === undefined) return;
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
      if (group.length >= groupLinesMax || groupBytes >= groupBytesMax) yield take();
    }
    if (from < chunk.length) current.add(chunk.subarray(from));
    if (group.length > 0) yield take();
  }
  if (!current.isEmpty()) end();
  if (group.length > 0) yield take();
}
