// Reads what another ledger exported: lines of events, or the lists of events and assets that its API answers with.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { splitLines } from '../../server/lines/splitLines.ts';
import { toOrderOfAcceptance } from './listedEvents.ts';
import { type SourceItem, type SourceRecord, type SourceRefusal, toSourceItem } from './sourceItem.ts';

/** A file of which the items can be read several times. */
export interface Source {
  readonly readItems: () => AsyncIterable<SourceItem>;
}

/** One JSON text; undefined: the text isn't JSON. */
interface Document {
  readonly line: number;
  readonly value: unknown;
}

/** Lists are kept in memory, because an API lists the newest events first. */
const LISTS_BYTES_MAX = 256 * 2 ** 20;
const LINE_LIMITS = {
  linesMax: Number.POSITIVE_INFINITY,
  lineBytesMax: LISTS_BYTES_MAX,
  groupLinesMax: 200,
  groupBytesMax: 2 ** 20,
};
const LISTS = ['assets', 'events'] as const;

// It removes a byte order mark.
const decoder = new TextDecoder('utf-8', { fatal: true });

const parse = (bytes: Uint8Array | undefined): unknown => {
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
};

async function* readLines(path: string): AsyncGenerator<Document> {
  for await (const group of splitLines(createReadStream(path), LINE_LIMITS, async () => {}))
    for (const { number, bytes } of group) yield { line: number, value: parse(bytes) };
}

const readFirstLine = async (path: string): Promise<Document | undefined> => {
  for await (const document of readLines(path)) return document;
  return undefined;
};

const isList = (value: unknown): boolean =>
  Array.isArray(value) || (isJsonObject(value) && LISTS.some((name) => Array.isArray(value[name])));

const toListItems = ({ line, value }: Document): SourceItem[] => {
  const refuse = (reason: string): SourceRefusal => ({ kind: 'refusal', line, reason });
  if (!isList(value)) return [refuse('is no list of events or assets')];
  if (Array.isArray(value)) return value.map((item) => toSourceItem(line, item));
  const isImported = (name: string): boolean => (LISTS as readonly string[]).includes(name);
  return Object.entries(value as object).flatMap(([name, items]): SourceItem[] => {
    if (isImported(name) && Array.isArray(items)) return items.map((item) => toSourceItem(line, item));
    return Array.isArray(items) && items.length > 0 ? [refuse(`its list ${JSON.stringify(name)} is not imported`)] : [];
  });
};

const isEvent = (item: SourceItem): item is SourceRecord => item.kind === 'event' || item.kind === 'creation';

const toLists = (documents: readonly Document[]): Source => {
  const lists = documents.map(toListItems);
  const others = lists.flatMap((list) => list.filter((item) => !isEvent(item)));
  const items = [...others, ...toOrderOfAcceptance(lists.map((list) => list.filter(isEvent)))];
  return {
    readItems: async function* () {
      yield* items;
    },
  };
};

const toLines = (path: string): Source => ({
  readItems: async function* () {
    for await (const { line, value } of readLines(path)) yield toSourceItem(line, value);
  },
});

const readLists = async (path: string, bytes: number): Promise<Source> => {
  if (bytes > LISTS_BYTES_MAX) throw new Error(`${path} has lists of ${bytes} bytes; the limit is ${LISTS_BYTES_MAX}`);
  const documents: Document[] = [];
  for await (const document of readLines(path)) documents.push(document);
  return toLists(documents);
};

// A JSON text of several lines, as a program may format it.
const readDocument = async (path: string, bytes: number): Promise<Source | undefined> => {
  const value = bytes > LISTS_BYTES_MAX ? undefined : parse(await readFile(path));
  if (value === undefined) return undefined;
  return toLists([{ line: 1, value: isList(value) ? value : [value] }]);
};

/**
 * Opens a file. Its items are, of lines, in the order of the lines; of lists (`{"events": [...]}`, `{"assets": [...]}`
 * or an array, one document or one on each line) the events in the order of their acceptance.
 * Rejects when the file can't be read or isn't a regular file, or has lists of more than 256 MiB.
 */
export const openSource = async (path: string): Promise<Source> => {
  const file = await stat(path);
  if (!file.isFile()) throw new Error(`${path} is no regular file; an import reads its file several times`);
  const first = await readFirstLine(path);
  if (isList(first?.value)) return readLists(path, file.size);
  return (first?.value === undefined ? await readDocument(path, file.size) : undefined) ?? toLines(path);
};
