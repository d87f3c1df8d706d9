import { expect } from 'chai';
import { collectRecords } from '../../../host/evidence/historyEvidence.ts';
import type { TreeRecord } from '../../../indexer/treeView.ts';
import { advanceHead, EMPTY_HEAD } from '../../../ledger/encoding/digest.ts';

const toRecord = (number: number): TreeRecord =>
  ({ leaf: { digest: new Uint8Array(32).fill(number) }, payload: Uint8Array.of(number) }) as TreeRecord;
const STREAM = { tenantKey: new Uint8Array(32), streamKey: new Uint8Array(32) };
const headOf = (records: readonly TreeRecord[]): Uint8Array =>
  records.reduce((head, { leaf }) => advanceHead(head, leaf.digest), EMPTY_HEAD);

describe('the records of a stream for evidence', () => {
  const RECORDS = [1, 2, 3].map(toRecord);
  const collect = async (span: { from: number; to: number }, head: Uint8Array, isDisclosed = false) => {
    const trees = {
      readStreamRecords: async (_tenant: unknown, _stream: unknown, first: number, last: number) =>
        RECORDS.slice(first - 1, last),
    };
    const context = { trees, holdAtLeast: () => undefined } as unknown as Parameters<typeof collectRecords>[0];
    const wanted = { isDisclosed, head } as Parameters<typeof collectRecords>[3];
    return collectRecords(context, STREAM, span, wanted).catch((error: Error) => error.message);
  };

  it('are their digests, or they themselves', async () => {
    const all = { from: 1, to: 3 };
    const digests = RECORDS.map(({ leaf }) => leaf.digest);
    expect(await collect(all, headOf(RECORDS))).to.eql({ digests, records: [] });
    expect(await collect(all, headOf(RECORDS), true)).to.eql({ digests: [], records: RECORDS });
  });

  it('are not those of an index that lacks some of them', async () => {
    expect(await collect({ from: 1, to: 4 }, headOf(RECORDS))).to.match(/^the index lacks records 1 to 4 /);
  });

  it('are not those that lead to another head', async () => {
    expect(await collect({ from: 1, to: 2 }, headOf(RECORDS))).to.match(/do not lead to its head/);
  });
});
