import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { createWallet } from '../../../chain/wallet.ts';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { lockDirectory } from '../../../host/files/directoryLock.ts';
import { toAuthorName } from '../../../host/wallets/tenantWallets.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../../ledger/identity.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { ALPHA, aCreation, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { createLedgerOf01, type LedgerOf01, openLedgerOf01, toCopied } from './ledgerOf01.ts';
import { hashFiles, type Places, useMigrations } from './migrationFixture.ts';

describe('a migration', () => {
  const { makeDirectory, copyOld, makePlaces, migrate, expectNothingNew, failureOf } = useMigrations();
  const closeAndFail = async (ledger01: LedgerOf01, places: Places): Promise<string> => {
    await ledger01.close();
    return failureOf(places);
  };

  it('is refused into a directory that is not empty', async () => {
    const places = await copyOld();
    await mkdir(places.target);
    await writeFile(join(places.target, 'a file'), '');
    expect(await failureOf(places)).to.contain('is not empty');
    expect(await readdir(places.target)).to.deep.equal(['a file']);
    expect(await failureOf({ source: places.source, target: places.source })).to.contain('not apart');
  });

  it('is refused when the tenant has removed the author of this directory', async () => {
    const places = await makePlaces();
    const ledger01 = await createLedgerOf01(places.source, [ALPHA]);
    await ledger01.append([toCopied(ALPHA, aTenantRecord(ALPHA))]);
    const { address } = await ledger01.keyring.requireWallet(toAuthorName(toUuid(ALPHA)));
    await ledger01.removeWriter(ALPHA, address);
    await ledger01.close();
    expect(await failureOf(places)).to.contain('has removed');
    await expectNothingNew(places.target);
  });

  it('is refused when another account administers a tenant, or is about to', async () => {
    const places = await makePlaces();
    const ledger01 = await createLedgerOf01(places.source, [ALPHA]);
    await ledger01.append([toCopied(ALPHA, aTenantRecord(ALPHA))]);
    const successor = createWallet(new Uint8Array(32).fill(7));
    await ledger01.handOver(ALPHA, successor.address);
    expect(await closeAndFail(ledger01, places)).to.contain('is being handed over');
    const again = await openLedgerOf01(places.source);
    await again.accept(ALPHA, successor);
    expect(await closeAndFail(again, places)).to.contain('only its owner');
    await expectNothingNew(places.target);
  });

  it('is refused for a ledger of this version', async () => {
    const places = await copyOld();
    await migrate(places);
    const again = { source: places.target, target: `${places.target}-2` };
    expect(await failureOf(again)).to.contain('is not of version 0.1');
    expect((await readdir(dirname(places.target))).sort()).to.deep.equal(['new', 'old']);
  });

  it('is refused where one directory is within the other, and removes nothing', async () => {
    const { source, target } = await copyOld();
    const before = await hashFiles(source);
    const inBuilding = join(`${target}.migrating`, 'kept');
    await cp(source, inBuilding, { recursive: true });
    await symlink(source, `${target}-link`);
    const wrong = [
      { source: inBuilding, target },
      { source, target: join(source, 'new') },
      { source: `${target}-link`, target: join(source, 'new') },
      { source, target: dirname(source) },
    ];
    for (const places of wrong) expect(await failureOf(places)).to.match(/not apart|is not empty/);
    expect(await hashFiles(source)).to.deep.equal(before);
    expect(await hashFiles(inBuilding)).to.have.length(before.length);
  });

  it('is refused where its place holds anything else, or is a symbolic link', async () => {
    const places = await copyOld();
    const building = `${places.target}.migrating`;
    await mkdir(building);
    await writeFile(join(building, 'notes'), '');
    expect(await failureOf(places)).to.contain('move it away');
    expect(await readdir(building)).to.deep.equal(['notes']);
    await rm(building, { recursive: true });
    await symlink(await makeDirectory(), places.target);
    expect(await failureOf(places)).to.contain('is not a directory');
  });

  it('is refused after a restore or a repair that did not finish', async () => {
    for (const name of ['restoring', 'repairing'] as const) {
      const places = await copyOld();
      await mkdir(dataPaths(places.source)[name]);
      expect(await failureOf(places)).to.contain('did not finish');
      await expectNothingNew(places.target);
    }
  });

  it('is refused without a ledger', async () => {
    const places = await copyOld();
    await rm(places.source, { recursive: true });
    expect(await failureOf(places)).to.contain('there is no ledger');
    await expectNothingNew(places.target);
  });

  it('is refused while another process has the old directory open', async () => {
    const places = await copyOld();
    const unlock = await lockDirectory(places.source);
    expect(await rejectionOf(migrate(places))).to.equal('CHAIN_UNAVAILABLE');
    await unlock();
    await expectNothingNew(places.target);
  });

  it('is refused while accepted records wait in the old outbox', async () => {
    const places = await copyOld();
    const record = aCreation({ identity: eventOf(3, 1) });
    const outbox = await createOutbox({ directory: dataPaths(places.source).outbox, entriesMax: 10 });
    await outbox.store([outbox.admit(ALPHA, record, encodePayload(record))]);
    await outbox.close();
    expect(await failureOf(places)).to.contain('1 accepted records');
    await expectNothingNew(places.target);
  });

  it('is refused without the key of a tenant', async () => {
    const places = await copyOld();
    await rm(join(dataPaths(places.source).keys, `${toAuthorName(toUuid(BETA))}.key`));
    expect(await failureOf(places)).to.contain(toHex(toKey(BETA)));
    await expectNothingNew(places.target);
  });

  it('is refused when the old chain is damaged', async () => {
    const places = await copyOld();
    const { chain } = dataPaths(places.source);
    const log = (await readdir(chain)).find((name) => /\.(?:ldb|log)$/.test(name))!;
    const bytes = await readFile(join(chain, log));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(join(chain, log), bytes);
    expect(await rejectionOf(migrate(places))).to.equal('CHAIN_CORRUPT');
    await expectNothingNew(places.target);
  });
});
