import { expect } from 'chai';
import type { TokenContent } from '../../../../server/auth/tokens/tokenContent.ts';
import { createVerifiedTokens } from '../../../../server/auth/tokens/verifiedTokens.ts';

describe('verifiedTokens', () => {
  const content = { subject: 'alice' } as TokenContent;
  const create = () => {
    const clock = { atMs: 1000 };
    return { clock, tokens: createVerifiedTokens(() => clock.atMs) };
  };

  it('finds a token until it expires, and not at a time before it was stored', () => {
    const { clock, tokens } = create();
    tokens.keep('a', { content, validUntilMs: 2000 });
    for (const [atMs, found] of [
      [1000, content],
      [1999, content],
    ] as const) {
      clock.atMs = atMs;
      expect(tokens.find('a')).to.equal(found);
    }
    clock.atMs = 2000;
    expect(tokens.find('a')).to.equal(undefined);
    clock.atMs = 1500;
    expect(tokens.find('a')).to.equal(undefined);
    tokens.keep('b', { content, validUntilMs: 2000 });
    clock.atMs = 1499;
    expect(tokens.find('b')).to.equal(undefined);
    expect(tokens.find('B')).to.equal(undefined);
  });

  it('keeps the ten thousand newest tokens', () => {
    const { tokens } = create();
    for (let number = 0; number <= 10_000; number += 1) tokens.keep(`${number}`, { content, validUntilMs: 2000 });
    expect(tokens.find('0')).to.equal(undefined);
    expect(tokens.find('1')).to.equal(content);
    expect(tokens.find('10000')).to.equal(content);
  });

  it('keeps fewer of the tokens that are long', () => {
    const { tokens } = create();
    const long = (number: number): string => String(number).padEnd(32 * 1024, 'x');
    for (let number = 0; number < 1_100; number += 1) tokens.keep(long(number), { content, validUntilMs: 2000 });
    const kept = Array.from({ length: 1_100 }, (_, number) => tokens.find(long(number)) !== undefined);
    expect(kept.filter(Boolean)).to.have.length(1_024);
    expect([kept.at(0), kept.at(-1)]).to.deep.equal([false, true]);
  });
});
