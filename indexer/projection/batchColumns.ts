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
import { createByTenant, getOrCreate } from './byTenant.ts';
import type { ColumnsChange, ReadRow } from './changes.ts';

const COLUMNS: readonly Column[] = [...TIMES, 'asset'];

interface OpenPage {
  readonly key: Buffer;
  readonly values: number[];
}

interface OpenZone {
  readonly key: Buffer;
  zone: Zone | undefined;
}

/** Creates an empty set of changes to columns and zones, on top of the stored rows. */
export const createColumnChanges = (readStored: ReadRow) => {
  const readBytes = (key: Buffer) => readStored(key) as Uint8Array | undefined;
  const openPage = (tenantKey: Uint8Array, column: Column, page: number): OpenPage => {
    const key = keys.columnKey(tenantKey, column, page);
    const row = readBytes(key);
    return { key, values: row === undefined ? [] : [...decodeColumnPage(row, column)] };
  };
  const openZone = (tenantKey: Uint8Array, chunk: number): OpenZone => {
    const key = keys.zoneKey(tenantKey, chunk);
    const row = readBytes(key);
    return { key, zone: row && decodeZone(row) };
  };
  const tenants = createByTenant((tenantKey) => ({
    tenantKey,
    columns: COLUMNS.map((column) => ({
      column,
      pageEvents: columnPageEvents(column),
      pages: new Map<number, OpenPage>(),
    })),
    zones: new Map<number, OpenZone>(),
  }));
  return {
    add: ({ tenantKey, number, columns: values }: ColumnsChange): void => {
      const { columns, zones } = tenants.get(tenantKey);
      for (const { column, pageEvents, pages } of columns) {
        const at = Math.floor(number / pageEvents);
        getOrCreate(pages, at, () => openPage(tenantKey, column, at)).values.push(values[column]);
      }
      const chunk = toChunk(number);
      const opened = getOrCreate(zones, chunk, () => openZone(tenantKey, chunk));
      opened.zone = widenZone(opened.zone, values);
    },
    addWrites: (writes: Write[]): void => {
      for (const { columns, zones } of tenants.all()) {
        for (const { column, pages } of columns) {
          for (const { key, values } of pages.values()) writes.push({ key, value: encodeColumnPage(values, column) });
        }
        for (const { key, zone } of zones.values()) writes.push({ key, value: encodeZone(zone!) });
      }
    },
  };
};
