// The lists that a batch doesn't look up are those that the disk lacks.
import { expect } from 'chai';
import type { RecordLog } from '../../../chain/port.ts';
import { decodeLog } from '../../../indexer/projection/decodedRecord.ts';
import { createIndexBatch } from '../../../indexer/projection/indexBatch.ts';
import { createNewestLists, type NewestLists } from '../../../indexer/projection/newestLists.ts';
import { project } from '../../../indexer/projection/projection.ts';
import { toKey } from '../../../ledger/identity.ts';
import { createIndexModel } from '../../support/indexModel.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from '../../support/records.ts';

const TENANT = toKey('tenant/00000000-0000-4000-8000-000000000001');
const POSTINGS = 4;

const toLogs = (colours: readonly string[]): RecordLog[] =>
  [
    aTenantRecord(ALPHA),
    aCreation(),
    ...colours.map((colour, at) => anEvent({ identity: eventOf(1, at + 1), event_attributes: { colour } })),
  ].map((record, at) => toRecordLog({ record }, at + 1));

/** The event's lists that a batch of this log reads, by their terms. */
const readTerms = (read: (key: Uint8Array) => unknown, newest: NewestLists, log: RecordLog): string[] => {
  const keys: Buffer[] = [];
  const batch = createIndexBatch((key) => {
    keys.push(key);
    return read(key) as never;
  }, newest);
  batch.add(project(decodeLog(log)!, batch.read));
  batch.toWrites();
  return keys.filter((key) => key[0] === POSTINGS).map((key) => key.toString('latin1', 33, key.length - 4));
};

describe('the newest lists', () => {
  it('are looked up only where the chunk has them', () => {
    const newest = createNewestLists();
    const index = createIndexModel(newest);
    const [red, blue, again] = toLogs(['red', 'blue', 'red']).slice(2);
    index.take(...toLogs([]));
    index.take(red!);
    const terms = readTerms(index.read, newest, blue!);
    expect(terms).to.include('ep16:event_attributes6:colour');
    expect(terms).not.to.include('ev16:event_attributes6:colour4:blue');
    expect(readTerms(index.read, newest, again!)).to.include('ev16:event_attributes6:colour3:red');
  });

  it('are all looked up where the chunk began before', () => {
    const index = createIndexModel();
    const logs = toLogs(['red', 'blue']);
    index.take(...logs.slice(0, 3));
    expect(readTerms(index.read, createNewestLists(), logs[3]!)).to.include('ev16:event_attributes6:colour4:blue');
  });

  it('are those of the index after it was deleted and built again', () => {
    const index = createIndexModel();
    const logs = toLogs(['red', 'blue', 'red', 'green', 'blue']);
    index.take(...logs);
    const rows = index.rows();
    index.wipe();
    for (const log of logs) index.take(log);
    expect(index.rows()).to.deep.equal(rows);
  });

  it('are kept for one chunk of a tenant, up to a bound', () => {
    const newest = createNewestLists(2);
    newest.keep(TENANT, 0, new Set(['a', 'b']));
    expect(newest.find(TENANT, 0)).to.deep.equal(new Set(['a', 'b']));
    expect(newest.find(TENANT, 1)).to.equal(undefined);
    newest.keep(TENANT, 1, new Set(['a', 'b', 'c']));
    expect(newest.find(TENANT, 0)).to.equal(undefined);
    expect(newest.find(TENANT, 1)).to.equal(undefined);
  });

  it('are none in a chunk that begins', () => {
    const newest = createNewestLists();
    newest.keep(TENANT, 0, new Set(['a']));
    expect(newest.begin(TENANT)).to.deep.equal(new Set());
    expect(newest.find(TENANT, 0)).to.equal(undefined);
  });
});
