// A complete ledger on a real disk that is full for a while: it needs no restart, and no answered record is lost or
// duplicated.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { skipWithout } from '../support/missing.ts';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const DISK_MEBIBYTES = 24;
const ROUNDS = 3;
const EVENTS_AT_ONCE = 16;
const NOTE = 'x'.repeat(4_000);

describe('a full disk', () => {
  let path: string;
  let remove: () => Promise<void>;
  let disk: SmallDisk | undefined;
  before(async function () {
    ({ path, remove } = await createTemporaryDirectory());
    disk = await mountSmallDisk(path, DISK_MEBIBYTES);
    if (disk === undefined) skipWithout(this, 'a disk that is full, because this process may not mount one');
  });
  after(async () => {
    await disk?.unmount();
    await remove();
  });

  const fetchHashes = async ({ chain }: Ledger): Promise<unknown> => {
    const { number } = await chain.fetchFinalHead();
    return Promise.all(Array.from({ length: number + 1 }, (_, block) => chain.fetchBlockHash(block)));
  };

  it('stops writes but not reads, and all answered records are confirmed once there is free space', async () => {
    const problems: string[] = [];
    const limits = { commitWaitMs: 300 };
    const ledger = await openTestLedger(path, { limits, problems });
    const server = await serveTestLedger(ledger);
    const tenant = await createFixtureTenant(ledger, server, 'alpha');
    const asset = await tenant.createAsset();
    const findHealthIssues = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    const accepted = new Set<string>();
    const statuses: number[] = [];
    const recordOne = async (): Promise<void> => {
      const { status, body, headers } = await tenant.record(asset, NOTE);
      statuses.push(status);
      if (status === 200) accepted.add(body.identity);
      else expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    };
    const recordSome = async (): Promise<void> => {
      await Promise.all(Array.from({ length: EVENTS_AT_ONCE }, recordOne));
    };

    for (let round = 0; round < ROUNDS; round += 1) {
      await recordSome();
      await disk!.fill();
      // A record that may be in a block is answered when the journal or the outbox can be written again.
      let recording: Promise<void> | undefined;
      const recordMore = (): void => {
        recording ??= recordSome().finally(() => {
          recording = undefined;
        });
      };
      await until(async () => {
        recordMore();
        return (await findHealthIssues()).length > 0;
      });
      statuses.length = 0;
      const last = recordSome();
      await until(() => statuses.includes(503));
      expect((await tenant.get(asset.identity)).status).to.equal(200);
      await disk!.free();
      await Promise.all([recording, last]);
      await until(async () => (await findHealthIssues()).length === 0);
    }
    await recordSome();
    await until(() => ledger.outbox.pendingCount() === 0);

    const { body } = await tenant.get<{ events: EventResource[] }>(`${asset.identity}/events?page_size=1000`);
    const recorded = body.events.filter(({ operation }) => operation === 'Record');
    const identities = recorded.map(({ identity }) => identity);
    // A record that was refused while it was being written may be there too.
    expect(identities).to.include.members([...accepted]);
    expect(new Set(identities).size).to.equal(identities.length);
    expect(new Set(recorded.map((event) => event.confirmation_status))).to.deep.equal(new Set(['CONFIRMED']));
    expect(problems.some((problem) => problem.endsWith('can be written again'))).to.equal(true);

    const hashes = await fetchHashes(ledger);
    await server.close();
    await ledger.close();
    const again = await openTestLedger(path, { problems });
    expect(await fetchHashes(again)).to.deep.equal(hashes);
    expect(again.outbox.readEntries()).to.deep.equal([]);
    await again.close();
  });
});
