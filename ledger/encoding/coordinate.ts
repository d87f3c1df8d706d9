// Latitude and longitude: decimal degrees as texts, with the precision that the client gave (decision 32). Their digits
// are compared with the range, because the double nearest to 90.0000000000000001 is 90.
import { refuseField } from '../errors.ts';
import { compareMagnitudes, type Decimal, parseDecimal, splitDecimal } from './decimal.ts';

const LIMIT_DEGREES = { latitude: 90, longitude: 180 } as const;
export type Coordinate = keyof typeof LIMIT_DEGREES;

const CHARACTERS_MAX = 64;
const EXPONENT_DIGITS_MAX = 3;

const toLimit = (coordinate: Coordinate): Decimal => parseDecimal(String(LIMIT_DEGREES[coordinate]))!;
const LIMITS: Readonly<Record<Coordinate, Decimal>> = {
  latitude: toLimit('latitude'),
  longitude: toLimit('longitude'),
};

const hasShortExponent = (text: string): boolean =>
  (splitDecimal(text)?.exponent ?? '').replace(/^[+-]/, '').length <= EXPONENT_DIGITS_MAX;

const isInBounds = (text: string, limit: Decimal): boolean => {
  const number = parseDecimal(text);
  return number !== undefined && compareMagnitudes(number, limit) <= 0 && hasShortExponent(text);
};

/**
 * Whether a value is the text of a decimal number of at most 64 characters, with at most 3 digits in its exponent,
 * within the range of the coordinate.
 */
export const isCoordinate = (value: unknown, coordinate: Coordinate): value is string =>
  typeof value === 'string' && value.length <= CHARACTERS_MAX && isInBounds(value, LIMITS[coordinate]);

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
