// docs/index-format.md draws the rows that one event writes. Its bytes must be those that the code stores.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { LAYOUT_VERSION } from '../../../indexer/keys.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord } from '../../support/records.ts';
import { type StoredRow, writeAndReadStored } from '../../support/storedRows.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/index-format.md', import.meta.url)), 'utf8');

// The tenant and the asset that the page starts from, and the event that it draws.
const BEFORE = [{ record: aTenantRecord(ALPHA) }, { record: aCreation({ asset_attributes: { colour: 'red' } }) }];
const EVENT = anEvent({
  event_attributes: { arc_display_type: 'Oiling', arc_correlation_value: 'job 7' },
  asset_attributes: { colour: 'blue' },
});

interface DrawnField {
  readonly offset: number;
  readonly hex: string;
}

// A field's line: its offset, its bytes in hexadecimal, and its meaning. A longer field continues on lines with their
// own offsets.
const toField = (line: string): DrawnField | undefined => {
  const [, offset, hex] = /^ *(\d+) {2}((?:[0-9a-f]{2})+)(?: |$)/.exec(line) ?? [];
  return offset === undefined ? undefined : { offset: Number(offset), hex: hex! };
};

const toBytes = (title: string, lines: readonly string[]): string =>
  lines.reduce((hex, line) => {
    const field = toField(line);
    if (field === undefined) throw new Error(`${title}: not a field: ${line}`);
    expect(field.offset, `${title}: offset of ${line}`).to.equal(hex.length / 2);
    return hex + field.hex;
  }, '');

// A block: the line `key`, its fields, the line `value`, its fields.
const toRow = (block: string): StoredRow => {
  const lines = block.trim().split('\n');
  const valueAt = lines.indexOf('value');
  return [toBytes('key', lines.slice(1, valueAt)), toBytes('value', lines.slice(valueAt + 1))];
};

// A block: the line `deleted key`, and its fields.
const toKeyBytes = (block: string): string => toBytes('key', block.trim().split('\n').slice(1));

const blocksOf = (header: string): string[] =>
  [...PAGE.matchAll(/^```text\n([^`]*)```$/gm)]
    .map(([, block]) => block!)
    .filter((block) => block.startsWith(`${header}\n`));

describe('docs/index-format.md', () => {
  const makeDirectory = useDirectories();

  it('draws exactly the rows that the event writes, byte by byte', async () => {
    const directory = await makeDirectory();
    const before = new Map(await writeAndReadStored(directory, BEFORE, 1));
    const after = await writeAndReadStored(directory, [{ record: EVENT }], BEFORE.length + 1);
    const written = after.filter(([key, value]) => before.get(key) !== value);
    const deleted = [...before.keys()].filter((key) => !after.some(([kept]) => kept === key));
    expect(new Map(blocksOf('key').map(toRow))).to.deep.equal(new Map(written));
    expect(blocksOf('deleted key').map(toKeyBytes)).to.deep.equal(deleted);
  });

  it('names the layout of the code', () => {
    expect(PAGE).to.include(`layout version ${LAYOUT_VERSION}`);
  });
});
