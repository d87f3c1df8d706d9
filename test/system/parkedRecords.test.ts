// Accepted records of a tenant whose key is gone: they wait, and the server and the other tenants go on.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createOutbox } from '../../chain/writing/outbox.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { toAuthorName } from '../../host/wallets/tenantWallets.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { toUuid, toVersionIdentity } from '../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { CHAIN_KINDS, type TestNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { aLocationRecord, locationOf, uuidOf } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { openTestLedger, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

for (const kind of CHAIN_KINDS) {
  describe(`accepted records of a tenant without a usable key, on ${kind.name}`, () => {
    const makeDirectory = useDirectories();
    let dataDir: string;
    let network: TestNetwork | undefined;
    let problems: string[];
    let ledger: Ledger | undefined;
    let [alpha, beta]: FixtureTenant[] = [];

    const open = async (): Promise<Ledger> => {
      ledger = await openTestLedger(dataDir, { network, problems });
      return ledger;
    };
    const close = async (): Promise<void> => {
      await ledger?.close();
      ledger = undefined;
    };
    const keyOf = (tenant: FixtureTenant): string =>
      join(dataPaths(dataDir).keys, `${toAuthorName(toUuid(tenant.identity))}.key`);
    // As a kill leaves them.
    const accept = async (records: readonly (readonly [FixtureTenant, LedgerRecord])[]): Promise<void> => {
      const outbox = await createOutbox({ directory: dataPaths(dataDir).outbox, entriesMax: 100 });
      for (const [{ identity }, record] of records)
        await outbox.store([outbox.admit(identity, record, encodePayload(record))]);
      await outbox.close();
    };
    const findNotices = async ({ writer }: Ledger): Promise<string[]> => {
      await until(() => writer.countParked().records > 0);
      const find = createFindHealthIssues(
        () => readLedgerState(ledger!),
        () => false,
      );
      const issues = await find();
      expect(issues.every(({ isNotice }) => isNotice)).to.equal(true);
      return issues.map(({ name }) => name);
    };
    const untilConfirmed = async (identities: readonly LedgerRecord[]): Promise<void> => {
      const kept = new Set(identities.map(({ identity }) => identity));
      await until(() => ledger!.outbox.readEntries().every(({ record }) => !kept.has(record.identity)));
    };

    before(async () => {
      dataDir = await makeDirectory();
      network = await kind.prepare(dataDir);
      problems = [];
      const server = await serveTestLedger(await open());
      [alpha, beta] = [
        await createFixtureTenant(ledger!, server, 'alpha'),
        await createFixtureTenant(ledger!, server, 'beta'),
      ];
      await server.close();
      await close();
    });
    beforeEach(() => {
      problems = [];
    });
    afterEach(close);

    it('wait, are said, and hold up no other tenant, and are committed when the key is back', async () => {
      const [first, second, ofBeta] = [1, 2, 3].map((n) => aLocationRecord(n));
      // It waits behind the first version.
      const changed = aLocationRecord(1, { identity: toVersionIdentity(locationOf(1), uuidOf(2)) });
      await accept([
        [alpha!, first!],
        [alpha!, changed],
        [alpha!, second!],
        [beta!, ofBeta!],
      ]);
      const key = await readFile(keyOf(alpha!), 'utf8');
      await rm(keyOf(alpha!));
      const opened = await open();
      await untilConfirmed([ofBeta!]);
      expect(await findNotices(opened)).to.include('RECORDS_PARKED');
      expect(opened.writer.countParked()).to.deep.equal({ records: 3, tenants: 1 });
      expect(problems.filter((problem) => problem.includes(alpha!.identity))).not.to.deep.equal([]);
      expect(await rejectionOf(opened.writer.append(alpha!.identity, aLocationRecord(4)))).to.equal(
        'AUTHOR_UNAVAILABLE',
      );
      expect((await opened.writer.append(beta!.identity, aLocationRecord(5))).confirmation_status).to.equal(
        'CONFIRMED',
      );
      await close();
      await writeFile(keyOf(alpha!), key, { mode: 0o600 });
      const again = await open();
      await untilConfirmed([first!, second!]);
      expect(again.writer.countParked()).to.deep.equal({ records: 0, tenants: 0 });
    });

    it('wait when the file of the key is damaged, and are committed when it is whole while the server runs', async () => {
      const [ofAlpha, ofBeta] = [6, 7].map((n) => aLocationRecord(n));
      await accept([
        [alpha!, ofAlpha!],
        [beta!, ofBeta!],
      ]);
      const key = await readFile(keyOf(alpha!), 'utf8');
      await writeFile(keyOf(alpha!), '');
      const opened = await open();
      await untilConfirmed([ofBeta!]);
      expect(await findNotices(opened)).to.have.members(['AUTHOR_UNAVAILABLE', 'RECORDS_PARKED']);
      await writeFile(keyOf(alpha!), key);
      await opened.wallets.add(alpha!.identity);
      expect((await opened.writer.append(beta!.identity, aLocationRecord(8))).confirmation_status).to.equal(
        'CONFIRMED',
      );
      await untilConfirmed([ofAlpha!]);
      expect(opened.writer.countParked()).to.deep.equal({ records: 0, tenants: 0 });
    });
  });
}
