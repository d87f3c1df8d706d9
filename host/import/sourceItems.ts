// Reads what another ledger exported, or what its API answered: JSON texts with assets, events, locations, policies and
// files. Only where they are is kept in memory, so a file may be larger than that, and its items in any order.
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { createItemRows, type ItemKind } from './itemRows.ts';
import { findItems, type ItemFile, type ItemRange } from './jsonItems.ts';
import { type SourceItem, type SourceRecord, toSourceItem } from './sourceItem.ts';
import { parseSourceText } from './sourceText.ts';

/** A file whose items can be read several times. */
export interface Source {
  /** The items of these kinds, events in the order of their acceptance. */
  readonly readItems: (...kinds: ItemKind[]) => Iterable<SourceRecord>;
  /** What the events of an asset need that its creation does not say. */
  readonly needsOf: (assetIdentity: string) => AssetNeeds;
  readonly close: () => void;
}

/** What the file shows of an asset besides its creation. */
export interface AssetNeeds {
  /** The behaviours of its events. */
  readonly behaviours: ReadonlySet<string>;
  /** Behaviours of the asset as it is listed; undefined where it is not. */
  readonly listed: readonly string[] | undefined;
  /** Whether events attach files to it. */
  readonly isAttached: boolean;
}

type Needs = { behaviours: Set<string>; listed: readonly string[] | undefined; isAttached: boolean };

/** Bytes of one item; a server accepts less. */
const ITEM_BYTES_MAX = 16 * 2 ** 20;
const NO_NEEDS: AssetNeeds = { behaviours: new Set(), listed: undefined, isAttached: false };

const openFile = (path: string): ItemFile & { readonly close: () => void } => {
  // Opening a pipe would wait for its writer.
  if (!statSync(path).isFile()) throw new Error(`${path} is no regular file; an import reads its file several times`);
  const file = openSync(path, 'r');
  return {
    size: fstatSync(file).size,
    read: (from, to) => {
      const bytes = Buffer.allocUnsafe(to - from);
      const length = readSync(file, bytes, 0, bytes.length, from);
      if (length < bytes.length) throw new Error(`${path} became shorter while it was read`);
      return bytes;
    },
    close: () => closeSync(file),
  };
};

const readItem = (file: ItemFile, { from, to, line }: ItemRange): SourceItem => {
  if (to - from > ITEM_BYTES_MAX) return { kind: 'refusal', line, reason: `is larger than ${ITEM_BYTES_MAX} bytes` };
  const { value, refusal } = parseSourceText(file.read(from, to));
  return refusal === undefined ? toSourceItem(line, value) : { kind: 'refusal', line, reason: refusal };
};

const toTexts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

const addNeeds = (needs: Map<string, Needs>, { kind, assetIdentity, value }: SourceRecord): void => {
  if (kind !== 'event' && kind !== 'asset') return;
  const known = needs.get(assetIdentity) ?? { behaviours: new Set(), listed: undefined, isAttached: false };
  needs.set(assetIdentity, known);
  if (kind === 'asset') known.listed = toTexts(value.behaviours);
  else if (typeof value.behaviour === 'string') known.behaviours.add(value.behaviour);
  known.isAttached ||= kind === 'event' && value.operation === 'Attach';
};

const UTF_16 = ['fffe', 'feff'];
const MARK = 'efbbbf';

const assertEncoding = (path: string, file: ItemFile): void => {
  const start = file.read(0, Math.min(file.size, 2)).toString('hex');
  if (UTF_16.includes(start)) throw new Error(`${path} is in UTF-16; save it in UTF-8`);
};

const isMarkAlone = (file: ItemFile): boolean => file.size === 3 && file.read(0, 3).toString('hex') === MARK;

type Refuse = (line: number, reason: string) => void;

// What a text has is final when it ends: until then, refusals wait.
const indexItems = async (file: ItemFile, refuse: Refuse) => {
  const rows = createItemRows();
  const needs = new Map<string, Needs>();
  let complete = 0;
  let refusals: Parameters<Refuse>[] = [];
  const onTextEnd = (): void => {
    for (const refusal of refusals) refuse(...refusal);
    refusals = [];
    complete = rows.count();
  };
  await findItems(file, {
    onItem: (range) => {
      const item = readItem(file, range);
      if (item.kind === 'refusal') return void refusals.push([item.line, item.reason]);
      addNeeds(needs, item);
      rows.add(range, item);
    },
    onRefusal: (...refusal) => void refusals.push(refusal),
    onListBegin: rows.beginList,
    onListEnd: rows.endList,
    count: rows.count,
    keepFirst: rows.keepFirst,
    onTextEnd,
    onTextFailed: (...failure) => {
      rows.keepFirst(complete);
      rows.abandonLists();
      refusals = [];
      refuse(...failure);
    },
  });
  rows.end();
  return { rows, needs };
};

/**
 * Opens a file, and refuses what in it is no item: objects, arrays of them, and lists (`{"events": [...]}` and those of
 * assets, locations, policies and files), which may follow each other, on one line or on several.
 * @throws Error when the file can't be read, isn't a regular file or is in UTF-16.
 */
export const openSource = async (path: string, refuse: Refuse): Promise<Source> => {
  const file = openFile(path);
  try {
    assertEncoding(path, file);
    if (isMarkAlone(file)) refuse(1, 'has a byte order mark and nothing else');
    const { rows, needs } = await indexItems(file, refuse);
    return {
      readItems: function* (...kinds) {
        for (const range of rows.inOrder(...kinds)) {
          const item = readItem(file, range);
          if (item.kind === 'refusal') throw new Error(`${path} was changed while it was read`);
          yield item;
        }
      },
      needsOf: (assetIdentity) => needs.get(assetIdentity) ?? NO_NEEDS,
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
};
