import { expect } from 'chai';
import fc from 'fast-check';
import { findRepeatedMember, findRepeatedName, hasRepeatedMember } from '../../../ledger/encoding/repeatedNames.ts';
import { codePoints } from '../../support/codePoints.ts';
import { runs } from '../../support/propertyRuns.ts';

const REPEATED: readonly [string, string][] = [
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"b":{"c":[{"d":1,"d":2}]}}', 'd'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{ "a" : 1 , "b" : 2 ,\n"a"\t: 3}', 'a'],
  ['[{"":1,"":2}]', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a":{"b":1},"c":{"b":1},"a":[]}', 'a'],
  ['{"\\"":1,"\\u0022":2}', '"'],
  ['{"a":"\\\\","a":1}', 'a'],
];
const SINGLE = [
  'null',
  '"{\\"a\\":1,\\"a\\":2}"',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
  '{"a":"a","b":"a:a","c":"\\",\\"a\\":1"}',
  '["a","a",{"a":1},"a"]',
  '{"constructor":1,"toString":2,"a":[],"A":{}}',
];

// Both functions must agree on every text.
const find = (json: string): string | undefined => {
  const name = findRepeatedName(json);
  expect(hasRepeatedMember(json, JSON.parse(json))).to.equal(name !== undefined);
  return name;
};

describe('findRepeatedName', () => {
  for (const [text, name] of REPEATED) {
    it(`finds ${JSON.stringify(name)} in ${text.replaceAll(/\s/g, ' ')}`, () => {
      expect(() => JSON.parse(text)).to.not.throw();
      expect(find(text)).to.equal(name);
    });
  }

  it('returns the path of the member', () => {
    expect(findRepeatedMember('{"a":[1,[2],{"b":1,"c,":{"d":1,"d":2}}]}')).to.eql(['a', 2, 'c,', 'd']);
    expect(findRepeatedMember('[{"a":1},{"b":[],"b":1}]')).to.eql([1, 'b']);
  });

  for (const text of SINGLE) {
    it(`finds none in ${text}`, () => {
      expect(() => JSON.parse(text)).to.not.throw();
      expect(find(text)).to.equal(undefined);
    });
  }

  it('finds none in the output of JSON.stringify, however it is indented', () => {
    const check = fc.property(fc.jsonValue({ stringUnit: codePoints }), fc.nat(3), (value, indent) => {
      expect(find(JSON.stringify(value, null, indent))).to.equal(undefined);
    });
    fc.assert(check, runs(500));
  });

  it('finds a member that any object has twice', () => {
    const objects = fc.dictionary(fc.string({ unit: codePoints }), fc.jsonValue({ maxDepth: 2 }), {
      minKeys: 1,
      maxKeys: 5,
    });
    const check = fc.property(objects, fc.nat(), fc.nat(), (object, from, to) => {
      const members = Object.entries(object).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      const repeated = members[from % members.length]!;
      const at = to % (members.length + 1);
      const text = `{"outer":[{${members.toSpliced(at, 0, repeated).join(',')}}]}`;
      expect(find(text)).to.equal(Object.keys(object)[from % members.length]);
    });
    fc.assert(check, runs(300));
  });
});
