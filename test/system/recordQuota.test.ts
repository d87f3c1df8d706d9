// The bytes of records that a tenant may have on one day: counted by the ledger, so that a restart doesn't begin again.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant, type FixtureTenant, tenantAt } from '../support/fixtureTenant.ts';
import { openTestLedger, serveTestLedger } from '../support/testLedger.ts';

const DAY_MS = 86_400_000;
const NOTE = 'x'.repeat(2_000);
/** Enough for the records of the tenant's creation and some of the notes. */
const BYTES_MAX = 20_000;

describe('a quota of record bytes', () => {
  const makeDirectory = useDirectories();
  let aheadMs = 0;
  let ledger: Ledger;
  let server: Awaited<ReturnType<typeof serveTestLedger>>;
  const open = async (dataDir: string): Promise<void> => {
    const now = () => Date.now() + aheadMs;
    ledger = await openTestLedger(dataDir, { limits: { tenantRecordBytesPerDay: BYTES_MAX }, now });
    server = await serveTestLedger(ledger, { now });
  };
  const close = async (): Promise<void> => {
    await server.close();
    await ledger.close();
  };
  const codeOf = ({ body }: { body: unknown }) => (body as { details: { error: string }[] }).details[0]?.error;

  it('refuses a tenant alone, also after a restart, and until the next day', async () => {
    const dataDir = await makeDirectory();
    await open(dataDir);
    const [alpha, beta] = [
      await createFixtureTenant(ledger, server, 'alpha'),
      await createFixtureTenant(ledger, server, 'beta'),
    ];
    const asset = await alpha.createAsset();
    const fill = async (tenant: FixtureTenant): Promise<number> => {
      for (let count = 0; ; count += 1) {
        const answer = await tenant.record(asset, NOTE);
        if (answer.status === 200) continue;
        expect([answer.status, codeOf(answer)]).to.deep.equal([429, 'RECORD_QUOTA_REACHED']);
        expect(Number(answer.headers.get('retry-after'))).to.be.within(1, DAY_MS / 1_000);
        return count;
      }
    };
    expect(await fill(alpha)).to.be.within(3, 9);
    const ofBeta = await beta.createAsset();
    expect((await beta.record(ofBeta, NOTE)).status).to.equal(200);
    await close();

    await open(dataDir);
    const again = tenantAt(server, alpha, alpha.token);
    expect(await fill(again)).to.equal(0);
    const application = { display_name: 'to be revoked' };
    expect((await again.post('../iam/v1/applications', application)).status).to.equal(200);
    expect((await again.get(`${asset.identity}/events`)).status).to.equal(200);
    aheadMs = DAY_MS;
    expect((await again.record(asset, NOTE)).status).to.equal(200);
    await close();
  });
});
