// The limits of the record writer: an obstacle that the chain reports, and the number of mined batches.
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { anEvent, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter } from '../../support/writerSetting.ts';

const numbered = (event: number): LedgerRecord => anEvent({ identity: eventOf(1, event) });

describe('record writer', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();

  for (const code of ['RELAYER_UNFUNDED', 'CHAIN_MISMATCH'] as const) {
    it(`refuses records while the chain reports ${code}, and accepts again afterwards`, async () => {
      const setting = await openWriter(await makeDirectory());
      setting.chain.beforeSubmit = async () => {
        throw new LedgerError(code);
      };
      void setting.append(numbered(1));
      await time.until(() => setting.problems.length === 1);
      expect(await rejectionOf(setting.append(numbered(2)))).to.equal(code);
      expect(setting.outbox.readEntries()).to.have.length(1);
      setting.chain.beforeSubmit = async () => undefined;
      await time.passUntil(() => setting.outbox.readEntries().length === 0);
      expect((await setting.append(numbered(3))).confirmation_status).to.equal('CONFIRMED');
      await setting.close();
    });
  }

  it('continues to accept while the chain is only unavailable', async () => {
    const setting = await openWriter(await makeDirectory());
    setting.chain.faults.push('away');
    void setting.append(numbered(1));
    await time.until(() => setting.problems.length === 1);
    void setting.append(numbered(2));
    await time.until(() => setting.outbox.readEntries().length === 2);
    await time.passUntil(() => setting.chain.appended.length === 2);
    await setting.close();
  });

  it('submits no more batches than may be mined and not completed, plus one', async () => {
    const setting = await openWriter(await makeDirectory(), { limits: { batchRecordsMax: 1 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    setting.chain.beforeCatchUp = () => promise;
    for (const event of [1, 2, 3, 4, 5]) void setting.append(numbered(event));
    await time.until(() => setting.outbox.readEntries().length === 5 && setting.chain.submitted.length === 2);
    await time.turns();
    expect(setting.chain.submitted).to.have.length(2);
    resolve();
    await time.until(() => setting.outbox.readEntries().length === 0);
    expect(setting.chain.submitted).to.have.length(5);
    await setting.close();
  });
});
