// The index as a plain map: one log after the other, by the projection alone, with reads that must have been named before.
import type { RecordLog } from '../../chain/port.ts';
import { decodeLog, project, readsFor } from '../../indexer/projection.ts';
import type { Row, Write } from '../../indexer/rows.ts';

const toName = (key: Uint8Array): string => Buffer.from(key).toString('hex');

export interface IndexModel {
  /** Projects a log and applies the writes; gives the writes. */
  take(log: RecordLog): Write[];
  read(key: Uint8Array): Row | undefined;
  /** Every row, by the hexadecimal text of its key, in key order. */
  rows(): [string, Row][];
}

export const createIndexModel = (): IndexModel => {
  const rows = new Map<string, Row>();
  const apply = ({ key, value }: Write): void => {
    if (value === undefined) rows.delete(toName(key));
    else rows.set(toName(key), value);
  };
  return {
    take: (log) => {
      const decoded = decodeLog(log);
      if (decoded === undefined) return [];
      const named = new Set(readsFor(decoded).map(toName));
      const writes = project(decoded, (key) => {
        if (!named.has(toName(key))) throw new Error(`${toName(key)} is read and was not named`);
        return rows.get(toName(key));
      });
      writes.forEach(apply);
      return writes;
    },
    read: (key) => rows.get(toName(key)),
    rows: () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
};
