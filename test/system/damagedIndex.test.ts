// An index that a disk has damaged: each answer is correct or an error, and the index is rebuilt from the chain
// automatically.
import { readFile, stat } from 'node:fs/promises';
import { expect } from 'chai';
import { Level } from 'level';
import { createRandom } from '../../bench/random.ts';
import { watchIndexFiles } from '../../host/files/indexFiles.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { cursorKey } from '../../indexer/keys.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { filesIn, flipBit } from '../support/damagedFiles.ts';
import { useDirectoryCopies, withNewTenant } from '../support/directoryCopies.ts';
import { dump, dumpDirectory } from '../support/indexDump.ts';
import { openTestLedger, send, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const EVENTS = 40;
const FLIPS = 12;

interface ProblemDetails {
  readonly details: readonly { readonly error: string }[];
}

describe('a damaged index', () => {
  const events: EventResource[] = [];
  let token: string;
  let rows: Map<string, string>;

  const { copyUndamaged } = useDirectoryCopies(async (path) => {
    await withNewTenant(path, 'alpha', async ({ tenant }) => {
      ({ token } = tenant);
      const asset = await tenant.createAsset();
      for (let event = 0; event < EVENTS; event += 1) {
        events.push((await tenant.record(asset, `note of event ${event}`)).body);
      }
    });
    // The second opening moves the rows from the log into a table.
    rows = await dumpDirectory(path);
  });

  const readAll = async (ledger: Ledger): Promise<void> => {
    const server = await serveTestLedger(ledger);
    const list = await send<{ events: EventResource[] }>(
      `${server.url}/archivist/v2/${events[0]!.asset_identity}/events`,
      token,
    );
    const [creation] = list.body.events.splice(-1);
    expect(creation!.operation).to.equal('NewAsset');
    expect(list.body.events.reverse()).to.deep.equal(events);
    await server.close();
  };

  it('is rebuilt at the start when any bit of its files was flipped', async () => {
    const random = createRandom(21);
    const { dataDir, index } = await copyUndamaged();
    let damaged = 0;
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const files = [...(await filesIn(index, '.ldb')), ...(await filesIn(index, '.log'))];
      const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
      const at = sizes.findIndex((size) => size > 0 && random() < 0.7);
      const file = files[at] ?? files[0]!;
      await flipBit(file, Math.floor(random() * (await stat(file)).size), flip % 8);
      const problems: string[] = [];
      const ledger = await openTestLedger(dataDir, { problems });
      damaged += problems.length;
      await readAll(ledger);
      expect([...(await dump(ledger.store))]).to.deep.equal([...rows]);
      await ledger.close();
    }
    expect(damaged).to.be.greaterThan(FLIPS / 4);
  });

  // A byte of the row of an event: part of a UUID that compression has not changed.
  const flipEvent = async (index: string): Promise<void> => {
    const parts = events.flatMap(({ identity }) => [identity.slice(-6), identity.slice(-12, -6)]);
    for (const path of await filesIn(index, '.ldb')) {
      const bytes = await readFile(path);
      const at = parts.map((part) => bytes.indexOf(part)).find((found) => found >= 0);
      if (at !== undefined) return flipBit(path, at + 3, 0);
    }
    throw new Error('no table has a UUID as it was');
  };

  it('is detected by a read of a running server, which answers 500, and is rebuilt without a restart', async () => {
    const { dataDir, index } = await copyUndamaged();
    const problems: string[] = [];
    const ledger = await openTestLedger(dataDir, { problems });
    const server = await serveTestLedger(ledger);
    const findHealthIssues = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    await flipEvent(index);
    const url = `${server.url}/archivist/v2/${events[0]!.asset_identity}/events`;
    const seen: string[] = [];
    const read = async (): Promise<boolean> => {
      const answer = await send<{ events: EventResource[] } & ProblemDetails>(url, token);
      if (answer.status === 200) {
        expect(answer.body.events.slice(0, EVENTS).reverse()).to.deep.equal(events);
        return true;
      }
      seen.push(`${answer.status} ${answer.body.details[0]!.error}`);
      if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
      return false;
    };
    const isFirstUndamaged = await read();
    expect(isFirstUndamaged).to.equal(false);
    expect(seen).to.deep.equal(['500 INDEX_DAMAGED']);
    await until(read);
    for (const answer of seen.slice(1)) expect(answer).to.equal('503 INDEX_REBUILDING');
    expect(await findHealthIssues()).to.deep.equal([]);
    expect(problems.filter((problem) => problem.includes('damaged'))).to.have.length(1);
    expect([...(await dump(ledger.store))]).to.deep.equal([...rows]);
    await server.close();
    await ledger.close();
  });

  it('is detected by the check of its files when no read detects it', async () => {
    const { dataDir, index } = await copyUndamaged();
    const problems: string[] = [];
    const ledger = await openTestLedger(dataDir, { problems });
    const stop = watchIndexFiles(index, ledger.store, () => undefined, 20);
    expect([ledger.store.damage.isComplete(), problems]).to.deep.equal([true, []]);
    // The index of a table's blocks is near its end.
    for (const table of await filesIn(index, '.ldb')) await flipBit(table, -200);
    // The rebuild may end before the next look.
    await until(() => problems.length > 0);
    await until(() => ledger.store.damage.isComplete());
    await stop();
    await readAll(ledger);
    await ledger.close();
  });

  it('is a health issue until it is rebuilt', async () => {
    const { dataDir } = await copyUndamaged();
    const ledger = await openTestLedger(dataDir);
    const findHealthIssues = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    expect(await findHealthIssues()).to.deep.equal([]);
    ledger.store.damage.report('found by a test');
    expect((await findHealthIssues()).map(({ name }) => name)).to.deep.equal(['index']);
    await until(async () => (await findHealthIssues()).length === 0);
    expect([...(await dump(ledger.store))]).to.deep.equal([...rows]);
    await ledger.close();
  });

  it('of a layout without checksums is rebuilt, and its cursor is still read', async () => {
    const { dataDir, index } = await copyUndamaged();
    const db = new Level<Buffer, string>(index, { keyEncoding: 'buffer', valueEncoding: 'utf8' });
    await db.open();
    const cursor = JSON.parse(rows.get(cursorKey().toString('hex'))!) as { blockNumber: number };
    await db.put(cursorKey(), JSON.stringify({ ...cursor, layoutVersion: 6 }));
    await db.close();
    const problems: string[] = [];
    const ledger = await openTestLedger(dataDir, { problems });
    expect(problems).to.have.length(1);
    expect([...(await dump(ledger.store))]).to.deep.equal([...rows]);
    await ledger.close();
  });
});
