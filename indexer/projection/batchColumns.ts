// The pages of columns and the zones that a batch appends to; each is decoded once.

import * as keys from '../keys.ts';
import { toChunk } from '../rows/bits.ts';
import {
  type Column,
  columnPageEvents,
  decodeColumnPage,
  decodeZone,
  encodeColumnPage,
  encodeZone,
  TIMES,
  widenZone,
  type Zone,
} from '../rows/columns.ts';
import type { Write } from '../rows/rows.ts';
import type { ColumnsChange, ReadRow } from './changes.ts';

const COLUMNS: readonly Column[] = [...TIMES, 'asset'];

// Values by key, each opened at its first use.
const createOpened = <T>(open: (key: Buffer) => T) => {
  const opened = new Map<string, { key: Buffer; value: T }>();
  return {
    get: (key: Buffer) => {
      const name = keys.toKeyName(key);
      const known = opened.get(name) ?? { key, value: open(key) };
      opened.set(name, known);
      return known;
    },
    all: () => [...opened.values()],
  };
};

/** Creates an empty set of changes to columns and zones, on top of the stored rows. */
export const createColumnChanges = (readStored: ReadRow) => {
  const openPage = (column: Column) => (key: Buffer) => {
    const row = readStored(key) as Uint8Array | undefined;
    return { column, values: row === undefined ? [] : [...decodeColumnPage(row, column)] };
  };
  const openZone = (key: Buffer): Zone | undefined => {
    const row = readStored(key) as Uint8Array | undefined;
    return row && decodeZone(row);
  };
  const pages = COLUMNS.map((column) => ({ column, opened: createOpened(openPage(column)) }));
  const zones = createOpened(openZone);
  return {
    add: ({ tenantKey, number, columns }: ColumnsChange): void => {
      for (const { column, opened } of pages) {
        const page = opened.get(keys.columnKey(tenantKey, column, Math.floor(number / columnPageEvents(column))));
        page.value.values.push(columns[column]);
      }
      const zone = zones.get(keys.zoneKey(tenantKey, toChunk(number)));
      zone.value = widenZone(zone.value, columns);
    },
    toWrites: (): Write[] => [
      ...pages
        .flatMap(({ opened }) => opened.all())
        .map(({ key, value }) => ({ key, value: encodeColumnPage(value.values, value.column) })),
      ...zones.all().map(({ key, value }) => ({ key, value: encodeZone(value!) })),
    ],
  };
};
