// Conditions on a collection of more chunks than one read has, with sparse, dense, early, late and empty lists.
import { expect } from 'chai';
import fc from 'fast-check';
import { counterKey, LAYOUT_VERSION } from '../../../../indexer/keys.ts';
import { type Change, row } from '../../../../indexer/projection/changes.ts';
import { createIndexBatch } from '../../../../indexer/projection/indexBatch.ts';
import { type NumberRange, select } from '../../../../indexer/reads/selection/selection.ts';
import { lowsOf, toNumber } from '../../../../indexer/rows/bits.ts';
import { createIndexStore, type IndexStore } from '../../../../indexer/store.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { useDirectories } from '../../../support/directories.ts';
import { CONTRACT } from '../../../support/fakeChain.ts';
import { runs } from '../../../support/propertyRuns.ts';
import { toWord } from '../../../support/recordLogs.ts';
import { ALPHA } from '../../../support/records.ts';

const MEMBERS = 300_000;
const TENANT = toKey(ALPHA);

const LISTS: Readonly<Record<string, (number: number) => boolean>> = {
  aDense: (number) => number % 3 === 0,
  aInEachChunk: (number) => number % 4_096 === 17,
  aInSomeChunks: (number) => number % 9_001 === 3,
  aFirst: (number) => number < 5,
  aLast: (number) => number >= MEMBERS - 3,
  aEarly: (number) => number < 100_000 && number % 50 === 0,
  aLate: (number) => number > 280_000 && number % 50 === 0,
  aNone: () => false,
};

const membersOf = (term: string): number[] =>
  Array.from({ length: MEMBERS }, (_, number) => number).filter(LISTS[term]!);

describe('selection', () => {
  const makeDirectory = useDirectories();
  let store: IndexStore;
  before(async () => {
    store = await createIndexStore(await makeDirectory());
    const batch = createIndexBatch(store.read);
    const toChange = (term: string, number: number): Change => ({
      kind: 'lists',
      tenantKey: TENANT,
      number,
      added: [term],
      removed: [],
    });
    for (const term of Object.keys(LISTS)) batch.add(membersOf(term).map((number) => toChange(term, number)));
    batch.add([row(counterKey(TENANT, 'assets'), MEMBERS)]);
    const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber: 1, blockHash: toWord(1) };
    await store.apply(batch.toWrites(), cursor);
  });
  after(() => store.close());

  const terms = fc.constantFrom(...Object.keys(LISTS));
  const ends = fc.oneof(fc.constantFrom(0, 1, 4_096, MEMBERS - 1, MEMBERS, Number.POSITIVE_INFINITY), fc.nat(MEMBERS));
  const questions = fc.record({
    all: fc.array(terms, { maxLength: 3 }),
    none: fc.array(terms, { maxLength: 2 }),
    anyOf: fc.option(fc.array(terms, { maxLength: 3 }), { nil: undefined }),
    from: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(MEMBERS) }),
    to: ends,
    isNewestFirst: fc.boolean(),
  });

  it('returns the numbers that meet the conditions, chunk by chunk in the requested order', async () => {
    const snapshot = await store.snapshot();
    const check = fc.asyncProperty(questions, async ({ all, none, anyOf, ...range }) => {
      const selection = {
        tenantKey: TENANT,
        collection: 'assets' as const,
        conditions: { all, none },
        ...(anyOf === undefined ? {} : { anyOf }),
      };
      const found: number[][] = [];
      for await (const { chunk, bits } of select(snapshot, selection, range satisfies NumberRange)) {
        found.push(lowsOf(bits).map((low) => toNumber(chunk, low)));
      }
      const wanted: number[] = [];
      for (let number = range.from; number < Math.min(range.to, MEMBERS); number += 1) {
        const isIn = (term: string): boolean => LISTS[term]!(number);
        const isAny = anyOf === undefined || anyOf.some(isIn);
        if (isAny && all.every(isIn) && !none.some(isIn)) wanted.push(number);
      }
      const ascending = range.isNewestFirst ? found.reverse() : found;
      expect(ascending.flat().length).to.equal(wanted.length);
      expect(ascending.flat().every((number, at) => number === wanted[at])).to.equal(true);
      expect(ascending.every((numbers) => numbers.length > 0)).to.equal(true);
    });
    await fc.assert(check, runs(100));
    await snapshot.close();
  });
});
