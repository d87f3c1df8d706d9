// The limits of the record writer: an obstacle that the chain reports, and the number of mined batches.
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { anEvent, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter } from '../../support/writerFixture.ts';

const numbered = (event: number): LedgerRecord => anEvent({ identity: eventOf(1, event) });

describe('record writer', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();

  for (const code of ['RELAYER_UNFUNDED', 'CHAIN_MISMATCH'] as const) {
    it(`refuses records while the chain reports ${code}, and accepts again afterwards`, async () => {
      const fixture = await openWriter(await makeDirectory());
      fixture.chain.beforeSubmit = async () => {
        throw new LedgerError(code);
      };
      void fixture.append(numbered(1));
      await time.until(() => fixture.problems.length === 1);
      expect(await rejectionOf(fixture.append(numbered(2)))).to.equal(code);
      expect(fixture.outbox.readEntries()).to.have.length(1);
      fixture.chain.beforeSubmit = async () => undefined;
      await time.passUntil(() => fixture.outbox.readEntries().length === 0);
      expect((await fixture.append(numbered(3))).confirmation_status).to.equal('CONFIRMED');
      await fixture.close();
    });
  }

  it('continues to accept while the chain is only unavailable', async () => {
    const fixture = await openWriter(await makeDirectory());
    fixture.chain.faults.push('away');
    void fixture.append(numbered(1));
    await time.until(() => fixture.problems.length === 1);
    void fixture.append(numbered(2));
    await time.until(() => fixture.outbox.readEntries().length === 2);
    await time.passUntil(() => fixture.chain.appended.length === 2);
    await fixture.close();
  });

  it('submits no more batches than may be mined and not completed, plus one', async () => {
    const fixture = await openWriter(await makeDirectory(), { limits: { batchRecordsMax: 1 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    fixture.chain.beforeCatchUp = () => promise;
    for (const event of [1, 2, 3, 4, 5]) void fixture.append(numbered(event));
    await time.until(() => fixture.outbox.readEntries().length === 5 && fixture.chain.submitted.length === 2);
    await time.turns();
    expect(fixture.chain.submitted).to.have.length(2);
    resolve();
    await time.until(() => fixture.outbox.readEntries().length === 0);
    expect(fixture.chain.submitted).to.have.length(5);
    await fixture.close();
  });
});
