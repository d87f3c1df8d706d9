// A directory belongs to one chain, contract and administrator: a changed key or file is refused with the difference,
// and never creates a new ledger.
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toUuid } from '../../ledger/identity.ts';
import { useDirectoryCopies, withNewTenant } from '../support/directoryCopies.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { openTestLedger, send, serveTestLedger } from '../support/testLedger.ts';

const ADMINISTRATOR = 'ledger-administrator.key';

// Replaces the last digit with another.
const changeDigit = async (path: string): Promise<void> => {
  const text = (await readFile(path, 'utf8')).trimEnd();
  await writeFile(path, `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`);
};

describe('a data directory', () => {
  let tenant: { identity: string; token: string };
  let asset: AssetResource;

  const { makeDirectory, whole, copyUndamaged } = useDirectoryCopies((path) =>
    withNewTenant(path, 'alpha', async (opened) => {
      ({ tenant } = opened);
      asset = await opened.tenant.createAsset();
    }),
  );

  const refusalOf = async (dataDir: string): Promise<LedgerError> => {
    const before = await dumpDirectory(dataDir);
    const error = await openTestLedger(dataDir).then(
      (ledger) => ledger.close(),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(LedgerError);
    expect(await dumpDirectory(dataDir)).to.deep.equal(before);
    return error as LedgerError;
  };

  const open = async (dataDir: string): Promise<string> => {
    const ledger = await openTestLedger(dataDir);
    await ledger.close();
    return ledger.contract;
  };

  it('records chain, contract and administrator in a file that only its owner can read', async () => {
    const path = whole().ledger;
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    const known = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    expect(Object.keys(known)).to.include.members(['chainId', 'genesisHash', 'contract', 'administrator']);
    expect((await readdir(whole().dataDir)).filter((name) => name.includes('.tmp'))).to.deep.equal([]);
  });

  it('is refused with another key of its administrator, with and without the file that names it', async () => {
    for (const hasFile of [true, false]) {
      const { dataDir, keys, ledger } = await copyUndamaged();
      if (!hasFile) await rm(ledger);
      const contract = await readFile(join(keys, ADMINISTRATOR), 'utf8');
      await changeDigit(join(keys, ADMINISTRATOR));
      const { code, message } = await refusalOf(dataDir);
      expect(code).to.equal('CHAIN_MISMATCH');
      expect(message).to.contain(ADMINISTRATOR);
      await writeFile(join(keys, ADMINISTRATOR), contract);
      expect(await open(dataDir)).to.be.a('string');
    }
  });

  it('of version 0.1 records its ledger at its first start', async () => {
    const { dataDir, ledger } = await copyUndamaged();
    const known = await readFile(ledger, 'utf8');
    await rm(ledger);
    await open(dataDir);
    expect(await readFile(ledger, 'utf8')).to.equal(known);
  });

  it('is refused, with the name of the field, when any recorded field was changed', async () => {
    const { dataDir, ledger } = await copyUndamaged();
    const known = JSON.parse(await readFile(ledger, 'utf8')) as Record<string, string | number>;
    for (const [name, value] of Object.entries(known)) {
      const changed =
        typeof value === 'number' ? value + 1 : value.replace(/.$/, (digit) => (digit === '1' ? '2' : '1'));
      await writeFile(ledger, JSON.stringify({ ...known, [name]: changed }));
      const { code, message } = await refusalOf(dataDir);
      expect(code, name).to.equal('CHAIN_MISMATCH');
      expect(message, name).to.contain(String(changed).slice(0, 20));
    }
  });

  it('is refused with the chain of another ledger', async () => {
    const { dataDir, chain, index, outbox, recentBlocks } = await copyUndamaged();
    const other = await makeDirectory();
    await open(other);
    for (const path of [chain, index, outbox, recentBlocks]) await rm(path, { recursive: true });
    await cp(dataPaths(other).chain, chain, { recursive: true });
    expect((await refusalOf(dataDir)).code).to.equal('CHAIN_MISMATCH');
  });

  it('begins no new ledger while a database or a generated key of an earlier one is left', async () => {
    for (const left of ['index', 'outbox', 'ledger', 'keys', 'recentBlocks'] as const) {
      const dataDir = await makeDirectory();
      await cp(whole()[left], dataPaths(dataDir)[left], { recursive: true });
      expect((await refusalOf(dataDir)).code, left).to.equal('CHAIN_MISMATCH');
    }
  });

  it('with a changed key of one tenant reports the key, and refuses only the writes of that tenant', async () => {
    const { dataDir, keys } = await copyUndamaged();
    await changeDigit(join(keys, `tenant-author-${toUuid(tenant.identity)}.key`));
    const problems: string[] = [];
    const ledger = await openTestLedger(dataDir, { problems });
    expect(problems.join()).to.contain(`tenant-author-${toUuid(tenant.identity)}.key`);
    const server = await serveTestLedger(ledger);
    const url = `${server.url}/archivist/v2/${asset.identity}`;
    const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: {} };
    const answer = await send<{ details: { error: string }[] }>(`${url}/events`, tenant.token, { body });
    expect([answer.status, answer.body.details[0]!.error]).to.deep.equal([503, 'AUTHOR_UNAVAILABLE']);
    expect((await send(url, tenant.token)).status).to.equal(200);
    const beta = await createFixtureTenant(ledger, server, 'beta');
    expect((await beta.createAsset()).confirmation_status).to.equal('CONFIRMED');
    await server.close();
    await ledger.close();
  });
});
