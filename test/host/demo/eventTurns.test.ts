import { expect } from 'chai';
import { toEventRequests } from '../../../host/demo/eventTurns.ts';
import type { DemoAuthor } from '../../../host/demo/plan.ts';

const toEvents = (asset: string, authors: string) =>
  [...authors].map((letter, position) => ({
    author: ({ c: 'carrier', p: 'port', i: 'inspector' } as const)[letter]! as DemoAuthor,
    name: `${asset}${position}`,
  }));

describe('the requests for the events of several assets', () => {
  it('have each event once, in the order of its asset, and one application each', () => {
    const assets = [toEvents('a', 'ppiccc'), toEvents('b', 'cipci'), toEvents('d', '')];
    const requests = toEventRequests(assets);
    const sent = requests.flatMap(({ events }) => events);
    for (const events of assets) expect(sent.filter((event) => events.includes(event))).to.deep.equal(events);
    expect(sent).to.have.length(11);
    for (const { author, events } of requests)
      expect(events.map((event) => event.author)).to.deep.equal(events.map(() => author));
  });

  it('send the events of assets together', () => {
    expect(toEventRequests([toEvents('a', 'pc'), toEvents('b', 'pc')])).to.have.length(2);
  });

  it('have at most 500 events', () => {
    const requests = toEventRequests([toEvents('a', 'c'.repeat(1_001))]);
    expect(requests.map(({ events }) => events.length)).to.deep.equal([500, 500, 1]);
  });
});
