// What an import could not do, one line for each cause: a file may have thousands of lines that fail for one reason.

/** Causes that are printed, and that are counted. */
const SHOWN_MAX = 15;
const KNOWN_MAX = 1_000;
/** Lines that are named for a cause. */
const LINES_SHOWN = 3;
/** What differs between failures of one cause: identities, and texts in quotes. */
const DETAILS = /"(?:[^"\\]|\\.)*"|\b(?:\w+\/[0-9a-f]{8}-[0-9a-f-]{27}\/?)+(?:: )?/gi;

interface Cause {
  /** The first failure's. */
  readonly reason: string;
  readonly lines: number[];
  count: number;
}

const toPlace = ({ lines, count }: Cause): string => {
  const more = count - lines.length;
  if (lines.length === 0) return count === 1 ? '' : `${count} times: `;
  if (count === 1) return `line ${lines[0]}: `;
  return `lines ${lines.join(', ')}${more === 0 ? '' : ` and ${more} more`}: `;
};

/** The causes of failures. */
export const createCauses = () => {
  const causes = new Map<string, Cause>();
  let others = 0;
  return {
    /** Adds a failure, and the line that it is on; 0 for none. */
    add: (line: number, reason: string): void => {
      const key = reason.replace(DETAILS, '…');
      const known = causes.get(key);
      if (known === undefined && causes.size === KNOWN_MAX) {
        others += 1;
        return;
      }
      const cause = known ?? { reason, lines: [], count: 0 };
      causes.set(key, cause);
      cause.count += 1;
      if (line > 0 && cause.lines.length < LINES_SHOWN) cause.lines.push(line);
    },
    /** A line for each cause, the most frequent first, and one for those that have no line. */
    toLines: (): string[] => {
      const sorted = [...causes.values()].sort((a, b) => b.count - a.count);
      const rest = sorted.slice(SHOWN_MAX).reduce((sum, { count }) => sum + count, others);
      const shown = sorted.slice(0, SHOWN_MAX).map((cause) => `${toPlace(cause)}${cause.reason}`);
      return rest === 0 ? shown : [...shown, `${rest} more for other reasons: import again what is left to see them`];
    },
  };
};
