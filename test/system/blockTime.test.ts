// The timestamp of a block of the embedded chain is the end of the current second (decision 57).
import { expect } from 'chai';
import type { EventResource } from '../../ledger/records/event.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

const EVENTS = 10;

describe('the time of a block', () => {
  const shared = useSharedLedger();

  it('is not before the acceptance of its records, and is at most one second ahead of the clock', async () => {
    const { alpha } = shared();
    const asset = await alpha.createAsset();
    for (let count = 1; count <= EVENTS; count += 1) await alpha.record(asset, `event ${count}`);
    const { body } = await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events`);
    expect(body.events).to.have.length(EVENTS + 1);
    for (const { timestamp_accepted, timestamp_committed } of body.events) {
      expect(Date.parse(timestamp_committed)).to.be.at.least(Date.parse(timestamp_accepted));
      expect(Date.parse(timestamp_committed)).to.be.at.most(Date.now() + 1_000);
    }
  });
});
