// The type of a text by the beginning of its file.
import { expect } from 'chai';
import fc from 'fast-check';
import { isJsonPrefix } from '../../../server/blobs/jsonPrefix.ts';
import { decodeText, PREFIX_BYTES, toTextType } from '../../../server/blobs/textTypes.ts';
import { runs } from '../../support/propertyRuns.ts';

const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

const sniff = (bytes: Uint8Array, isComplete = true): string | undefined => {
  const text = decodeText({ bytes, isComplete });
  return text === undefined ? undefined : toTextType(text, isComplete);
};

const TYPES: Readonly<Record<string, readonly string[]>> = {
  'text/plain': [
    'hello',
    'a,b,c',
    'Dear Bob,\nhow are you, and Alice?\n',
    'Hello, world\nHow, are you\n',
    'a,b\n1,2,3\n',
    'a,b;c\n1,2;3\n',
    '{not json}',
    '{"a": 1,}',
    '[1 2]',
    '{"a": 1} {"a": 2}',
    '{"a": 1}\n{"a": 2}\n',
    '[01]',
    '["\n"]',
    '["\\x"]',
    '[tru]',
    '{"a"}',
    '{1: 2}',
    '[1}',
    '"a string"',
    '42',
    'null',
    '<- see there',
    '<note><to>Bob</to></note>',
    '# svg\n<svg>',
    '<bold>',
    '<!-- nothing',
    '\u001b[1mbold\u001b[0m',
    'line\ttab\r\nform\ffeed',
  ],
  'application/json': [
    '{}',
    '[]',
    ' \r\n\t{"a": [1, -0.5e+7, true, false, null, "\\u00e9\\n\\"", {"b": {}}]}\n',
    '["\u{1f600}", "\u2028"]',
    '[[[[]]]]',
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  ],
  'text/csv': [
    'a,b\n1,2',
    'a,b\r\n1,2\r\n',
    'a;b;c\n1;2;3\n',
    '"a, b","c ""d"""\n"line\nbreak",2\n',
    'name,age\nBob,\n,7\n',
  ],
  'text/html': [
    '<!DOCTYPE html>\n<html></html>',
    '  \n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
    '<html lang="en">',
    '<SCRIPT>alert(1)</SCRIPT>',
    '<!-- a --><!-- b -->\n<body>',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">',
    '<p>',
    '<br/>',
  ],
  'application/xml': [
    '<?xml version="1.0"?><table>',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a --><title>',
    '<?xml version="1.0"?><!DOCTYPE body><body/>',
    '<?xml version="1.0"?><x:p xmlns:x="urn:x"/>',
    '<?xml version="1.0"?><note/>',
    '<?xml version="1.0"?>',
    '<?xml version="1.0',
  ],
  'image/svg+xml': [
    '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    '<?xml version="1.0"?><!-- made by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg/>',
    '<!DOCTYPE svg [ <!ENTITY a "b"> ]><svg/>',
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg">',
    '<SVG>',
  ],
};

describe('the type of a text', () => {
  for (const [type, texts] of Object.entries(TYPES)) {
    it(`is ${type}, in UTF-8 and in UTF-16 with a byte order mark`, () => {
      for (const text of texts) {
        for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(text, false), utf16(text, true)]) {
          expect(sniff(bytes), text).to.equal(type);
        }
      }
    });
  }

  it('is undefined for bytes that are not text', () => {
    const others = [
      '80',
      'c3',
      'c0af',
      'eda080',
      'f4908080',
      '610062',
      '00',
      '61071b',
      'fffe00d8',
      'feff61',
      'fffe0000',
    ];
    for (const hex of others) expect(sniff(Buffer.from(hex, 'hex')), hex).to.equal(undefined);
    expect(sniff(Buffer.from('caf\u00e9', 'latin1'))).to.equal(undefined);
    expect(sniff(Buffer.from('hello', 'utf16le'))).to.equal(undefined);
  });

  it('does not depend on where a large file is cut', () => {
    const large: [type: string, text: string][] = [
      ['text/plain', 'h\u00e9llo \u{1f600} '.repeat(8)],
      ['application/json', `{"a\\u00e9\\"": [1.5e-7, true, null, {"\u{1f600}": "b"}], "c": false}`.padEnd(100)],
      ['text/csv', 'name,"a \u{1f600}, b"\n'.repeat(8)],
    ];
    for (const [type, text] of large) {
      const bytes = Buffer.from(text);
      for (let cut = type === 'text/csv' ? 44 : 1; cut <= bytes.length; cut += 1) {
        expect(sniff(bytes.subarray(0, cut), false), `${type} ${cut}`).to.equal(type);
      }
    }
  });

  it('is found quickly for any text', () => {
    const hostile = [
      '<!--',
      '<?',
      '<!doctype ',
      '"',
      '"a',
      'a,',
      '[',
      '{"a":',
      '["\\u',
      '-',
      '1e',
      ' ',
      '<a:',
      '\n',
      ',"',
      '""',
    ];
    for (const part of hostile) {
      const bytes = Buffer.from(part.repeat(Math.ceil(PREFIX_BYTES / part.length))).subarray(0, PREFIX_BYTES);
      for (const isComplete of [true, false]) expect(sniff(bytes, isComplete)).to.be.a('string');
    }
  });
});

describe('isJsonPrefix', () => {
  const isJson = (text: string): boolean => {
    try {
      return typeof JSON.parse(text) === 'object';
    } catch {
      return false;
    }
  };

  it('agrees with JSON.parse on a complete text', () => {
    const value = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()));
    const json = fc.tuple(value, fc.constantFrom(0, 2)).map(([each, space]) => JSON.stringify(each, undefined, space));
    const marks = fc.constantFrom('', ',', '"', ']', '}', '\\', '0', '.', 'e', ' ', 'x', '\n', '\u001b', '\u007f');
    const damaged = fc.tuple(json, fc.nat(), marks).map(([text, place, mark]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + mark + text.slice(at + 1);
    });
    const check = fc.property(fc.oneof(json, damaged), (text) => {
      expect(isJsonPrefix(text, true)).to.equal(isJson(text) && text.trim() !== 'null');
    });
    fc.assert(check, runs(500));
  });

  it('accepts every beginning of an object or array', () => {
    const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    const json = value.map((each) => JSON.stringify(each));
    const check = fc.property(json, fc.nat(), (text, place) => {
      expect(isJsonPrefix(text.slice(0, 1 + (place % text.length)), false)).to.equal(true);
    });
    fc.assert(check, runs(500));
  });
});
