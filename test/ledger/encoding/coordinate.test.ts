import { expect } from 'chai';
import fc from 'fast-check';
import { isCoordinate, toCoordinate } from '../../../ledger/encoding/coordinate.ts';
import { runs } from '../../support/propertyRuns.ts';
import { codeOf, fieldsOf } from '../../support/refusals.ts';

const KEPT = [
  '51.500000',
  '0',
  '-0',
  '+1',
  '-0.0',
  '.5',
  '5.',
  '00051.5',
  '1e1',
  '9E+1',
  '1e-400',
  '0e999',
  '90',
  '-90.000',
];
const LONG = `0.${'1'.repeat(62)}`;

// Texts that Number() would accept or round into range, and texts that look like numbers.
const NO_NUMBERS = [
  ...['', ' ', ' 1', '1 ', '1\n', '\t1', '+', '-', '.', 'e1', '1e', '1e+', '--1', '+-1', '1-', '1.2.3', '1,5', '1_0'],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'true', '0x10', '0b1', '0o7', '1n', '51.5N', "51°30'", '1e1.5', '1e1000'],
  ...['\u22121', '\uff11', '\u0661', '1\u00a0', '\ufeff1', '1\u0000', `${LONG}1`, '0'.repeat(65)],
];
const OVER_90 = ['90.0000000000000001', '-90.0000000000000001', '90.1', '91', '1e2', '9000001e-5', '1e999'];
const OVER_180 = ['180.0000000000000001', '-180.0000000000000001', '180.1', '181', '1.81e2', '18000000001e-8', '1e999'];

describe('coordinates', () => {
  it('keep the precision that the client gave', () => {
    for (const text of [...KEPT, LONG]) expect(toCoordinate(text, 'latitude')).to.equal(text);
    expect(toCoordinate('180.0000000000000000000000000000', 'longitude')).to.equal('180.0000000000000000000000000000');
  });

  it('are accepted as numbers too', () => {
    expect(toCoordinate(51.5, 'latitude')).to.equal('51.5');
    expect(toCoordinate(-1e-7, 'latitude')).to.equal('-1e-7');
    expect(toCoordinate(-0, 'latitude')).to.equal('0');
  });

  for (const text of NO_NUMBERS) {
    it(`are not ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(codeOf(() => toCoordinate(text, 'latitude'))).to.equal('COORDINATE_INVALID');
      expect(codeOf(() => toCoordinate(text, 'longitude'))).to.equal('COORDINATE_INVALID');
    });
  }

  it('are compared by their digits, not by the nearest double', () => {
    const cases = [
      [OVER_90, 'latitude', '90'],
      [OVER_180, 'longitude', '180'],
    ] as const;
    for (const [texts, coordinate, limit] of cases) {
      expect(isCoordinate(limit, coordinate)).to.equal(true);
      for (const text of texts) expect(isCoordinate(text, coordinate), text).to.equal(false);
    }
  });

  it('are refused by name', () => {
    for (const coordinate of ['latitude', 'longitude'] as const) {
      for (const given of [Number.NaN, Number.POSITIVE_INFINITY, 181, 'north']) {
        expect(fieldsOf(() => toCoordinate(given, coordinate))).to.deep.equal([coordinate]);
      }
    }
  });

  it('are only texts', () => {
    for (const value of [1, null, undefined, ['1'], {}, 1n]) expect(isCoordinate(value, 'latitude')).to.equal(false);
  });

  it('are in range exactly when their number of billionths is', () => {
    const billionths = fc.bigInt({ min: -91_000_000_000n, max: 91_000_000_000n });
    const check = fc.property(billionths, fc.nat(9), (count, moved) => {
      // count * 10^-9, written with `moved` of the nine places in the exponent.
      const digits = String(count < 0n ? -count : count).padStart(10, '0');
      const places = 9 - moved;
      const point = digits.length - places;
      const text = `${count < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}e-${moved}`;
      expect(isCoordinate(text, 'latitude')).to.equal(count >= -90_000_000_000n && count <= 90_000_000_000n);
    });
    fc.assert(check, runs(500));
  });
});
