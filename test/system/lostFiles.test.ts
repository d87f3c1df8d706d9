// A data directory in which a disk has lost one file of one database: the start is refused, or the server has all
// records.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LedgerError } from '../../ledger/errors.ts';
import { useDirectoryCopies, withNewTenant } from '../support/directoryCopies.ts';
import { dump } from '../support/indexDump.ts';
import { openTestLedger } from '../support/testLedger.ts';

const EVENTS = 5;
const DATABASES = ['chain', 'index', 'outbox', 'recentBlocks'] as const;
const KINDS = [/^CURRENT$/, /^MANIFEST/, /\.ldb$/, /\.log$/];
type DatabaseName = (typeof DATABASES)[number];

const REFUSALS: Partial<Record<DatabaseName, string>> = { chain: 'CHAIN_CORRUPT', outbox: 'OUTBOX_CORRUPT' };

describe('a lost file of a database', () => {
  let rows: Map<string, string>;

  // The second opening moves the first one's rows from the logs into tables, and writes to new logs.
  const { whole, copyUndamaged } = useDirectoryCopies(async (path) => {
    for (const name of ['alpha', 'beta'])
      await withNewTenant(path, name, async ({ ledger, tenant }) => {
        const asset = await tenant.createAsset();
        for (let event = 0; event < EVENTS; event += 1) await tenant.record(asset, `event ${event}`);
        rows = await dump(ledger.store);
      });
  });

  /** Returns the code of the refusal; undefined when the ledger opens with all records. */
  const open = async (dataDir: string, problems: string[]): Promise<string | undefined> => {
    try {
      const ledger = await openTestLedger(dataDir, { problems });
      const found = await dump(ledger.store);
      await ledger.close();
      expect([...found]).to.deep.equal([...rows]);
      return undefined;
    } catch (error) {
      if (error instanceof LedgerError) return error.code;
      throw error;
    }
  };

  const findLost = async (name: DatabaseName): Promise<string[]> => {
    const names = await readdir(whole()[name]);
    const found = KINDS.map((kind) => names.find((file) => kind.test(file)));
    expect(found, name).not.to.include(undefined);
    return found as string[];
  };

  for (const name of DATABASES) {
    it(`of ${name} is refused, or reported and created again from the chain`, async () => {
      for (const file of await findLost(name)) {
        const { dataDir, [name]: database } = await copyUndamaged();
        await rm(join(database, file));
        const problems: string[] = [];
        expect(await open(dataDir, problems), file).to.equal(REFUSALS[name]);
        if (REFUSALS[name] !== undefined) expect(await open(dataDir, []), `${file}, again`).to.equal(REFUSALS[name]);
        else expect(problems, file).to.have.length(1);
      }
    });
  }
});
