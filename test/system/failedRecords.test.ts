// Records that the chain refused: they are said until an operator clears them.
import { expect } from 'chai';
import { createOutbox } from '../../chain/writing/outbox.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { A_FAILURE, aLocationRecord } from '../support/records.ts';
import { runScript } from '../support/runScript.ts';
import { openTestLedger, serveTestLedger } from '../support/testLedger.ts';

describe('records that the chain refused', () => {
  const makeDirectory = useDirectories();
  const findNotices = async (ledger: Ledger): Promise<string[]> => {
    const find = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    return (await find()).map(({ name }) => name);
  };

  it('are said in readyz, listed, and cleared by a command, with a server and without one', async () => {
    const dataDir = await makeDirectory();
    let ledger = await openTestLedger(dataDir);
    const server = await serveTestLedger(ledger);
    const { identity } = await createFixtureTenant(ledger, server, 'alpha');
    await server.close();
    await ledger.close();
    const refuse = async (number: number): Promise<string> => {
      const outbox = await createOutbox({ directory: dataPaths(dataDir).outbox, entriesMax: 100 });
      const record = aLocationRecord(number);
      await outbox.fail(outbox.admit(identity, record, encodePayload(record)), A_FAILURE);
      await outbox.close();
      return record.identity;
    };

    const first = await refuse(1);
    ledger = await openTestLedger(dataDir);
    expect(await findNotices(ledger)).to.deep.equal(['RECORDS_FAILED']);
    const { listFailed, clearFailed } = createOperatorCommands(ledger);
    const listed = (await listFailed!({})) as { identity: string; reason: string }[];
    expect(listed.map((record) => [record.identity, record.reason])).to.deep.equal([[first, A_FAILURE.reason]]);
    expect(await clearFailed!({ tenant: identity })).to.deep.equal(listed);
    expect(await findNotices(ledger)).to.deep.equal([]);
    await ledger.close();

    const second = await refuse(2);
    const cleared = await runScript('tenant.ts', dataDir, ['clear-failed', identity]);
    expect(cleared.stdout, cleared.stderr).to.include(second).and.not.include(first);
    ledger = await openTestLedger(dataDir);
    expect(ledger.outbox.failedCount()).to.equal(0);
    await ledger.close();
  });
});
