// Times of records that are later than the machine's clock, because that was ahead when they were accepted, and that an
// operator has accepted as such: `clock.json` in the data directory has each acceptance.
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { readText } from '../../chain/blockLog/logFiles.ts';
import { isTimestamp, toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { dataPaths } from '../files/dataPaths.ts';

/** One acceptance; both times in ISO 8601. */
interface Acceptance {
  /** What the clock showed. */
  readonly accepted_at: string;
  /** The newest time that was written until then. */
  readonly newest: string;
}

const FILE = 'clock.json';

const isAcceptance = (value: unknown): value is Acceptance => {
  const { accepted_at, newest } = (value ?? {}) as Partial<Acceptance>;
  return isTimestamp(String(accepted_at)) && isTimestamp(String(newest));
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const parse = (path: string, text: string): Acceptance[] => {
  const found = parseJson(text);
  if (Array.isArray(found) && found.every(isAcceptance)) return found;
  throw new Error(`${path} is damaged; remove it, and accept the times again: npm run clock -- accept`);
};

const readAll = async (dataDir: string): Promise<Acceptance[]> => {
  const path = dataPaths(dataDir).clock;
  const text = await readText(path);
  return text === undefined ? [] : parse(path, text);
};

/**
 * The newest written time that was accepted, in milliseconds since 1970; minus infinity when none was.
 * @throws Error when the file is damaged.
 */
export const readAcceptedMs = async (dataDir: string): Promise<number> =>
  Math.max(Number.NEGATIVE_INFINITY, ...(await readAll(dataDir)).map(({ newest }) => Date.parse(newest)));

/** Writes down, durably, that what was written up to `newestMs` is accepted while the clock shows `nowMs`. */
export const writeAcceptance = async (
  dataDir: string,
  { nowMs, newestMs }: { readonly nowMs: number; readonly newestMs: number },
): Promise<void> => {
  const acceptance: Acceptance = { accepted_at: toTimestamp(nowMs), newest: toTimestamp(newestMs) };
  const all = [...(await readAll(dataDir)), acceptance];
  const files = createDurableFiles(dataDir);
  await files.write(FILE, `${JSON.stringify(all, undefined, 2)}\n`);
  await files.syncNames();
};
