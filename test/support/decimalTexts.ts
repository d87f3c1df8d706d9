// Texts that are decimal numbers, and similar texts.
import fc from 'fast-check';

const digits = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '00',
    '9',
    '90',
    '180',
    '9223372036854775807',
    '9223372036854775808',
    '000000000000000000001',
  ),
  fc.stringMatching(/^\d{0,25}$/),
);
const sign = fc.constantFrom('', '', '+', '-', '--');
const fraction = fc.oneof(
  fc.constantFrom('', '', '.', '.0', '.000'),
  digits.map((text) => `.${text}`),
);
const exponent = fc.oneof(
  fc.constantFrom('', '', '', 'e', 'e0', 'E+1', 'e-2', 'e400', 'e-400', 'e0000', 'e1000', 'e1.5'),
  fc.integer({ min: -2000, max: 2000 }).map((power) => `e${power}`),
);
const built = fc.tuple(sign, digits, fraction, exponent).map((parts) => parts.join(''));
const scattered = fc.string({ unit: fc.constantFrom(...'0123456789+-.eE, x\n'), maxLength: 12 });

/** Texts of the grammar of decimal numbers, and similar texts. */
export const decimalTexts = fc.oneof({ weight: 4, arbitrary: built }, { weight: 1, arbitrary: scattered });
