// Numbers of freight containers by ISO 6346: three letters of the owner, U, six digits and a check digit.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MODULUS = 11;

// A is 10, and multiples of 11 are left out: B is 12, L is 23, V is 34.
const toValue = (character: string): number => {
  const letter = LETTERS.indexOf(character);
  return letter === -1 ? Number(character) : letter + 10 + Math.floor((letter + 9) / 10);
};

const toRemainder = (code: string): number =>
  [...code].reduce((sum, character, position) => sum + toValue(character) * 2 ** position, 0) % MODULUS;

/** The check digit of the first ten characters of a number. A remainder of 10 counts as 0. */
export const toCheckDigit = (code: string): number => toRemainder(code) % 10;

/**
 * The number of a container with a serial number of at most six digits. A serial number with the remainder 10, which
 * the standard advises against, is replaced by the next one.
 */
export const toContainerNumber = (owner: string, serial: number): string => {
  const code = `${owner}U${String(serial).padStart(6, '0')}`;
  return toRemainder(code) === 10 ? toContainerNumber(owner, serial + 1) : `${code}${toCheckDigit(code)}`;
};
