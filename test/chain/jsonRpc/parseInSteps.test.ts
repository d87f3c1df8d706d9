import { expect } from 'chai';
import fc from 'fast-check';
import { parseInSteps } from '../../../chain/jsonRpc/parseInSteps.ts';
import { finish } from '../../../ledger/compliance/steps.ts';
import { runs } from '../../support/propertyRuns.ts';

/** Blanks after which a text is parsed in pieces of its own. */
const GAP = ' '.repeat(17_000);

const outcomeOf = (parse: () => unknown): string => {
  try {
    return JSON.stringify(parse());
  } catch {
    return 'refused';
  }
};

/** What both parsers make of a text. */
const both = (text: string): { readonly ours: string; readonly right: string } => ({
  ours: outcomeOf(() => finish(parseInSteps(Buffer.from(text)))),
  right: outcomeOf(() => JSON.parse(text)),
});

const expectSame = (text: string): void => {
  const { ours, right } = both(text);
  expect(ours).to.equal(right);
};

describe('parseInSteps', () => {
  // With blanks after each comma and colon that is not in a string.
  const spread = (text: string): string =>
    text.replace(/"(?:\\.|[^"\\])*"|[,:]/g, (part) => (part === ',' || part === ':' ? part + GAP : part));

  it('returns what JSON.parse returns, also where a text is parsed in pieces', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => expectSame(spread(text))),
      runs(60),
    );
  });

  it('refuses what JSON.parse refuses, also where a text is parsed in pieces', () => {
    const signs = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '"a"', '"a":', '1', '\ufeff', GAP);
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), (parts) => expectSame(parts.join(''))),
      runs(300),
    );
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), signs, (text, at, sign) => {
        const place = at % (text.length + 1);
        expectSame(spread(text.slice(0, place) + sign + text.slice(place)));
      }),
      runs(60),
    );
  });

  it('joins the pieces of long strings, whatever is where they were cut', () => {
    for (const sign of ['é', '😀', '\\"', '\\\\', '\\u00e9', '\\ud83d\\ude00'])
      for (const before of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) expectSame(`"${before}${sign.repeat(20_000)}"`);
    for (const wrong of [`"${'a'.repeat(20_000)}\\"`, `"${'a'.repeat(20_000)}"a"`, `"${'a'.repeat(20_000)}\n"`])
      expect(both(wrong)).to.deep.equal({ ours: 'refused', right: 'refused' });
  });

  it('keeps names of members that objects have themselves, and the last of repeated ones', () => {
    expectSame(spread('{"__proto__":{"a":1},"b":2,"1":3,"b":4}'));
  });

  it('takes a step for each part of a large text', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({ [`name${at}`]: at }));
    const text = Buffer.from(JSON.stringify({ result: rows }));
    const steps = parseInSteps(text);
    let count = 0;
    while (!steps.next().done) count += 1;
    expect(count).to.be.at.least(Math.floor(text.length / 16_384));
  });

  it('refuses large objects of more than 1,024 members', () => {
    const toObject = (members: number): string =>
      `{${Array.from({ length: members }, (_, at) => `"${at}":"${'a'.repeat(20)}"`).join(',')}}`;
    expectSame(toObject(1_024));
    expect(both(toObject(1_025)).ours).to.equal('refused');
  });
});
