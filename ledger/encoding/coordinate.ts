// Latitude and longitude: decimal degrees as text, exactly as precise as they came (decision 32).
// Whether one is in range is decided on its digits: the nearest double of 90.0000000000000001 is 90.
import { refuseField } from '../errors.ts';

const LIMIT_DEGREES = { latitude: 90n, longitude: 180n } as const;
export type Coordinate = keyof typeof LIMIT_DEGREES;

const CHARACTERS_MAX = 64;
const DECIMAL = /^[+-]?(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d{1,3}))?$/;

const isWithin = (text: string, limit: bigint): boolean => {
  const match = DECIMAL.exec(text);
  if (match === null) return false;
  const [, whole = '', fraction = match[3] ?? '', , exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const scale = Number(exponent) - fraction.length;
  return scale < 0 ? digits <= limit * 10n ** BigInt(-scale) : digits * 10n ** BigInt(scale) <= limit;
};

/** Whether a value is the text of a decimal number, of at most 64 characters, within the coordinate's range. */
export const isCoordinate = (value: unknown, coordinate: Coordinate): value is string =>
  typeof value === 'string' && value.length <= CHARACTERS_MAX && isWithin(value, LIMIT_DEGREES[coordinate]);

/**
 * The text of a coordinate that a client gave as a number or as text.
 * @throws LedgerError COORDINATE_INVALID that names the coordinate.
 */
export const toCoordinate = (given: string | number, coordinate: Coordinate): string => {
  const text = String(given);
  if (isCoordinate(text, coordinate)) return text;
  const limit = LIMIT_DEGREES[coordinate];
  throw refuseField('COORDINATE_INVALID', coordinate, `must be a decimal number from -${limit} to ${limit}`);
};
