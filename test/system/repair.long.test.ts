// npm run repair on data directories whose journal a disk has damaged.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { toAuthorName } from '../../host/wallets/tenantWallets.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { cutTail, flipBit, newestLogOf } from '../support/damagedFiles.ts';
import { useDirectories } from '../support/directories.ts';
import type { DirectoryCopy } from '../support/directoryCopies.ts';
import { rejectionOf } from '../support/refusals.ts';
import { repair, useRepairFixture } from '../support/repairFixture.ts';
import { runScript, startScript } from '../support/runScript.ts';
import { openTestLedger } from '../support/testLedger.ts';

const EVENTS = 30;
const CUT_BYTES = 20_000;
const SCRIPT = fileURLToPath(new URL('../../scripts/repair.ts', import.meta.url));
const KILLING = fileURLToPath(new URL('../support/killAtEntry.ts', import.meta.url));
/** The first steps are killed at one by one, later ones further and further apart. */
const KILL_FACTOR = 1.5;
const COMMITMENT = ['block_number', 'transaction_id', 'transaction_index', 'log_index', 'timestamp_committed'] as const;

const withoutCommitment = (event: EventResource): object =>
  Object.fromEntries(Object.entries(event).filter(([name]) => !COMMITMENT.some((field) => field === name)));

describe('npm run repair', () => {
  const makeDirectory = useDirectories();
  const { events, hashes, tenantIdentity, copyUndamaged, readAll } = useRepairFixture(EVENTS);

  const expectSame = async (dataDir: string): Promise<void> => {
    const { found, blocks } = await readAll(dataDir);
    expect(found).to.deep.equal(events);
    expect(blocks).to.deep.equal(hashes);
  };

  const DAMAGES: Readonly<Record<string, (paths: DirectoryCopy) => Promise<void>>> = {
    'its end was cut off': async ({ chain }) => cutTail(await newestLogOf(chain), CUT_BYTES),
    'a bit near its end was flipped': async ({ chain }) => flipBit(await newestLogOf(chain), -500),
    'a bit in its middle was flipped': async ({ chain }) => flipBit(await newestLogOf(chain), -CUT_BYTES),
    'it is missing': ({ chain }) => rm(chain, { recursive: true }),
    'its end was cut off, and a file of the index is damaged': async ({ chain, index }) => {
      await cutTail(await newestLogOf(chain), CUT_BYTES);
      await flipBit(await newestLogOf(index), 2_000);
    },
  };
  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(`restores a journal with identical block hashes when ${name}`, async () => {
      const paths = await copyUndamaged();
      const { dataDir } = paths;
      await damage(paths);
      expect(await rejectionOf(openTestLedger(dataDir))).to.be.oneOf(['CHAIN_CORRUPT', 'CHAIN_MISMATCH']);
      const files = await readdir(dataDir);
      const planned = await repair(dataDir, { isDryRun: true });
      expect([planned.isChanged, planned.lost, planned.appended]).to.deep.equal([false, [], []]);
      expect(planned.head).to.deep.equal({ number: hashes.length - 1, hash: hashes.at(-1) });
      expect(planned.fromCopy).to.be.greaterThan(0);
      expect(await readdir(dataDir)).to.deep.equal(files);
      const done = await repair(dataDir);
      expect([done.isChanged, done.fromCopy]).to.deep.equal([true, planned.fromCopy]);
      expect(done.keptAside).to.have.length(name === 'it is missing' ? 0 : 1);
      await expectSame(dataDir);
    });
  }

  it('does not change an undamaged directory', async () => {
    const { dataDir } = await copyUndamaged();
    const report = await repair(dataDir);
    expect([report.isChanged, report.fromCopy, report.lost]).to.deep.equal([false, 0, []]);
    await expectSame(dataDir);
  });

  // Returns a directory in which neither the journal nor the copy has the last blocks.
  const loseBlocks = async (): Promise<Awaited<ReturnType<typeof copyUndamaged>>> => {
    const paths = await copyUndamaged();
    await cutTail(await newestLogOf(paths.chain), CUT_BYTES);
    await rm(paths.recentBlocks, { recursive: true });
    return paths;
  };

  it('appends records that only the index has, with their ids, content, acceptance times and order', async () => {
    const { dataDir } = await loseBlocks();
    const { head, appended, lost, keptAside } = await repair(dataDir);
    expect(lost).to.deep.equal([]);
    expect(appended.length).to.equal(hashes.length - 1 - head.number);
    for (const { record, log } of appended) {
      expect(log!.blockNumber).to.be.greaterThan(head.number);
      expect(Buffer.from(log!.payload).equals(record.payload)).to.equal(true);
    }
    expect(keptAside.map((path) => path.split('.damaged-')[0]!.split('/').at(-1))).to.deep.equal(['index', 'chain']);
    const { found, blocks } = await readAll(dataDir);
    expect(found.map(withoutCommitment)).to.deep.equal(events.map(withoutCommitment));
    expect(blocks.slice(0, head.number + 1)).to.deep.equal(hashes.slice(0, head.number + 1));
  });

  it('reports the records that are lost without their signing key, and changes no file until the loss is accepted', async () => {
    const { dataDir, keys } = await loseBlocks();
    const name = `${toAuthorName(toUuid(tenantIdentity()))}.key`;
    await rename(join(keys, name), join(dataDir, name));
    const files = await readdir(dataDir);
    const { head, lost, isChanged } = await repair(dataDir);
    expect([isChanged, lost.length]).to.deep.equal([false, hashes.length - 1 - head.number]);
    expect(lost.map(({ record }) => record.record?.identity)).to.deep.equal(
      events.slice(-lost.length).map(({ identity }) => identity),
    );
    expect(lost[0]!.record.tenantIdentity).to.equal(tenantIdentity());
    expect(await readdir(dataDir)).to.deep.equal(files);
    expect(await rejectionOf(openTestLedger(dataDir))).to.equal('CHAIN_CORRUPT');
    await repair(dataDir, { acceptsLoss: true });
    await rename(join(dataDir, name), join(keys, name));
    expect((await readAll(dataDir)).found).to.deep.equal(events.slice(0, -lost.length));
  });

  it('completes when it is killed at any point and run again', async () => {
    const { dataDir } = await loseBlocks();
    let code: number | null = null;
    for (let killAt = 1; code === null; killAt = Math.ceil(killAt * KILL_FACTOR)) {
      const env = { ...process.env, DATA_DIR: dataDir, KILL_AT: String(killAt) };
      const child = spawn(process.execPath, ['--import', KILLING, SCRIPT], { env, stdio: 'ignore' });
      [code] = (await once(child, 'exit')) as [number | null];
    }
    expect(code).to.be.oneOf([0, 2]);
    const { found } = await readAll(dataDir);
    expect(found.map(withoutCommitment)).to.deep.equal(events.map(withoutCommitment));
  });

  it('prints a help text, and refuses a directory that a server has open', async () => {
    const { dataDir, chain } = await copyUndamaged();
    await cutTail(await newestLogOf(chain), CUT_BYTES);
    expect((await runScript('repair.ts', dataDir, ['--help'])).stdout).to.contain('Exit codes');
    expect((await runScript('repair.ts', dataDir, ['--dry-run'])).code).to.equal(0);
    expect((await runScript('repair.ts', dataDir)).code).to.equal(0);
    const ledger = await openTestLedger(dataDir);
    expect((await startScript('repair.ts', dataDir)).code).to.equal(1);
    await ledger.close();
    expect((await runScript('repair.ts', await makeDirectory())).code).to.equal(1);
  });
});
