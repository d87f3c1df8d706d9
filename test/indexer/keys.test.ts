import { expect } from 'chai';
import fc from 'fast-check';
import * as keys from '../../indexer/keys.ts';
import { bytesOf } from '../support/arbitraries.ts';

const places = fc.tuple(fc.nat({ max: 2 ** 48 - 1 }), fc.nat({ max: 2 ** 32 - 1 }));
// Keys that differ in their last bit, so that ranges are neighbours.
const neighbours = bytesOf(32).chain((key) => {
  const next = Uint8Array.from(key);
  next[31] = next[31]! ^ 1;
  return fc.constantFrom(key, next, new Uint8Array(32), new Uint8Array(32).fill(0xff));
});
const lists: fc.Arbitrary<keys.ListId> = fc.oneof(
  neighbours.map(keys.eventsOfTenant),
  fc.tuple(neighbours, neighbours).map((pair) => keys.eventsOfAsset(...pair)),
  neighbours.map(keys.trackedAssets),
);

const isIn = (key: Buffer, { gte, lt, lte }: ReturnType<typeof keys.listRange>): boolean =>
  Buffer.compare(key, gte) >= 0 &&
  (lt === undefined || Buffer.compare(key, lt) < 0) &&
  (lte === undefined || Buffer.compare(key, lte) <= 0);

describe('keys of the index', () => {
  it('put positions in the order of blocks, then of logs', () => {
    const check = fc.property(places, places, (a, b) => {
      const order = a[0] === b[0] ? a[1] - b[1] : a[0] - b[0];
      expect(Math.sign(Buffer.compare(keys.toPosition(...a), keys.toPosition(...b)))).to.equal(Math.sign(order));
    });
    fc.assert(check, { numRuns: 200 });
  });

  it('give back the position of a list entry', () => {
    const check = fc.property(lists, places, (list, place) => {
      const position = keys.toPosition(...place);
      expect(position).to.have.length(keys.POSITION_BYTES);
      expect(Buffer.compare(keys.positionOf(keys.listEntryKey(list, position)), position)).to.equal(0);
    });
    fc.assert(check);
  });

  it('refuse positions that are too wide for them', () => {
    expect(() => keys.toPosition(2 ** 48, 0)).to.throw(RangeError);
    expect(() => keys.toPosition(0, 2 ** 32)).to.throw(RangeError);
    expect(() => keys.toPosition(-1, 0)).to.throw(RangeError);
  });

  it('keep the range of a list from running into any other', () => {
    const check = fc.property(fc.array(fc.tuple(lists, places), { minLength: 2, maxLength: 8 }), (entries) => {
      for (const [list] of entries) {
        const range = keys.listRange(list, undefined);
        for (const [other, place] of entries) {
          const key = keys.listEntryKey(other, keys.toPosition(...place));
          expect(isIn(key, range)).to.equal(other.equals(list));
          expect(isIn(keys.listCountKey(other), range)).to.equal(false);
        }
      }
    });
    fc.assert(check, { numRuns: 100 });
  });

  it('end a range before the position that it is asked for', () => {
    const check = fc.property(lists, places, places, (list, place, end) => {
      const [position, before] = [keys.toPosition(...place), keys.toPosition(...end)];
      const isBefore = Buffer.compare(position, before) < 0;
      expect(isIn(keys.listEntryKey(list, position), keys.listRange(list, before))).to.equal(isBefore);
    });
    fc.assert(check);
  });

  it('are different for different things of the same name', () => {
    const key = new Uint8Array(32).fill(7);
    const position = keys.toPosition(1, 1);
    const all = [
      keys.cursorKey(),
      keys.recordKey(key, key),
      keys.assetKey(key, key),
      keys.tenantRowKey(key),
      keys.tenantNameKey(key),
      keys.applicationKey(key),
      ...[keys.eventsOfTenant(key), keys.eventsOfAsset(key, key), keys.trackedAssets(key)].flatMap((list) => [
        keys.listEntryKey(list, position),
        keys.listCountKey(list),
      ]),
    ];
    expect(new Set(all.map((each) => each.toString('hex'))).size).to.equal(12);
  });
});
