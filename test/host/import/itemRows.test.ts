import { expect } from 'chai';
import { createItemRows } from '../../../host/import/itemRows.ts';
import { type SourceRecord, toSourceItem } from '../../../host/import/sourceItem.ts';

const toAsset = (asset: number): string => `assets/6a1f1f1e-0b7e-4a58-9f43-00000000000${asset}`;
const event = (asset: number, n: number, time: number, changes: object = {}): SourceRecord =>
  toSourceItem(1, {
    identity: `${toAsset(asset)}/events/00000000-0000-4000-8000-00000000000${n}`,
    timestamp_accepted: `2021-03-01T00:00:00.00${time}Z`,
    ...changes,
  }) as SourceRecord;
const toPlace = (block: number, transaction: number, log: number) => ({
  block_number: block,
  transaction_index: transaction,
  log_index: log,
});
const addTo = (rows: ReturnType<typeof createItemRows>, list: readonly SourceRecord[]): void => {
  for (const record of list) rows.add({ from: Number(record.identity.at(-1)), to: 0, line: 1 }, record);
};
const orderOf = (...lists: SourceRecord[][]): number[] => {
  const rows = createItemRows();
  for (const list of lists) {
    rows.beginList();
    addTo(rows, list);
    rows.endList();
  }
  rows.end();
  return [...rows.inOrder('event')].map(({ from }) => from);
};
const orderOfLines = (...lines: SourceRecord[]): number[] => {
  const rows = createItemRows();
  addTo(rows, lines);
  rows.end();
  return [...rows.inOrder('event')].map(({ from }) => from);
};

describe('the order of the events of lists', () => {
  it('is that of their times, also where pages are not in order', () => {
    expect(orderOf([event(1, 3, 3), event(1, 1, 1)], [event(1, 4, 4), event(1, 2, 2)])).to.eql([1, 2, 3, 4]);
  });

  it('is newest first where all times of a list, or of its pages, are equal', () => {
    expect(orderOf([event(1, 3, 1), event(1, 2, 1), event(1, 1, 1)])).to.eql([1, 2, 3]);
    expect(orderOf([event(1, 4, 1), event(1, 3, 1)], [event(1, 2, 1), event(1, 1, 1)])).to.eql([1, 2, 3, 4]);
  });

  it('is that of each list for itself where times are equal', () => {
    const newestFirst = [event(1, 3, 2), event(1, 2, 1), event(1, 1, 1)];
    const oldestFirst = [event(2, 4, 3), event(2, 5, 3), event(2, 6, 4)];
    expect(orderOf(newestFirst, oldestFirst)).to.eql([1, 2, 3, 4, 5, 6]);
    expect(orderOf(oldestFirst, newestFirst)).to.eql([1, 2, 3, 4, 5, 6]);
  });

  it('is newest first where the lists of a later asset follow', () => {
    const first = [event(1, 3, 2), event(1, 2, 1), event(1, 1, 1)];
    const second = [event(2, 6, 5), event(2, 5, 4), event(2, 4, 4)];
    expect(orderOf(first, second)).to.eql([1, 2, 3, 4, 5, 6]);
    expect(orderOf([...first, ...second])).to.eql([1, 2, 3, 4, 5, 6]);
  });

  it('is that of their places on the chain where times are equal', () => {
    const events = [
      event(1, 2, 1, toPlace(5, 1, 0)),
      event(1, 4, 1, toPlace(10, 0, 0)),
      event(1, 1, 1, toPlace(5, 0, 7)),
      event(1, 3, 1, toPlace(5, 1, 1)),
    ];
    expect(orderOf(events)).to.eql([1, 2, 3, 4]);
  });

  it('is that of their places on the chain, whatever their times, where all have one', () => {
    const events = [event(1, 2, 1, toPlace(6, 0, 0)), event(1, 1, 2, toPlace(5, 0, 0))];
    expect(orderOf(events)).to.eql([1, 2]);
  });

  it('is oldest first for lines whose times are equal, and that of their times otherwise', () => {
    expect(orderOfLines(event(1, 1, 1), event(1, 2, 1), event(1, 3, 1))).to.eql([1, 2, 3]);
    expect(orderOfLines(event(1, 3, 3), event(1, 1, 1), event(2, 2, 2))).to.eql([1, 2, 3]);
    expect(orderOfLines(event(1, 4, 3), event(1, 3, 3), event(1, 2, 1), event(1, 1, 1))).to.eql([1, 2, 3, 4]);
  });

  it('has no place on a chain before its commitment', () => {
    const events = [
      event(1, 3, 3, toPlace(0, 0, 0)),
      event(1, 1, 1, toPlace(9, 0, 0)),
      event(1, 2, 2, toPlace(1, 0, 0)),
    ];
    expect(orderOf(events)).to.eql([1, 2, 3]);
  });

  it('is that of the list where an event of the same time has no place', () => {
    for (const place of [{}, { block_number: '1', transaction_index: 0, log_index: 0 }])
      expect(
        orderOf([event(1, 3, 1, place), event(1, 2, 1, toPlace(2, 0, 0)), event(1, 1, 1, toPlace(9, 0, 0))]),
      ).to.eql([1, 2, 3]);
  });
});
