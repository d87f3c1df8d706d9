import { expect } from 'chai';
import { toBytesPerRecord } from '../../bench/memory/slope.ts';

const BASE_BYTES = 2 ** 28;

const read = (records: number, residentBytes: number) => ({ records, residentBytes });

describe('the growth of memory', () => {
  it('is the slope of readings on a line, whatever their base and distances', () => {
    const readings = [1_000, 1_500, 4_000, 9_000].map((records) => read(records, BASE_BYTES + 5_300 * records));
    expect(toBytesPerRecord(readings)).to.be.closeTo(5_300, 1e-6);
  });

  it('takes no sides between readings above and below the line', () => {
    const noise = [30_000, -30_000, -30_000, 30_000];
    const readings = noise.map((bytes, at) => read(at * 1_000, BASE_BYTES + at * 1_000 * 700 + bytes));
    expect(toBytesPerRecord(readings)).to.be.closeTo(700, 1e-6);
  });

  it('is negative when memory was freed', () => {
    expect(toBytesPerRecord([read(0, 9_000), read(10, 4_000)])).to.equal(-500);
  });
});
