// What each tenant may have in the outbox, and what its reads find there.
import { expect } from 'chai';
import { createOutbox, type Outbox } from '../../../chain/writing/outbox.ts';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { toTenantIdentity } from '../../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { acceptRecord } from '../../support/acceptRecord.ts';
import { useDirectories } from '../../support/directories.ts';
import { A_FAILURE, ALPHA, anEvent, assetOf, BETA, eventOf, uuidOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const aTenantOf = (number: number): string => toTenantIdentity(uuidOf(number));
const numbered = (event: number, asset = 1): LedgerRecord => anEvent({ identity: eventOf(asset, event) });
const identitiesOf = (entries: readonly OutboxEntry[]): string[] => entries.map(({ record }) => record.identity);

describe('the outbox of several tenants', () => {
  const makeDirectory = useDirectories();
  const open = (directory: string, entriesMax = 1_000): Promise<Outbox> => createOutbox({ directory, entriesMax });
  const openNew = async (entriesMax?: number): Promise<Outbox> => open(await makeDirectory(), entriesMax);
  const accept = (outbox: Outbox, record: LedgerRecord, tenantIdentity = ALPHA): Promise<OutboxEntry> =>
    acceptRecord(outbox, tenantIdentity, record, encodePayload(record));

  it('leaves a tenth to other tenants, and something to each one more', async () => {
    const outbox = await openNew(1_000);
    const fill = async (tenantIdentity: string): Promise<number> => {
      for (let count = 0; ; count += 1) {
        try {
          outbox.admit(tenantIdentity, numbered(count), new Uint8Array(1));
        } catch (error) {
          expect((error as LedgerError).code).to.equal('OUTBOX_FULL');
          return count;
        }
      }
    };
    const counts: number[] = [];
    for (const tenant of [ALPHA, BETA, aTenantOf(1), aTenantOf(2)]) counts.push(await fill(tenant));
    expect(counts).to.deep.equal([900, 90, 9, 1]);
    expect(outbox.findHealthIssue()).to.be.a('string');
    await outbox.close();
  });

  it('leaves a tenth of the bytes to other tenants too, also beside few records', async () => {
    const directory = await makeDirectory();
    const outbox = await createOutbox({ directory, entriesMax: 1_000, bytesMax: 10_000_000 });
    const fill = (tenantIdentity: string): number => {
      for (let count = 0; ; count += 1) {
        try {
          outbox.admit(tenantIdentity, numbered(count), new Uint8Array(100_000));
        } catch (error) {
          expect((error as LedgerError).code).to.equal('OUTBOX_FULL');
          return count;
        }
      }
    };
    expect([fill(ALPHA), outbox.findHealthIssue(), fill(BETA), fill(aTenantOf(1))]).to.deep.equal([
      90,
      undefined,
      9,
      1,
    ]);
    expect(outbox.findHealthIssue()).to.equal('10000000 bytes of records wait for the chain');
    await outbox.close();
  });

  it('has room for bytes again when records leave, and counts those of refused ones', async () => {
    const directory = await makeDirectory();
    const options = { directory, entriesMax: 1_000, bytesMax: 10_000 };
    const outbox = await createOutbox(options);
    const payload = new Uint8Array(3_000);
    const add = (event: number): Promise<OutboxEntry> => acceptRecord(outbox, ALPHA, numbered(event), payload);
    const entries = [await add(1), await add(2), await add(3)];
    expect(await rejectionOf(add(4))).to.equal('OUTBOX_FULL');
    await outbox.remove([entries[0]!], 1);
    await add(4);
    await outbox.fail(entries[1]!, A_FAILURE);
    expect(await rejectionOf(add(5))).to.equal('OUTBOX_FULL');
    await outbox.clearFailed(ALPHA);
    outbox.withdraw(outbox.admit(ALPHA, numbered(5), payload));
    await add(5);
    expect(outbox.pendingOf(ALPHA).bytes).to.equal(9_000);
    await outbox.close();
  });

  it('counts refused records for their tenant alone, until they are cleared', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory, 10);
    const failed: OutboxEntry[] = [];
    for (let event = 0; event < 9; event += 1) {
      const entry = await accept(outbox, numbered(event));
      await outbox.fail(entry, A_FAILURE);
      failed.push(entry);
    }
    expect(await rejectionOf(accept(outbox, numbered(9)))).to.equal('OUTBOX_FULL');
    for (let event = 0; event < 9; event += 1) await accept(outbox, numbered(event, 2), BETA);
    expect(identitiesOf(await outbox.clearFailed(ALPHA))).to.deep.equal(identitiesOf(failed));
    expect(outbox.failedCount()).to.equal(0);
    await accept(outbox, numbered(9));
    await outbox.close();
    const again = await open(directory, 10);
    expect(identitiesOf(again.readTenant(ALPHA))).to.deep.equal([eventOf(1, 9)]);
    expect([again.pendingCount(), again.failedCount()]).to.deep.equal([10, 0]);
    await again.close();
  });

  it('bounds the refused records of all tenants by what those that have some may add, and says it', async () => {
    const directory = await makeDirectory();
    const said: string[] = [];
    const options = {
      directory,
      entriesMax: 100,
      failedMax: { count: 20, bytes: 100_000 },
      onProblem: (text: string) => said.push(text),
    };
    const outbox = await createOutbox(options);
    const refuse = async (count: number, tenantIdentity: string): Promise<void> => {
      for (let event = 0; event < count; event += 1)
        await outbox.fail(await accept(outbox, numbered(event), tenantIdentity), A_FAILURE);
    };
    const fill = async (tenantIdentity: string): Promise<OutboxEntry[]> => {
      const entries: OutboxEntry[] = [];
      for (;;) {
        try {
          entries.push(await accept(outbox, numbered(entries.length), tenantIdentity));
        } catch (error) {
          expect((error as LedgerError).code).to.equal('OUTBOX_FULL');
          return entries;
        }
      }
    };

    await refuse(12, ALPHA);
    await refuse(7, BETA);
    expect([outbox.isFailedFull(), said.length]).to.deep.equal([false, 0]);
    await refuse(1, BETA);
    expect([outbox.isFailedFull(), said.length]).to.deep.equal([true, 1]);
    expect([(await fill(ALPHA)).length, (await fill(BETA)).length]).to.deep.equal([0, 0]);
    const others = await fill(aTenantOf(1));
    expect(others).to.have.length(90);
    for (const entry of others) await outbox.fail(entry, A_FAILURE);
    for (const number of [2, 3]) {
      const few = await fill(aTenantOf(number));
      expect(few).to.have.length(10);
      for (const entry of few) await outbox.fail(entry, A_FAILURE);
    }
    expect([outbox.failedCount(), said.length]).to.deep.equal([130, 1]);
    await outbox.close();

    const again = await createOutbox(options);
    expect([again.isFailedFull(), said.length]).to.deep.equal([true, 2]);
    for (const number of [1, 2, 3]) await again.clearFailed(aTenantOf(number));
    expect(await rejectionOf(accept(again, numbered(50)))).to.equal('OUTBOX_FULL');
    await again.clearFailed(BETA);
    await accept(again, numbered(50));
    await again.close();
  });

  it('bounds the bytes of the refused records of all tenants', async () => {
    const directory = await makeDirectory();
    const failedMax = { count: 1_000, bytes: 5_000 };
    const outbox = await createOutbox({ directory, entriesMax: 1_000, bytesMax: 1_000_000, failedMax });
    const add = (event: number, tenantIdentity: string): Promise<OutboxEntry> =>
      acceptRecord(outbox, tenantIdentity, numbered(event), new Uint8Array(3_000));
    for (const tenant of [ALPHA, BETA]) await outbox.fail(await add(1, tenant), A_FAILURE);
    for (const tenant of [ALPHA, BETA]) expect(await rejectionOf(add(2, tenant))).to.equal('OUTBOX_FULL');
    await add(1, aTenantOf(1));
    await outbox.close();
  });

  it('lists the entries of a tenant, and of a stream of every tenant, in the order of acceptance', async () => {
    const outbox = await openNew();
    const [first, second] = [numbered(1), numbered(2)].map((record) =>
      outbox.admit(ALPHA, record, encodePayload(record)),
    );
    const other = await accept(outbox, numbered(3), BETA);
    await outbox.store([second!]);
    expect(outbox.readTenant(ALPHA)).to.deep.equal([second]);
    await outbox.store([first!]);
    expect(outbox.readTenant(ALPHA)).to.deep.equal([first, second]);
    expect(outbox.readTenant(BETA)).to.deep.equal([other]);
    expect(outbox.readStreamOfAll(assetOf(1))).to.deep.equal([first, second, other]);
    expect(outbox.readEntries()).to.deep.equal([first, second, other]);
    await outbox.close();
  });
});
