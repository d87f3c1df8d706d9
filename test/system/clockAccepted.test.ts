// A clock that was ahead for some records and is right again: the operator accepts that, and the ledger goes on.
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ClockSetBackError } from '../../host/checks/clockCheck.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS, type TestNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant, type FixtureTenant, tenantAt } from '../support/fixtureTenant.ts';
import { type Run, runCommandScript } from '../support/runScript.ts';
import { type ListeningServer, openTestLedger, serveTestLedger } from '../support/testLedger.ts';

const AHEAD_MS = 2 * 86_400_000;

for (const kind of CHAIN_KINDS) {
  describe(`a clock that was ahead, on ${kind.name}`, () => {
    const makeDirectory = useDirectories();
    let dataDir: string;
    let network: TestNetwork | undefined;
    let ledger: Ledger | undefined;
    let server: ListeningServer;
    let tenant: FixtureTenant | undefined;
    let asset: AssetResource;

    const open = async (): Promise<void> => {
      ledger = await openTestLedger(dataDir, { network });
      server = await serveTestLedger(ledger, { now: ledger.now });
      tenant =
        tenant === undefined
          ? await createFixtureTenant(ledger, server, 'alpha')
          : tenantAt(server, tenant, tenant.token);
    };
    const close = async (): Promise<void> => {
      if (ledger === undefined) return;
      await server.close();
      await ledger.close();
      ledger = undefined;
    };
    // Of two days ahead, a token of the fixture would have expired.
    const recordAhead = async (): Promise<void> => {
      ledger = await openTestLedger(dataDir, { network, now: () => Date.now() + AHEAD_MS });
      server = await serveTestLedger(ledger, { now: ledger.now });
      await createFixtureTenant(ledger, server, `ahead-${Math.random()}`);
      await close();
    };
    const findRefusal = (): Promise<unknown> =>
      open().then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
    const runClock = (args: readonly string[], answer?: string): Promise<Run> => {
      const settings = {
        DATA_DIR: dataDir,
        ...(network && { CHAIN_RPC_URL: network.urls[0]!, CHAIN_CONFIRMATIONS: '1' }),
      };
      return runCommandScript('clock.ts', args, settings, answer === undefined ? undefined : Readable.from([answer]));
    };
    const record = async (): Promise<EventResource> => (await tenant!.record(asset, 'an event')).body;

    before(async () => {
      dataDir = await makeDirectory();
      network = await kind.prepare(dataDir);
      await open();
      asset = await tenant!.createAsset();
      await close();
      await recordAhead();
    });
    afterEach(close);

    it('refuses a start with the command that goes on, which asks first', async () => {
      const refusal = await findRefusal();
      expect(refusal).to.be.instanceOf(ClockSetBackError);
      expect((refusal as Error).message).to.contain('npm run clock -- accept');
      const newest = new Date(Date.now() + AHEAD_MS).toISOString().slice(0, 10);
      for (const answer of [undefined, 'no\n', '']) {
        const { code, stdout, stderr } = await runClock(['accept'], answer);
        expect(code, stderr).to.equal(1);
        expect(stdout).to.contain(newest);
      }
      expect(await findRefusal()).to.be.instanceOf(ClockSetBackError);
    });

    it('is accepted, and then records get the times of the clock, and later starts pass', async () => {
      const { code, stderr } = await runClock(['accept'], 'yes\n');
      expect(code, stderr).to.equal(0);
      await open();
      const aboutNow = Date.now() + AHEAD_MS / 2;
      const first = await record();
      expect(first.confirmation_status).to.equal('CONFIRMED');
      expect(Date.parse(first.timestamp_accepted)).to.be.lessThan(aboutNow);
      if (network === undefined) expect(Date.parse(first.timestamp_committed)).to.be.greaterThan(aboutNow);
      const at = encodeURIComponent(new Date(Date.now() + 1_000).toISOString());
      expect((await tenant!.get(`${asset.identity}?at_time=${at}`)).status).to.equal(200);
      await close();
      await open();
      const second = await record();
      expect(Date.parse(second.timestamp_accepted)).to.be.at.least(Date.parse(first.timestamp_accepted));
      const { events } = (await tenant!.get<{ events: EventResource[] }>(`${asset.identity}/events`)).body;
      expect(events.map(({ identity }) => identity).slice(0, 2)).to.deep.equal([second.identity, first.identity]);
      await close();
      const nothing = await runClock(['accept']);
      expect([nothing.code, nothing.stdout.includes('nothing was changed')]).to.deep.equal([0, true]);
    });

    it('that is ahead again must be accepted again', async () => {
      await recordAhead();
      expect(await findRefusal()).to.be.instanceOf(ClockSetBackError);
      expect((await runClock(['accept', '--yes'])).code).to.equal(0);
      await open();
      expect((await record()).confirmation_status).to.equal('CONFIRMED');
    });

    it('is a notice while it is ahead of the time since boot', async () => {
      await open();
      const findNames = async (jumpMs: number | undefined): Promise<string[]> => {
        const find = createFindHealthIssues(
          () => readLedgerState({ ...ledger!, findClockJump: () => jumpMs }),
          () => false,
        );
        return (await find()).map(({ name }) => name);
      };
      expect(await findNames(AHEAD_MS)).to.deep.equal(['CLOCK_JUMPED']);
      expect(await findNames(undefined)).to.deep.equal([]);
    });
  });
}
