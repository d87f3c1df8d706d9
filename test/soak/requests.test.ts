import { expect } from 'chai';
import { findDifferences, type ListedEvent, type LoadRequest, type Manner, type Place } from './requests.ts';

const placeOf = (number: number, changed: Partial<Place> = {}): Place => ({
  identity: `assets/a/events/${number}`,
  status: 'CONFIRMED',
  block: 100 + number,
  transaction: `0x${number}`,
  log: 0,
  ...changed,
});

const listed = (number: number, changed: Partial<ListedEvent> = {}): ListedEvent => ({
  ...placeOf(number),
  number,
  ...changed,
});

const requestOf = (answers: Place[], manner: Manner = 'with key'): LoadRequest => ({
  manner,
  answers,
  isOvertakable: manner === 'vanishing',
});

const pending = (number: number): Place => placeOf(number, { status: 'PENDING', block: 0, transaction: '' });

describe('the comparison of requests with the events of their asset', () => {
  const requests = [
    requestOf([placeOf(0)]),
    requestOf([pending(1), placeOf(1)]),
    requestOf([], 'without key'),
    requestOf([], 'vanishing'),
    requestOf([placeOf(4)]),
  ];
  const sound = [listed(0), listed(1), listed(2), listed(4), listed(3)];

  it('accepts answered events, and those of an unanswered client at most once', () => {
    expect(findDifferences(requests, sound)).to.deep.equal([]);
    expect(findDifferences(requests, [listed(0), listed(1), listed(4)])).to.deep.equal([]);
  });

  const cases: readonly (readonly [string, readonly ListedEvent[], RegExp])[] = [
    ['an answered event is missing', sound.slice(1), /answered .*but the ledger has undefined/],
    ['an event that was answered PENDING is missing', sound.toSpliced(1, 1), /answered .*PENDING/],
    ['an answered event has another block', sound.with(0, listed(0, { block: 7 })), /but the ledger has .*"block":7/],
    ['an answered event has another transaction', sound.with(0, listed(0, { transaction: '0x9' })), /"0x9"/],
    ['an answered event has another identity', sound.with(0, listed(0, { identity: 'other' })), /"other"/],
    ['an event is still PENDING', sound.with(2, listed(2, { status: 'PENDING' })), /is PENDING/],
    ['one request has two events', [...sound, listed(3, { identity: 'twin' })], /one request has 2 events: .*twin/],
    ['an event was never requested', [...sound, listed(9)], /never requested \(number 9\)/],
    ['an event has no number', [...sound, listed(Number.NaN)], /never requested/],
    ['events are out of order', [listed(1), listed(0), ...sound.slice(2)], /follows a later request/],
  ];
  for (const [fact, events, expected] of cases)
    it(`reports that ${fact}`, () => {
      expect(findDifferences(requests, events).join('\n')).to.match(expected);
    });

  it('reports an answer FAILED', () => {
    expect(findDifferences([requestOf([placeOf(0, { status: 'FAILED' })])], [listed(0)])).to.have.length(1);
  });
});
