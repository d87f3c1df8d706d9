import { expect } from 'chai';
import fc from 'fast-check';
import * as keys from '../../indexer/keys.ts';
import { attributeTerm, fieldTerm, presenceTerm } from '../../indexer/projection/terms/termNames.ts';
import { NO_MEMBERS } from '../../indexer/projection/terms.ts';
import { codePoints } from '../support/codePoints.ts';
import { runs } from '../support/propertyRuns.ts';
import { bytesOf, HOSTILE_NAMES } from '../support/recordParts.ts';
import { uuidOf } from '../support/records.ts';

// Keys that differ in their last bit, so that ranges are neighbours.
const neighbours = bytesOf(32).chain((key) => {
  const next = Uint8Array.from(key);
  next[31] = next[31]! ^ 1;
  return fc.constantFrom(key, next, new Uint8Array(32), new Uint8Array(32).fill(0xff));
});
const numbers = fc.oneof(fc.nat(300), fc.constantFrom(0, 255, 256, 65_536, 2 ** 31, 2 ** 32 - 1));
const times = fc.oneof(fc.integer(), fc.constantFrom(-62_167_219_200_000, -1, 0, 1, 253_402_300_799_999));
const texts = fc.oneof(
  fc.constantFrom('', 'a', 'aa', 'a1:a', '1:', '1:a', '0:'),
  fc.string({ unit: codePoints, maxLength: 4 }),
  fc.constantFrom(...HOSTILE_NAMES, '1:', '1:a', '2:a', '\0', '\0\0', '\0\x01', '\x01', '#', '#0x', '€', '\u{10ffff}'),
  fc
    .constantFrom('a', 'é', '€')
    .chain((letter) => fc.integer({ min: 198, max: 203 }).map((length) => letter.repeat(length))),
);
const collections = fc.constantFrom<keys.Collection>(
  'events',
  'events',
  'events',
  'assets',
  'locations',
  'blobs',
  'policies',
  'subjects',
  'accessPolicies',
);
const terms = fc.oneof(
  fc.tuple(collections, texts, texts).map((parts) => fieldTerm(...parts)),
  fc.tuple(collections, texts, texts).map((parts) => presenceTerm(...parts)),
  fc.tuple(collections, texts, texts, texts).map((parts) => attributeTerm(...parts)),
  fc.constant(NO_MEMBERS),
);

const isIn = (key: Buffer, { gt, gte, lt, lte }: keys.KeyRange): boolean =>
  (gt === undefined || Buffer.compare(key, gt) > 0) &&
  (gte === undefined || Buffer.compare(key, gte) >= 0) &&
  (lt === undefined || Buffer.compare(key, lt) < 0) &&
  (lte === undefined || Buffer.compare(key, lte) <= 0);
const signOf = (a: Buffer, b: Buffer): number => Math.sign(Buffer.compare(a, b));

describe('keys of the index', () => {
  it('separate the range of a list from those of all others, of any tenant', () => {
    const entries = fc.array(fc.tuple(neighbours, terms, numbers), { minLength: 2, maxLength: 8 });
    const check = fc.property(entries, (all) => {
      for (const [tenant, term] of all) {
        const range = keys.postingRange(tenant, term);
        for (const [otherTenant, other, chunk] of all) {
          const isSame = other === term && Buffer.compare(tenant, otherTenant) === 0;
          expect(isIn(keys.postingKey(otherTenant, other, chunk), range), `${term} ${other}`).to.equal(isSame);
        }
      }
    });
    fc.assert(check, runs(300));
  });

  it('have no list whose name is a prefix of another', () => {
    const check = fc.property(terms, terms, (a, b) => {
      expect(Buffer.from(b).subarray(0, Buffer.from(a).length).equals(Buffer.from(a))).to.equal(a === b);
    });
    fc.assert(check, runs(1_000));
  });

  it('give every field and attribute a list of its own', () => {
    const parts = fc.tuple(fc.constantFrom('f', 'p', 'v'), collections, texts, texts, texts);
    const toTerm = ([kind, of, map, name, value]: [string, keys.Collection, string, string, string]): string => {
      if (kind === 'f') return fieldTerm(of, map, name);
      return kind === 'p' ? presenceTerm(of, map, name) : attributeTerm(of, map, name, value);
    };
    const toIdentity = (given: [string, keys.Collection, string, string, string]): string =>
      JSON.stringify(given[0] === 'v' ? given : given.slice(0, 4));
    const check = fc.property(parts, parts, (a, b) => {
      expect(toTerm(a) === toTerm(b)).to.equal(toIdentity(a) === toIdentity(b));
    });
    fc.assert(check, runs(1_000));
  });

  it('have no list whose name is a prefix of another, even if texts contain each other', () => {
    const parts = ['', 'a', '1:a', '1:', 'ab'];
    const all = parts.flatMap((a) =>
      parts.flatMap((b) => [
        fieldTerm('events', a, b),
        presenceTerm('events', a, b),
        ...parts.map((c) => attributeTerm('events', a, b, c)),
      ]),
    );
    const sorted = all.toSorted();
    expect(sorted.some((term, at) => sorted[at + 1]?.startsWith(term))).to.equal(false);
  });

  it('sort the chunks of a list, contain their numbers, and bound a range of them', () => {
    const check = fc.property(neighbours, terms, numbers, numbers, numbers, (tenant, term, chunk, first, last) => {
      const key = keys.postingKey(tenant, term, chunk);
      expect(keys.chunkOf(key)).to.equal(chunk);
      expect(signOf(key, keys.postingKey(tenant, term, first))).to.equal(Math.sign(chunk - first));
      const isBetween = chunk >= first && chunk <= last;
      expect(isIn(key, keys.postingRange(tenant, term, first, last))).to.equal(isBetween);
    });
    fc.assert(check);
  });

  it('sort checkpoints by time, then by events, and bound them by a time', () => {
    const check = fc.property(neighbours, neighbours, times, numbers, times, numbers, (tenant, asset, a, m, b, n) => {
      const [one, other] = [keys.checkpointKey(tenant, asset, a, m), keys.checkpointKey(tenant, asset, b, n)];
      expect(signOf(one, other)).to.equal(Math.sign(a - b) || Math.sign(m - n));
      expect(isIn(one, keys.checkpointRange(tenant, asset, b))).to.equal(a <= b);
    });
    fc.assert(check);
  });

  it('sort the members of a collection by the bytes of their names, then by their identities', () => {
    const named = fc.tuple(texts, fc.nat(3));
    const check = fc.property(neighbours, collections, named, named, (tenant, of, [a, m], [b, n]) => {
      const [one, other] = [keys.nameKey(tenant, of, a, uuidOf(m)), keys.nameKey(tenant, of, b, uuidOf(n))];
      expect(signOf(one, other)).to.equal(signOf(Buffer.from(a), Buffer.from(b)) || Math.sign(m - n));
      expect(isIn(one, keys.nameRange(tenant, of, undefined))).to.equal(true);
      expect(isIn(one, keys.nameRange(tenant, of, other))).to.equal(signOf(one, other) > 0);
    });
    fc.assert(check, runs(500));
  });

  it('separate the names of a collection of one tenant from all others', () => {
    const owners = fc.tuple(neighbours, collections);
    const check = fc.property(owners, owners, texts, texts, ([tenant, of], [otherTenant, other], name, after) => {
      const isSame = Buffer.compare(tenant, otherTenant) === 0 && of === other;
      const key = keys.nameKey(otherTenant, other, name, uuidOf(1));
      expect(isIn(key, keys.nameRange(tenant, of, undefined))).to.equal(isSame);
      const isAfter = signOf(Buffer.from(name), Buffer.from(after)) > 0;
      expect(isIn(key, keys.nameRange(tenant, of, keys.nameKey(tenant, of, after, uuidOf(1))))).to.equal(
        isSame && isAfter,
      );
    });
    fc.assert(check, runs(500));
  });

  it('sort policy pages by time, and separate those of one display type of an asset from all others', () => {
    const owners = fc.tuple(
      neighbours,
      neighbours,
      fc.constantFrom(...[0, 1, 255].map((byte) => Buffer.alloc(16, byte))),
    );
    const places = fc.record({ beforeMs: fc.integer({ min: -8.64e15, max: 8.64e15 }), page: numbers });
    const check = fc.property(owners, owners, places, places, (one, other, a, b) => {
      const key = keys.policyPageKey(...other, a);
      const order = Math.sign(a.beforeMs - b.beforeMs) || Math.sign(a.page - b.page);
      expect(signOf(key, keys.policyPageKey(...other, b))).to.equal(order);
      const isSame = one.every((field, at) => Buffer.compare(field, other[at]!) === 0);
      expect(isIn(key, keys.policyPageRange(...one, b.beforeMs))).to.equal(isSame && a.beforeMs <= b.beforeMs);
    });
    fc.assert(check, runs(500));
  });

  it('differ between tables and collections for the same name', () => {
    const key = new Uint8Array(32).fill(7);
    const ofTwo = [keys.recordKey, keys.assetKey, keys.blobKey, keys.contentKey].map((toKey) => toKey(key, key));
    const ofOne = [keys.tenantRowKey, keys.tenantNameKey, keys.applicationTenantKey, keys.publicAssetKey];
    const ofCollections = (
      ['events', 'assets', 'locations', 'blobs', 'policies', 'applications', 'subjects', 'accessPolicies'] as const
    ).flatMap((collection) => [
      keys.namedKey(key, collection, key),
      keys.nameKey(key, collection, '', uuidOf(7)),
      keys.counterKey(key, collection),
      keys.memberKey(key, collection, 7),
    ]);
    const columns = (['timestamp_accepted', 'timestamp_declared', 'timestamp_committed', 'asset'] as const).map(
      (column) => keys.columnKey(key, column, 7),
    );
    const all = [
      keys.cursorKey(),
      keys.zoneKey(key, 7),
      keys.policyHeadKey(key, key, key),
      keys.policyPageKey(key, key, key, { beforeMs: 7, page: 7 }),
      keys.checkpointKey(key, key, 7, 7),
      keys.postingKey(key, NO_MEMBERS, 7),
      ...ofTwo,
      ...ofOne.map((toKey) => toKey(key)),
      ...ofCollections,
      ...columns,
    ];
    expect(new Set(all.map((each) => each.toString('hex'))).size).to.equal(all.length);
  });
});
