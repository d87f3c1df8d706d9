// A clock that is set back across a restart or while the server runs: no record is older than an existing one.
import { expect } from 'chai';
import { ClockSetBackError } from '../../host/checks/clockCheck.ts';
import type { NetworkOptions } from '../../host/networkLedger.ts';
import type { Ledger } from '../../host/openLedger.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  serveTestLedger,
} from '../support/testLedger.ts';

const HOUR_MS = 3_600_000;
// Not on a full second, so that the acceptance time is later than its second.
const START_MS = Math.floor(Date.now() / 1_000) * 1_000 + 600;

for (const kind of CHAIN_KINDS) {
  describe(`a clock that is set back, on ${kind.name}`, () => {
    let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
    let network: NetworkOptions['network'] | undefined;
    let ledger: Ledger | undefined;
    let server: ListeningServer;
    let tenant: FixtureTenant;
    let nowMs = START_MS;
    let now = (): number => nowMs;
    const problems: string[] = [];

    const open = async (): Promise<void> => {
      problems.length = 0;
      ledger = await openTestLedger(directory.path, { now: () => now(), problems, network });
      server = await serveTestLedger(ledger, { now: ledger.now });
    };
    const close = async (): Promise<void> => {
      if (ledger === undefined) return;
      await server.close();
      await ledger.close();
      ledger = undefined;
    };
    const reopen = async (): Promise<void> => {
      await close();
      await open();
    };
    const write = async (): Promise<EventResource[]> => {
      const asset = await tenant.createAsset();
      await tenant.record(asset, 'an event');
      return (await tenant.get<{ events: EventResource[] }>(`${asset.identity}/events`)).body.events.reverse();
    };
    const writeAfresh = async (): Promise<EventResource[]> => {
      tenant = await createFixtureTenant(ledger!, server, `tenant-${nowMs}-${Math.random()}`);
      return write();
    };

    before(async () => {
      directory = await createTemporaryDirectory();
      network = await kind.prepare(directory.path);
      await open();
      const events = await writeAfresh();
      expect(events.map(({ timestamp_accepted }) => Date.parse(timestamp_accepted)).at(-1)).to.be.at.least(START_MS);
    });
    after(async () => {
      await close();
      await directory.remove();
    });

    it('is not assumed when the clock shows the same time after a restart', async () => {
      await reopen();
      expect(problems).to.deep.equal([]);
      await writeAfresh();
    });

    it('prevents a start, with both times in the message, and no file changes', async () => {
      await close();
      nowMs -= HOUR_MS;
      const error = await open().catch((refusal: unknown) => refusal);
      expect(error).to.be.instanceOf(ClockSetBackError);
      expect(error).to.have.property('code', 'CLOCK_SET_BACK');
      expect((error as Error).message).to.contain(new Date(nowMs).toISOString());
      nowMs += HOUR_MS;
      await open();
    });

    it('delays a start when it is less than a minute behind', async () => {
      await close();
      const behindMs = 55_000;
      nowMs -= behindMs;
      // The clock advances by three seconds with each reading once the start has reported that it waits. Before, other
      // parts read it as often as the machine's speed allows.
      now = () => {
        nowMs += problems.length > 0 && nowMs < START_MS ? 3_000 : 0;
        return nowMs;
      };
      await open();
      now = () => nowMs;
      expect(nowMs).to.be.at.least(START_MS - 1_000);
      expect(problems).to.have.length(1);
    });

    it('keeps times constant while the server runs, and is reported once', async () => {
      nowMs = START_MS + 10_000;
      const before = await writeAfresh();
      problems.length = 0;
      nowMs -= HOUR_MS;
      const events = [...before, ...(await write()), ...(await write())];
      const accepted = events.map(({ timestamp_accepted }) => Date.parse(timestamp_accepted));
      expect(accepted).to.deep.equal(accepted.toSorted((a, b) => a - b));
      if (network === undefined) {
        for (const { timestamp_accepted, timestamp_committed } of events) {
          expect(Date.parse(timestamp_committed)).to.be.at.least(Date.parse(timestamp_accepted));
        }
      }
      expect(problems).to.have.length(1);
    });
  });
}
