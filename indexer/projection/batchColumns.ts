// The pages of columns and the zones that a batch appends to; each is read once.
import * as keys from '../keys.ts';
import { toChunk } from '../rows/bits.ts';
import {
  appendToColumnPage,
  type Column,
  columnPageEvents,
  encodeZone,
  type OpenZone,
  openZone,
  TIMES,
  widenZone,
} from '../rows/columns.ts';
import type { Write } from '../rows/rows.ts';
import { createByTenant, getOrCreate } from './byTenant.ts';
import type { ColumnsChange, ReadRow } from './changes.ts';

const COLUMNS: readonly Column[] = [...TIMES, 'asset'];

interface OpenPage {
  readonly key: Buffer;
  /** The page before the batch; it must not be changed. */
  readonly stored: Uint8Array | undefined;
  /** The values of the batch's events. */
  readonly values: number[];
}

interface KeyedZone {
  readonly key: Buffer;
  readonly zone: OpenZone;
}

/** Creates an empty set of changes to columns and zones, on top of the stored rows. */
export const createColumnChanges = (readStored: ReadRow) => {
  const readBytes = (key: Buffer) => readStored(key) as Uint8Array | undefined;
  const openPage = (tenantKey: Uint8Array, column: Column, page: number): OpenPage => {
    const key = keys.columnKey(tenantKey, column, page);
    return { key, stored: readBytes(key), values: [] };
  };
  const openKeyedZone = (tenantKey: Uint8Array, chunk: number): KeyedZone => {
    const key = keys.zoneKey(tenantKey, chunk);
    return { key, zone: openZone(readBytes(key)) };
  };
  const tenants = createByTenant((tenantKey) => ({
    tenantKey,
    columns: COLUMNS.map((column) => ({
      column,
      pageEvents: columnPageEvents(column),
      pages: new Map<number, OpenPage>(),
    })),
    zones: new Map<number, KeyedZone>(),
  }));
  return {
    add: ({ tenantKey, number, columns: values }: ColumnsChange): void => {
      const { columns, zones } = tenants.get(tenantKey);
      for (const { column, pageEvents, pages } of columns) {
        const at = Math.floor(number / pageEvents);
        getOrCreate(pages, at, () => openPage(tenantKey, column, at)).values.push(values[column]);
      }
      const chunk = toChunk(number);
      widenZone(getOrCreate(zones, chunk, () => openKeyedZone(tenantKey, chunk)).zone, values);
    },
    addWrites: (writes: Write[]): void => {
      for (const { columns, zones } of tenants.all()) {
        for (const { column, pages } of columns) {
          for (const { key, stored, values } of pages.values()) {
            writes.push({ key, value: appendToColumnPage(stored, values, column) });
          }
        }
        for (const { key, zone } of zones.values()) writes.push({ key, value: encodeZone(zone) });
      }
    },
  };
};
