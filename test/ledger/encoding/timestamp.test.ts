import { expect } from 'chai';
import fc from 'fast-check';
import {
  isTimestamp,
  NEVER_COMMITTED,
  normalizeTimestamp,
  toBlockTimestamp,
  toTimestamp,
} from '../../../ledger/encoding/timestamp.ts';
import { codePoints } from '../../support/codePoints.ts';
import { runs } from '../../support/propertyRuns.ts';
import { times, timestamps } from '../../support/recordParts.ts';
import { codeOf, fieldsOf } from '../../support/refusals.ts';

const normalize = (text: string): string => normalizeTimestamp(text, 'timestamp_declared');

describe('toTimestamp', () => {
  it('writes what a Date writes, within its range and outside of it', () => {
    const write = (toText: () => string): string => {
      try {
        return toText();
      } catch (error) {
        return (error as Error).name;
      }
    };
    const ends = [
      0,
      -1,
      -999,
      -1000,
      1.5,
      8.64e15,
      8.64e15 + 1,
      -8.64e15,
      -8.64e15 - 1,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
    ];
    const anyTimes = fc.oneof(
      fc.constantFrom(...ends),
      times,
      fc.maxSafeInteger(),
      fc.integer({ min: -3000, max: 3000 }),
    );
    const check = fc.property(anyTimes, (atMs) => {
      expect(write(() => toTimestamp(atMs))).to.equal(write(() => new Date(atMs).toISOString()));
    });
    fc.assert(check, runs(2_000));
  });
});

describe('normalizeTimestamp', () => {
  const accepted: readonly [string, string, string][] = [
    ['milliseconds', '2026-11-20T12:00:00.123Z', '2026-11-20T12:00:00.123Z'],
    ['no fraction', '2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z'],
    ['one digit of a fraction', '2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.500Z'],
    ['microseconds, cut', '2026-11-20T12:00:00.123999Z', '2026-11-20T12:00:00.123Z'],
    ['nanoseconds, cut', '2026-11-20T23:59:59.999999999Z', '2026-11-20T23:59:59.999Z'],
    ['a fraction before the epoch, cut', '1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['an offset east', '2026-11-20T12:00:00+05:30', '2026-11-20T06:30:00.000Z'],
    ['an offset west over midnight', '2026-11-20T23:00:00-01:30', '2026-11-21T00:30:00.000Z'],
    ['an offset that is not known', '2026-11-20T12:00:00-00:00', '2026-11-20T12:00:00.000Z'],
    ['the largest offset', '2026-11-20T23:59:00+23:59', '2026-11-20T00:00:00.000Z'],
    ['lower-case letters', '2026-11-20t12:00:00z', '2026-11-20T12:00:00.000Z'],
    ['a space for the T', '2026-11-20 12:00:00Z', '2026-11-20T12:00:00.000Z'],
    ['a leap day', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['a leap day of a century', '2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['the first year', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['the last moment', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ];
  for (const [name, text, timestamp] of accepted) {
    it(`accepts ${name}`, () => expect(normalize(text)).to.equal(timestamp));
  }

  const refused: readonly [string, string][] = [
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['29 February of a century', '1900-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['day 32', '2026-01-32T00:00:00Z'],
    ['month 0', '2026-00-10T00:00:00Z'],
    ['month 13', '2026-13-10T00:00:00Z'],
    ['24:00', '2026-11-20T24:00:00Z'],
    ['minute 60', '2026-11-20T12:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an offset of 24 hours', '2026-11-20T12:00:00+24:00'],
    ['an offset of 60 minutes', '2026-11-20T12:00:00+01:60'],
    ['an offset without a colon', '2026-11-20T12:00:00+0100'],
    ['a Unicode minus', '2026-11-20T12:00:00\u221201:00'],
    ['no offset', '2026-11-20T12:00:00'],
    ['no time', '2026-11-20'],
    ['no seconds', '2026-11-20T12:00Z'],
    ['a fraction without digits', '2026-11-20T12:00:00.Z'],
    ['a comma for the point', '2026-11-20T12:00:00,5Z'],
    ['a year of two digits', '26-11-20T12:00:00Z'],
    ['a year of five digits', '12026-11-20T12:00:00Z'],
    ['an expanded year', '+002026-11-20T12:00:00Z'],
    ['a moment before the first year', '0000-01-01T00:00:00+01:00'],
    ['a moment after the last year', '9999-12-31T23:59:59-01:00'],
    ['words', 'yesterday'],
    ['a number of seconds', '1795176000'],
    ['nothing', ''],
    ['space before', ' 2026-11-20T12:00:00Z'],
    ['a line break after', '2026-11-20T12:00:00Z\n'],
    ['Arabic digits', '٢٠٢٦-11-20T12:00:00Z'],
  ];
  for (const [name, text] of refused) {
    it(`refuses ${name}`, () => {
      expect(codeOf(() => normalize(text))).to.equal('TIMESTAMP_INVALID');
      expect(fieldsOf(() => normalize(text))).to.deep.equal(['timestamp_declared']);
    });
  }

  it('returns the output of toTimestamp unchanged', () => {
    const check = fc.property(times, (atMs) => {
      expect(Date.parse(normalize(toTimestamp(atMs)))).to.equal(atMs);
    });
    fc.assert(check);
  });

  it('returns the same moment for every offset', () => {
    const offsets = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59));
    const check = fc.property(fc.integer({ min: 0, max: 4e12 }), offsets, (atMs, [sign, hours, minutes]) => {
      const shiftMs = (hours * 60 + minutes) * 60_000 * (sign === '+' ? 1 : -1);
      const pad = (number: number): string => String(number).padStart(2, '0');
      const local = toTimestamp(atMs + shiftMs).replace('Z', `${sign}${pad(hours)}:${pad(minutes)}`);
      expect(normalize(local)).to.equal(toTimestamp(atMs));
    });
    fc.assert(check);
  });

  it('returns a timestamp or refuses, whatever the text', () => {
    const mutated = fc.tuple(timestamps, fc.nat(23), fc.string({ unit: codePoints, maxLength: 2 }));
    const check = fc.property(mutated, ([timestamp, at, inserted]) => {
      const text = timestamp.slice(0, at) + inserted + timestamp.slice(at + 1);
      if (codeOf(() => normalize(text)) !== 'TIMESTAMP_INVALID') expect(isTimestamp(normalize(text))).to.equal(true);
    });
    fc.assert(check, runs(500));
  });
});

describe('isTimestamp', () => {
  it('accepts the output of toTimestamp', () => {
    const check = fc.property(timestamps, (timestamp) => {
      expect(isTimestamp(timestamp)).to.equal(true);
    });
    fc.assert(check);
  });

  it('accepts the days of the calendar and no others', () => {
    const twoDigits = (number: number): string => String(number).padStart(2, '0');
    for (const year of [0, 1900, 2000, 2024, 2026, 9999]) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 40; day += 1) {
          const text = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}T12:00:00.000Z`;
          const atMs = Date.parse(text);
          expect(isTimestamp(text), text).to.equal(!Number.isNaN(atMs) && new Date(atMs).toISOString() === text);
        }
      }
    }
  });

  for (const value of [
    '2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00.0000Z',
    '2026-11-20T24:00:00.000Z',
    '2026-11-20T12:60:00.000Z',
    '2026-11-20T12:00:60.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026-11-20t12:00:00.000z',
    '2026-11-20T12:00:00.000+00:00',
    '+010000-01-01T00:00:00.000Z',
    '-000001-12-31T23:59:59.999Z',
    '2026-11-20T12:00:00.000Z ',
    '',
    1_795_176_000_000,
    null,
    ['2026-11-20T12:00:00.000Z'],
  ]) {
    it(`refuses ${JSON.stringify(value)}`, () => expect(isTimestamp(value)).to.equal(false));
  }
});

describe('toBlockTimestamp', () => {
  it('writes whole seconds, in the form of NEVER_COMMITTED', () => {
    expect(toBlockTimestamp(1_795_176_000)).to.equal('2026-11-20T12:00:00Z');
    expect(toBlockTimestamp(0)).to.equal(NEVER_COMMITTED);
  });
});
