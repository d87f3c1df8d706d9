// The check of the order of lists accepts the two parts of the default order, and nothing else.
import { expect } from 'chai';
import type { ListWalk } from '../clients/history.ts';
import { findItemOutOfOrder, type Member } from './listOrder.ts';

const TIMES = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 5 };
type Name = keyof typeof TIMES;

// Positions on the chain: c was overtaken by d and e, and f was refused.
const POSITIONS: Readonly<Record<Name, number | undefined>> = { a: 0, b: 1, d: 2, e: 3, c: 4, f: undefined };

const MEMBERS = new Map(
  (Object.keys(TIMES) as Name[]).map((name): [string, Member] => [
    name,
    { tenantKey: '0x', acceptedAt: `2026-11-20T12:00:0${TIMES[name]}.000Z`, position: POSITIONS[name] },
  ]),
);

// A page names its items in order; those in capitals are confirmed.
const toWalk = (pages: readonly string[], order = 'DEFAULT'): ListWalk => ({
  list: 'events',
  tenantIdentity: 'tenant/1',
  streamIdentity: undefined,
  order,
  pageSize: undefined,
  pages: pages.map((page, at) => ({
    sentMs: at,
    atMs: at,
    total: 6,
    isLast: at === pages.length - 1,
    items: [...page].map((letter) => ({
      identity: letter.toLowerCase(),
      confirmation_status: letter === letter.toLowerCase() ? 'PENDING' : 'CONFIRMED',
    })),
  })),
});

describe('the check of the order of lists', () => {
  const IN_ORDER: readonly (readonly [string, readonly string[]])[] = [
    ['uncommitted ones by acceptance and identity, then positions', ['fedcBA']],
    ['all by position', ['fCEDBA']],
    ['the same on pages', ['fC', 'ED', 'B', 'A']],
    ['what was uncommitted at the first page by acceptance, when it is committed before the second', ['fe', 'DCBA']],
    ['the same with positions after it', ['fed', 'CB', 'A']],
    ['what is still uncommitted among what is committed', ['fe', 'DcBA']],
    ['nothing', ['']],
  ];
  for (const [what, pages] of IN_ORDER) {
    it(`accepts ${what}`, () => expect(findItemOutOfOrder(toWalk(pages), MEMBERS)).to.equal(undefined));
  }

  const OUT_OF_ORDER: readonly (readonly [string, readonly string[]])[] = [
    ['uncommitted ones by position', ['fcedBA']],
    ['uncommitted ones of one millisecond against their identities', ['efdcBA']],
    ['confirmed ones of the first page by acceptance', ['EDCBA']],
    ['a confirmed one before an uncommitted one on the first page', ['fBc']],
    ['an older one before a newer one on another page', ['fe', 'cd']],
    ['an uncommitted one after the second part has begun', ['fEDB', 'c']],
    ['confirmed ones in the wrong order on a later page', ['f', 'EC', 'DAB']],
  ];
  for (const [what, pages] of OUT_OF_ORDER) {
    it(`finds ${what}`, () => expect(findItemOutOfOrder(toWalk(pages), MEMBERS)).to.be.a('string'));
  }

  it('knows the order of acceptance', () => {
    expect(findItemOutOfOrder(toWalk(['ABCdef'], 'SIMPLEHASHV2'), MEMBERS)).to.equal(undefined);
    expect(findItemOutOfOrder(toWalk(['ABCdfe'], 'SIMPLEHASHV2'), MEMBERS)).to.equal('e');
  });
});
