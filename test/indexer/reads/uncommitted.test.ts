import { expect } from 'chai';
import fc from 'fast-check';
import { toAsset } from '../../../indexer/reads/recordReads.ts';
import { createOverlayRow, overlayAsset, type UncommittedEvent } from '../../../indexer/reads/uncommitted.ts';
import type { AssetRow } from '../../../indexer/rows/rows.ts';
import { createAssetState } from '../../../ledger/assets/asset.ts';
import { ALPHA, anEvent, assetOf, eventOf, SETTINGS } from '../../support/records.ts';

const rowOf = (number: number): AssetRow => ({
  identity: assetOf(1),
  tenant_identity: ALPHA,
  owner: '0x',
  confirmation_status: 'CONFIRMED',
  state: createAssetState(SETTINGS, { row: String(number) }),
  number: 0,
  creationNumber: 0,
  eventCount: 1,
  latestAcceptedMs: 0,
});
const ROWS = [undefined, rowOf(1), rowOf(2)];

const ENTRIES: UncommittedEvent[] = Array.from({ length: 4 }, (_, event) => ({
  sequence: event,
  tenantIdentity: ALPHA,
  streamIdentity: assetOf(1),
  record: anEvent({ identity: eventOf(1, event), asset_attributes: { last: String(event), [`n${event}`]: '1' } }),
  status: event === 2 ? 'FAILED' : 'PENDING',
}));

describe('asset with uncommitted events', () => {
  it('is the same when it is continued from an earlier read, whatever was read before', () => {
    const step = fc.record({ row: fc.constantFrom(...ROWS), entries: fc.subarray(ENTRIES) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const overlayRow = createOverlayRow(toAsset);
        for (const { row, entries } of steps)
          expect(overlayRow(row, entries)).to.deep.equal(overlayAsset(row && toAsset(row), entries));
      }),
    );
  });

  it('applies only the events that were added', () => {
    const overlayRow = createOverlayRow(toAsset);
    const row = rowOf(1);
    const counted: string[] = [];
    const entries = ENTRIES.map((entry) => ({
      ...entry,
      get status() {
        counted.push(entry.record.identity);
        return entry.status;
      },
    }));
    overlayRow(row, entries.slice(0, 3));
    counted.splice(0);
    overlayRow(row, entries);
    expect(counted).to.deep.equal([eventOf(1, 3)]);
  });
});
