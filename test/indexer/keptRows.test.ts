import { expect } from 'chai';
import { createKeptRows, type StoredRow } from '../../indexer/keptRows.ts';
import * as keys from '../../indexer/keys.ts';
import type { Row } from '../../indexer/rows/rows.ts';

const TENANT = new Uint8Array(32);
const keyOf = (number: number): Buffer => keys.postingKey(TENANT, 'list', number);

describe('rows in memory', () => {
  const openOver = (stored: ReadonlyMap<string, Row>) => {
    const kept = createKeptRows();
    const readFrom: string[] = [];
    const readStored = (key: Buffer): StoredRow => {
      readFrom.push(keys.toKeyName(key));
      const row = stored.get(keys.toKeyName(key));
      return { row, bytes: row instanceof Uint8Array ? row.length : 0 };
    };
    return { ...kept, read: (key: Buffer) => kept.read(keys.toKeyName(key), key, readStored), readFrom };
  };
  const nameOf = (number: number): string => keys.toKeyName(keyOf(number));

  it('are read from LevelDB once, also if there is none', () => {
    const kept = openOver(new Map([[nameOf(1), 7]]));
    expect([kept.read(keyOf(1)), kept.read(keyOf(2)), kept.read(keyOf(1)), kept.read(keyOf(2))]).to.deep.equal([
      7,
      undefined,
      7,
      undefined,
    ]);
    expect(kept.readFrom).to.deep.equal([nameOf(1), nameOf(2)]);
  });

  it('are replaced by what is written, also by a deletion and in place of none', () => {
    const kept = openOver(new Map([[nameOf(1), 7]]));
    for (const number of [1, 2]) kept.read(keyOf(number));
    kept.replace(nameOf(1), { row: undefined, bytes: 0 });
    kept.replace(nameOf(2), { row: 8, bytes: 5 });
    expect([kept.read(keyOf(1)), kept.read(keyOf(2))]).to.deep.equal([undefined, 8]);
  });

  it('are not kept because they are written', () => {
    const kept = openOver(new Map([[nameOf(1), 7]]));
    kept.replace(nameOf(1), { row: 7, bytes: 5 });
    expect([kept.read(keyOf(1)), kept.readFrom.length]).to.deep.equal([7, 1]);
  });

  it('have at most 8 MiB', () => {
    const row = new Uint8Array(64 * 1024);
    const stored = new Map(Array.from({ length: 300 }, (_, number) => [nameOf(number), row]));
    const kept = openOver(stored);
    for (let number = 0; number < 300; number += 1) kept.read(keyOf(number));
    kept.read(keyOf(299));
    expect(kept.readFrom.length).to.equal(300);
    kept.read(keyOf(0));
    expect(kept.readFrom.length).to.equal(301);
  });

  it('are forgotten when they are cleared', () => {
    const kept = openOver(new Map([[nameOf(1), 7]]));
    kept.read(keyOf(1));
    kept.clear();
    kept.read(keyOf(1));
    expect(kept.readFrom.length).to.equal(2);
  });
});
