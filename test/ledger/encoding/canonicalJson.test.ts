import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeCanonicalJson,
  encodeCanonicalJson,
  isCanonicalJson,
  type JsonValue,
} from '../../../ledger/encoding/canonicalJson.ts';
import { codePoints } from '../../support/codePoints.ts';
import { runs } from '../../support/propertyRuns.ts';
import { HOSTILE_NAMES } from '../../support/recordParts.ts';

const textOf = (value: JsonValue): string => Buffer.from(encodeCanonicalJson(value)).toString('utf8');
const decodeText = (text: string): JsonValue | undefined => decodeCanonicalJson(Buffer.from(text, 'utf8'));
const toDouble = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE();

// The bits of a double and its text (RFC 8785 appendix B).
const NUMBERS: readonly [string, string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

describe('encodeCanonicalJson', () => {
  it('writes the sample of RFC 8785 section 3.2.2', () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(textOf(JSON.parse(sample) as JsonValue)).to.equal(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('orders names by their UTF-16 code units, as in section 3.2.3', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(textOf(sample)) as object).sort()).to.deep.equal(Object.values(sample).sort());
    expect(textOf(sample).match(/(?<=:")[^"]+/g)).to.deep.equal([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  for (const [bits, text] of NUMBERS) {
    it(`writes the double ${bits} as ${text}`, () => expect(textOf(toDouble(bits))).to.equal(text));
  }

  it('escapes what must be escaped and nothing else', () => {
    expect(textOf('\b\t\n\f\r"\\/\u0000\u001f\u007f\u2028é😀')).to.equal(
      `${String.raw`"\b\t\n\f\r\"\\/\u0000\u001f`}\u007f\u2028é😀"`,
    );
  });

  it('treats names of Object.prototype as ordinary names', () => {
    const members = HOSTILE_NAMES.map((name) => [name, name] as const);
    const text = textOf(Object.fromEntries(members));
    expect(text).to.contain('"__proto__":"__proto__"').and.to.contain('"toJSON":"toJSON"');
    expect(JSON.parse(text)).to.have.all.keys(HOSTILE_NAMES);
  });

  it('writes what canonicalize writes, whatever the order and the names of members', () => {
    const texts = fc.oneof(
      fc.string({ unit: codePoints }),
      fc.constantFrom(...HOSTILE_NAMES, '10', '9', '\\ud800', '\ud800'),
    );
    const values = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(texts, fc.double(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 3 }),
        fc
          .uniqueArray(fc.tuple(texts, tie('value')), { maxLength: 40, size: 'medium', selector: ([name]) => name })
          .map((members) => Object.fromEntries(members)),
      ),
    })).value;
    const encode = (toText: () => string | undefined): string | undefined => {
      try {
        return toText();
      } catch {
        return 'refused';
      }
    };
    const check = fc.property(values, (value) => {
      expect(encode(() => textOf(value))).to.equal(encode(() => canonicalize(value)));
    });
    fc.assert(check, runs(200));
  });

  for (const [name, value] of [
    ['a high surrogate alone', 'a\ud800'],
    ['a low surrogate alone', '\udc00a'],
    ['surrogates the wrong way round', '\udc00\ud800'],
    ['a lone surrogate in a name', { '\ud800': '' }],
    ['NaN', Number.NaN],
    ['an infinity', [Number.NEGATIVE_INFINITY]],
  ] as const) {
    it(`refuses ${name}`, () => expect(() => encodeCanonicalJson(value)).to.throw());
  }
});

describe('decodeCanonicalJson', () => {
  it('returns every value that was encoded', () => {
    const values = fc
      .jsonValue({ stringUnit: codePoints })
      .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    const check = fc.property(values, (value) => {
      expect(isDeepStrictEqual(decodeCanonicalJson(encodeCanonicalJson(value)), value)).to.equal(true);
    });
    fc.assert(check, runs(500));
  });

  it('accepts one text only for a value', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(' ', '0', '"', ',', '\\', 'e', '{', '1')), {
      maxLength: 3,
    });
    const check = fc.property(fc.jsonValue({ stringUnit: codePoints }), changes, (value, insertions) => {
      let text = JSON.stringify(value);
      for (const [place, inserted] of insertions) {
        const at = place % (text.length + 1);
        text = text.slice(0, at) + inserted + text.slice(at);
      }
      const bytes = Buffer.from(text, 'utf8');
      const decoded = decodeCanonicalJson(bytes);
      if (decoded !== undefined) expect(encodeCanonicalJson(decoded)).to.deep.equal(new Uint8Array(bytes));
    });
    fc.assert(check, runs(1_000));
  });

  const notCanonical: readonly [string, string][] = [
    ['an empty text', ''],
    ['white space before', ' {}'],
    ['white space after', '{}\n'],
    ['white space within', '{"a": 1}'],
    ['names out of order', '{"b":1,"a":2}'],
    ['a name twice, with two values', '{"a":1,"a":2}'],
    ['a name twice, with one value', '{"a":1,"a":1}'],
    ['an escape that is not needed', String.raw`"\u0041"`],
    ['an escaped solidus', String.raw`"\/"`],
    ['an escape in capitals', String.raw`"\u000F"`],
    ['an escaped lone surrogate', String.raw`"\ud800"`],
    ['an escaped pair of surrogates', String.raw`"\ud83d\ude00"`],
    ['minus zero', '-0'],
    ['a fraction of zero', '1.0'],
    ['an exponent without a sign', '1e30'],
    ['a number that is rounded', '333333333.33333329'],
    ['a number beyond the doubles', '1e400'],
    ['two values', '1 2'],
    ['a value cut short', '{"a":'],
    ['NaN', 'NaN'],
    ['a comment', '{}//'],
    ['a comma at the end', '[1,]'],
  ];
  for (const [name, text] of notCanonical) {
    it(`refuses ${name}`, () => expect(decodeText(text)).to.equal(undefined));
  }

  const notText: readonly [string, string][] = [
    ['a byte order mark', 'efbbbf7b7d'],
    ['a byte that is not UTF-8', '22ff22'],
    ['a surrogate in UTF-8', '22eda08022'],
    ['a character that takes too many bytes', '22c0af22'],
    ['a character cut short', '22e282'],
    ['UTF-16', '7b007d00'],
  ];
  for (const [name, hex] of notText) {
    it(`refuses ${name}`, () => expect(decodeCanonicalJson(Buffer.from(hex, 'hex'))).to.equal(undefined));
  }

  it('refuses a value that is nested too deeply, and works afterwards', () => {
    expect(decodeText('['.repeat(100_000) + ']'.repeat(100_000))).to.equal(undefined);
    expect(decodeText(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).to.equal(undefined);
    expect(decodeText('['.repeat(100_000))).to.equal(undefined);
    expect(decodeText('[]')).to.deep.equal([]);
  });

  it('does not let a name change the prototype', () => {
    const decoded = decodeText('{"__proto__":{"polluted":"yes"}}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(decoded)).to.equal(Object.prototype);
    expect(Object.hasOwn(decoded, '__proto__')).to.equal(true);
    expect(decoded.polluted).to.equal(undefined);
  });
});

describe('isCanonicalJson', () => {
  it('agrees with canonicalize on any value, in any order of names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = new TextDecoder().decode(encodeCanonicalJson(value as JsonValue));
        expect(isCanonicalJson(value as JsonValue, canonical)).to.equal(true);
        expect(isCanonicalJson(JSON.parse(canonical) as JsonValue, canonical)).to.equal(true);
        expect(isCanonicalJson(value as JsonValue, `${canonical} `)).to.equal(false);
        const plain = JSON.stringify(value);
        expect(isCanonicalJson(value as JsonValue, plain)).to.equal(plain === canonical);
      }),
    );
  });
});
