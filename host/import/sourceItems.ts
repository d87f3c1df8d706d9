// Reads what another ledger exported: lines of events, or the lists of events and assets that its API answers with.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A JSON object of a file, and the line on which it, or the list that has it, begins. */
export interface SourceItem {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Lists are read at once, because they are newest first. */
const LISTS_BYTES_MAX = 256 * 2 ** 20;

const isObject = (value: unknown): value is SourceItem['value'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A line that has a value other than an object, or none, has an empty object: it is refused where it is used. */
async function* readLines(path: string): AsyncGenerator<SourceItem> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    const value = parse(text);
    yield { line, value: isObject(value) ? value : {} };
  }
}

const isList = ({ events, assets }: SourceItem['value']): boolean => Array.isArray(events) || Array.isArray(assets);

const readFirst = async (path: string): Promise<SourceItem | undefined> => {
  for await (const item of readLines(path)) return item;
  return undefined;
};

const readDocuments = async (path: string): Promise<SourceItem[]> => {
  const { size } = await stat(path);
  if (size > LISTS_BYTES_MAX) throw new Error(`${path} has lists of ${size} bytes; the limit is ${LISTS_BYTES_MAX}`);
  const value = parse(await readFile(path, 'utf8'));
  if (isObject(value)) return [{ line: 1, value }];
  const documents: SourceItem[] = [];
  for await (const item of readLines(path)) documents.push(item);
  return documents;
};

const itemsOf = (documents: readonly SourceItem[], name: 'assets' | 'events'): SourceItem[] =>
  documents.flatMap(({ line, value }) =>
    Array.isArray(value[name]) ? value[name].map((item: unknown) => ({ line, value: isObject(item) ? item : {} })) : [],
  );

const toTime = ({ value }: SourceItem): number => Date.parse(String(value.timestamp_accepted));

// Pages of a list are newest first; events of one time keep the order of the list, oldest first.
const byTime = (events: SourceItem[]): SourceItem[] => {
  const isNewestFirst = events.length > 1 && toTime(events[0]!) > toTime(events.at(-1)!);
  return (isNewestFirst ? events.toReversed() : events).sort((a, b) => toTime(a) - toTime(b));
};

/**
 * The objects of a file: of lines in the order of the lines; of lists (`{"events": [...]}`, `{"assets": [...]}`, one
 * document or one on each line) first the assets, then the events by the time of their acceptance.
 * Rejects when the file can't be read, or has lists of more than 256 MiB.
 */
export async function* readSourceItems(path: string): AsyncGenerator<SourceItem> {
  const first = await readFirst(path);
  const isLines = first !== undefined && Object.keys(first.value).length > 0 && !isList(first.value);
  if (isLines) {
    yield* readLines(path);
    return;
  }
  const documents = await readDocuments(path);
  yield* itemsOf(documents, 'assets');
  yield* byTime(itemsOf(documents, 'events'));
}
