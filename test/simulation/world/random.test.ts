// The streams of numbers that a simulation draws from.
import { expect } from 'chai';
import { createStream } from './random.ts';

const firstOf = (seed: number, purpose: string): number => createStream(seed, purpose).next();

describe('a stream of random numbers', () => {
  it('is the same for the same seed and purpose', () => {
    const [one, other] = [createStream(7, 'kills'), createStream(7, 'kills')];
    for (let draws = 0; draws < 10; draws += 1) expect(one.next()).to.equal(other.next());
  });

  it('differs between seeds, those of one digit too, and between purposes', () => {
    const numbers = Array.from({ length: 1_000 }, (_, seed) => [firstOf(seed, 'plan'), firstOf(seed, 'kills')]).flat();
    expect(new Set(numbers).size).to.equal(numbers.length);
  });
});
