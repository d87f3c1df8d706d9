// An asset with several checkpoints. Each event adds one attachment, so the attachments show which events were applied.
import { expect } from 'chai';
import { readPastAsset } from '../../../indexer/reads/pastAsset.ts';
import { toAssetIdentity } from '../../../ledger/identity.ts';
import { useDirectories } from '../../support/directories.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anAttach, aTenantRecord, eventOf, uuidOf } from '../../support/records.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const EVENTS = 1_100;
const BEGIN_MS = Date.parse('2026-01-01T00:00:00.000Z');
const acceptedAt = (number: number): number => BEGIN_MS + number * 1_000 - ((number * 7_919) % 61) * 1_000;
const attach = (number: number) =>
  anAttach([], {
    identity: eventOf(1, number),
    event_attributes: { arc_append_attachments: [{}] },
    timestamp_accepted: new Date(acceptedAt(number)).toISOString(),
  });

describe('past of an asset with many events', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  before(async () => {
    index = await openIndex(await makeDirectory());
    const creation = aCreation({ timestamp_accepted: new Date(BEGIN_MS - 100_000).toISOString() });
    const events = Array.from({ length: EVENTS }, (_, number) => attach(number + 1));
    const records = [aTenantRecord(ALPHA), creation, ...events];
    await index.take(records.map((record, at) => toRecordLog({ record }, at + 1)));
  });
  after(() => index.store.close());

  it('applies each event that was accepted by then, and no other, on either side of every checkpoint', async () => {
    const numbers = Array.from({ length: EVENTS }, (_, number) => number + 1);
    for (const second of [
      -61, 0, 30, 195, 200, 230, 254, 255, 256, 257, 300, 450, 465, 480, 500, 511, 512, 513, 767, 1_023, 1_024, 2_000,
    ]) {
      const atMs = BEGIN_MS + second * 1_000;
      const past = await index.view.readAssetAt(ALPHA, uuidOf(1), atMs);
      const attachments = (past!.state.attributes.arc_attachments ?? []) as readonly object[];
      expect(attachments.length, `${second}`).to.equal(numbers.filter((number) => acceptedAt(number) <= atMs).length);
    }
  });

  it('is the newest state, without a read of an event, from the latest acceptance on', async () => {
    const snapshot = await index.store.snapshot();
    const refuse = (): never => expect.fail('another row was read');
    const ofRow = { ...snapshot, readMany: refuse, readLong: refuse, readFirst: refuse, readLast: refuse };
    const name = { tenantIdentity: ALPHA, identity: toAssetIdentity(uuidOf(1)) };
    const latestMs = Math.max(...Array.from({ length: EVENTS }, (_, at) => acceptedAt(at + 1)));
    try {
      const newest = await index.view.readAsset(ALPHA, uuidOf(1));
      expect(await readPastAsset(ofRow, name, latestMs)).to.deep.equal(newest);
      expect(await readPastAsset(snapshot, name, latestMs, EVENTS + 1)).to.deep.equal(newest);
    } finally {
      await snapshot.close();
    }
  });

  it('does not exist before the creation', async () => {
    expect(await index.view.readAssetAt(ALPHA, uuidOf(1), BEGIN_MS - 100_001)).to.equal(undefined);
  });
});
