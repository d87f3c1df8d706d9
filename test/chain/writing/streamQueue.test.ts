// Which entries a batch takes, and which wait for those of their stream.
import { expect } from 'chai';
import fc from 'fast-check';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import { createStreamQueue, type StreamQueue } from '../../../chain/writing/streamQueue.ts';
import { runs } from '../../support/propertyRuns.ts';

const BYTES = 10;

const entryOf = (sequence: number, stream: number, tenantIdentity = 'tenant'): OutboxEntry =>
  ({ sequence, tenantIdentity, streamIdentity: `${stream}`, payload: new Uint8Array(BYTES) }) as OutboxEntry;

const upTo = (count: number) => {
  let left = count;
  return (): boolean => left-- > 0;
};

const tenants = (entries: readonly OutboxEntry[]): string =>
  entries.map(({ tenantIdentity }) => tenantIdentity).join('');

const sequences = (entries: readonly OutboxEntry[]): number[] => entries.map(({ sequence }) => sequence);

describe('a queue of streams', () => {
  const createFilled = (...streams: number[]) => fill(createStreamQueue(true), streams);
  const fill = (queue: StreamQueue, streams: readonly number[]): StreamQueue => {
    for (const [at, stream] of streams.entries()) queue.push(entryOf(at + 1, stream));
    return queue;
  };

  it('gives all entries in order of acceptance where they fit', () => {
    const queue = createFilled(1, 2, 1, 3, 2);
    expect(sequences(queue.take(() => true))).to.deep.equal([1, 2, 3, 4, 5]);
    expect(queue.size).to.equal(0);
  });

  it('gives the oldest ones where not all fit, for one batch at a time', () => {
    const queue = fill(createStreamQueue(false), [1, 2, 1, 3, 2]);
    const first = queue.take(upTo(3));
    expect(sequences(first)).to.deep.equal([1, 2, 3]);
    expect(queue.free.records).to.equal(1);
    queue.release(first);
    expect(sequences(queue.take(() => true))).to.deep.equal([4, 5]);
  });

  it('gives those of the oldest streams where not all fit, so that others have the other streams', () => {
    const queue = createFilled(1, 2, 1, 3, 2);
    expect(sequences(queue.take(upTo(2)))).to.deep.equal([1, 3]);
    expect(sequences(queue.take(() => true))).to.deep.equal([2, 4, 5]);
    expect([queue.size, queue.free.records]).to.deep.equal([0, 0]);
  });

  it('holds the entries of a stream until those that were taken are released', () => {
    const queue = createFilled(1, 1);
    const first = queue.take(upTo(1));
    queue.push(entryOf(3, 1));
    expect(queue.take(() => true)).to.deep.equal([]);
    queue.release(first);
    expect(sequences(queue.take(() => true))).to.deep.equal([2, 3]);
  });

  it('counts the entries of free streams and their bytes', () => {
    const queue = createFilled(1, 2, 2);
    const taken = queue.take(upTo(1));
    expect(queue.free).to.deep.equal({ records: 2, bytes: 2 * BYTES });
    queue.push(entryOf(4, 1));
    expect(queue.free.records).to.equal(2);
    queue.release(taken);
    expect(queue.free).to.deep.equal({ records: 3, bytes: 3 * BYTES });
  });

  it('gives back entries that wait with the later ones of their streams', () => {
    const queue = createFilled(1, 2, 1, 1, 2);
    const [second, taken] = [entryOf(3, 1), queue.take(upTo(1))];
    expect(queue.withdraw(new Set([second]))).to.deep.equal([]);
    queue.release(taken);
    const all = queue.take(() => true);
    for (const entry of all) queue.release([entry]);
    for (const entry of all) queue.push(entry);
    const withdrawn = queue.withdraw(new Set(all.filter(({ sequence }) => sequence === 3)));
    expect(sequences(withdrawn)).to.deep.equal([3, 4]);
    expect(queue.free).to.deep.equal({ records: 2, bytes: 2 * BYTES });
    expect(sequences(queue.take(() => true))).to.deep.equal([2, 5]);
  });

  it('is shared from the second tenant on, until one of them has had nothing in the last batches', () => {
    const queue = createStreamQueue(false);
    queue.push(entryOf(1, 1, 'a'));
    expect(queue.isShared).to.equal(false);
    queue.push(entryOf(2, 2, 'b'));
    const last = { sequence: 2 };
    const takeOne = (): void => {
      const taken = queue.take(upTo(1));
      queue.release(taken);
      queue.push(entryOf(++last.sequence, 1, 'a'));
    };
    takeOne();
    takeOne();
    expect(queue.isShared).to.equal(true);
    for (let batch = 0; batch < 100; batch += 1) takeOne();
    expect(queue.isShared).to.equal(false);
  });

  it('takes a batch of 10,000 entries of one stream as quickly as of 100', () => {
    const queue = createFilled(...Array<number>(10_000).fill(1), 2);
    let asked = 0;
    const fits = (): boolean => {
      asked += 1;
      return asked % 100 !== 0;
    };
    const first = queue.take(fits);
    expect(first).to.have.length(99);
    expect(sequences(queue.take(() => true))).to.deep.equal([10_001]);
    expect(asked).to.equal(100);
  });

  for (const isByStream of [false, true]) {
    const kind = isByStream ? 'of few streams' : 'of the oldest entries';
    // The entry of each letter's tenant.
    const fillOf = (letters: string, toStream: (at: number) => number, lastRecovered = 0): StreamQueue => {
      const queue = createStreamQueue(isByStream, lastRecovered);
      for (const [at, letter] of [...letters].entries()) queue.push(entryOf(at + 1, toStream(at), letter));
      return queue;
    };

    for (const [streams, toStream] of [
      ['one asset', () => 1],
      ['many assets', (at: number) => at],
    ] as const)
      it(`has a tenant's entry in the next batch ${kind}, behind 2,000 of ${streams} of another one`, () => {
        const queue = fillOf(`${'A'.repeat(2_000)}B`, toStream);
        const batch = queue.take(upTo(200));
        expect(batch).to.have.length(200);
        expect(sequences(batch).filter((sequence) => sequence > 2_000)).to.deep.equal([2_001]);
      });

    it(`shares batches ${kind} among three tenants, with the turn where the batch before ended`, () => {
      const queue = fillOf('AAAAAAAABBBBCCCC', (at) => at);
      expect(sequences(queue.take(upTo(4)))).to.deep.equal([1, 2, 9, 13]);
      expect(sequences(queue.take(upTo(4)))).to.deep.equal([3, 10, 11, 14]);
      expect(sequences(queue.take(upTo(4)))).to.deep.equal([4, 12, 15, 16]);
      expect(sequences(queue.take(upTo(9)))).to.deep.equal([5, 6, 7, 8]);
    });

    it(`fills batches ${kind} with what other tenants leave`, () => {
      const queue = fillOf('AAABAAA', (at) => at);
      expect(tenants(queue.take(upTo(6)))).to.equal('AAABAA');
      expect([queue.size, queue.free.records]).to.deep.equal([1, 1]);
    });

    it(`takes entries of an earlier process first, in their order, for batches ${kind}`, () => {
      const queue = fillOf('AAAAABBAB', (at) => at, 6);
      expect(sequences(queue.take(upTo(4)))).to.deep.equal([1, 2, 3, 4]);
      expect(sequences(queue.take(upTo(4)))).to.deep.equal([5, 6, 7, 8]);
      expect(sequences(queue.take(upTo(4)))).to.deep.equal([9]);
    });

    it(`goes on with turns after entries were withdrawn, for batches ${kind}`, () => {
      const queue = fillOf('AAAAB', (at) => at);
      const [second] = [entryOf(2, 1, 'A')];
      queue.push(second);
      expect(sequences(queue.withdraw(new Set([second])))).to.deep.equal([2]);
      expect(tenants(queue.take(upTo(2)))).to.equal('AB');
    });
  }

  it('keeps the order of a tenant over its streams, where one batch is submitted at a time', () => {
    const queue = createStreamQueue(false, 1);
    const letters = [...'ABABBAAABA'];
    for (const [at, letter] of letters.entries()) queue.push(entryOf(at + 1, at % 2, letter));
    const taken: OutboxEntry[] = [];
    while (queue.size > 0) {
      const batch = queue.take(upTo(3));
      taken.push(...batch);
      queue.release(batch);
    }
    for (const letter of 'AB') {
      const ofTenant = sequences(taken.filter(({ tenantIdentity }) => tenantIdentity === letter));
      expect(ofTenant).to.deep.equal(letters.flatMap((each, at) => (each === letter ? [at + 1] : [])));
    }
  });

  it('never has a stream in two batches, loses nothing, and keeps the order of each stream', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('push' as const), stream: fc.integer({ min: 1, max: 4 }) }),
        fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 5 }) }),
        fc.record({ kind: fc.constant('release' as const) }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, fc.boolean(), fc.nat(10), (all, isByStream, lastRecovered) => {
        const queue = createStreamQueue(isByStream, lastRecovered);
        const tenantOf = (stream: number): string => (stream > 2 ? 'B' : 'A');
        const inFlight: OutboxEntry[][] = [];
        const done: OutboxEntry[] = [];
        let sequence = 0;
        const release = (): void => {
          const batch = inFlight.shift();
          if (batch !== undefined) queue.release(batch);
        };
        const take = (count: number): void => {
          const batch = queue.take(upTo(count));
          const busy = new Set(inFlight.flat().map(({ streamIdentity }) => streamIdentity));
          expect(batch.some(({ streamIdentity }) => busy.has(streamIdentity))).to.equal(false);
          inFlight.push(batch);
          done.push(...batch);
        };
        for (const step of all) {
          if (step.kind === 'push') queue.push(entryOf(++sequence, step.stream, tenantOf(step.stream)));
          else if (step.kind === 'take') take(step.count);
          else release();
        }
        while (queue.size > 0 || inFlight.length > 0) {
          release();
          take(100);
          if (queue.size === 0 && inFlight.every(({ length }) => length === 0)) break;
        }
        expect(sequences(done).toSorted((a, b) => a - b)).to.deep.equal(
          Array.from({ length: sequence }, (_, at) => at + 1),
        );
        for (const ofStream of Map.groupBy(done, ({ streamIdentity }) => streamIdentity).values())
          expect(sequences(ofStream)).to.deep.equal(sequences(ofStream).toSorted((a, b) => a - b));
      }),
      runs(300),
    );
  });
});
