// Reads what another ledger exported: lines of events, or the lists of events and assets that its API answers with.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { splitLines } from '../../server/lines/splitLines.ts';
import { toOrderOfAcceptance } from './listedEvents.ts';
import { type SourceItem, type SourceRecord, toSourceItem, toSourceRefusal } from './sourceItem.ts';
import { NOT_JSON, parseSourceText, type SourceText } from './sourceText.ts';

/** A file of which the items can be read several times. */
export interface Source {
  readonly readItems: () => AsyncIterable<SourceItem>;
}

/** A JSON text, and the line on which it begins. */
interface Document extends SourceText {
  readonly line: number;
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

const TOO_LARGE: SourceText = { value: undefined, refusal: `is larger than ${LISTS_BYTES_MAX} bytes` };

async function* readLines(path: string): AsyncGenerator<Document> {
  for await (const group of splitLines(createReadStream(path), LINE_LIMITS, async () => {}))
    for (const { number, bytes } of group)
      yield { line: number, ...(bytes === undefined ? TOO_LARGE : parseSourceText(bytes)) };
}

const readFirstLine = async (path: string): Promise<Document | undefined> => {
  for await (const document of readLines(path)) return document;
  return undefined;
};

const isList = (value: unknown): boolean =>
  Array.isArray(value) || (isJsonObject(value) && LISTS.some((name) => Array.isArray(value[name])));

// Scalars describe the list, such as the token of its next page.
const toMemberItems = (line: number, name: string, value: unknown): SourceItem[] => {
  const isImported = (LISTS as readonly string[]).includes(name);
  const isScalar = typeof value !== 'object' || value === null;
  if (isImported && Array.isArray(value)) return value.map((item) => toSourceItem(line, item));
  if (isImported ? value === null : isScalar || (Array.isArray(value) && value.length === 0)) return [];
  return [toSourceRefusal(line, `its member ${JSON.stringify(name)} is ${isImported ? 'no list' : 'not imported'}`)];
};

const toListItems = ({ line, value, refusal }: Document): SourceItem[] => {
  if (refusal !== undefined) return [toSourceRefusal(line, refusal)];
  if (!isList(value)) return [toSourceRefusal(line, 'is no list of events or assets')];
  if (Array.isArray(value)) return value.map((item) => toSourceItem(line, item));
  return Object.entries(value as object).flatMap(([name, member]) => toMemberItems(line, name, member));
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
    for await (const { line, value, refusal } of readLines(path))
      yield refusal === undefined ? toSourceItem(line, value) : toSourceRefusal(line, refusal);
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
  if (bytes > LISTS_BYTES_MAX) return undefined;
  const { value, refusal } = parseSourceText(await readFile(path));
  if (refusal === NOT_JSON) return undefined;
  return toLists([{ line: 1, value: isList(value) ? value : [value], ...(refusal === undefined ? {} : { refusal }) }]);
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
  if (first === undefined || first.value !== undefined) return toLines(path);
  return (await readDocument(path, file.size)) ?? toLines(path);
};
