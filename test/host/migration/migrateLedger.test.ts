import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { callView } from '../../../chain/callView.ts';
import { OutdatedLedger } from '../../../chain/embedded/genesis.ts';
import { createWallet } from '../../../chain/wallet.ts';
import { lockDirectory } from '../../../host/files/directoryLock.ts';
import { toAuthorName } from '../../../host/wallets/tenantWallets.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../../ledger/identity.ts';
import { decodePayload } from '../../../ledger/records/record.ts';
import type { SuccessionRecord } from '../../../ledger/records/succession.ts';
import { toRoot } from '../../contracts/support/treeModel.ts';
import { ALPHA, aCreation, assetOf, aTenantRecord, BETA } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { openTestLedger } from '../../support/testLedger.ts';
import { createLedgerOf01, OLD_CHAIN_ID, toCopied } from './ledgerOf01.ts';
import { hashFiles, RECORDS, toName, useMigrations } from './migrationFixture.ts';

describe('a migration of a ledger of version 0.1', () => {
  const { openChain, copyOld, makePlaces, migrate, readRecords, old } = useMigrations();

  it('copies every record byte for byte in its order, after one that states where the old ledger ended', async () => {
    const places = await copyOld();
    const migration = await migrate(places);
    expect(migration).to.include({
      records: RECORDS.length,
      tenants: 2,
      signedByOthers: 0,
      failedRecords: 0,
      contract: old().contract,
    });
    const { logs, sizes, chain, address } = await readRecords(places.target);
    expect([chain.chainId, address]).to.deep.equal([OLD_CHAIN_ID + 1, old().contract]);
    expect(logs.slice(2).map(toName)).to.deep.equal(RECORDS.map(toName));
    const ofBeta = RECORDS.filter(({ tenantKey }) => tenantKey === toHex(toKey(BETA))).length;
    const counts = [RECORDS.length - ofBeta, ofBeta];
    expect(sizes).to.deep.equal(counts.map((count) => count + 1));
    const successions = logs.slice(0, 2).map(({ payload }) => decodePayload(payload));
    for (const [at, record] of successions.entries()) {
      expect(record).to.include({
        type: 'succession',
        chain_id: OLD_CHAIN_ID,
        contract: old().contract,
        block_hash: old().head,
      });
      expect(record).to.include({ size: counts[at] });
    }
  });

  it('states the root of the tree that the contract would have had', async () => {
    const places = await copyOld();
    await migrate(places);
    const { logs } = await readRecords(places.target);
    for (const [at, identity] of [ALPHA, BETA].entries()) {
      const record = decodePayload(logs[at]!.payload) as SuccessionRecord;
      expect(record.root).to.equal(toRoot(old().leaves.get(toHex(toKey(identity)))!));
    }
  });

  it('leaves every file of the old directory as it is', async () => {
    const places = await copyOld();
    const before = await hashFiles(places.source);
    await migrate(places);
    expect(await hashFiles(places.source)).to.deep.equal(before);
  });

  it('makes a directory with which a server starts, with its keys and files', async () => {
    const places = await copyOld();
    await migrate(places);
    const ledger = await openTestLedger(places.target);
    const events = await ledger.view.readAsset(ALPHA, toUuid(assetOf(1)));
    expect(events?.identity).to.equal(assetOf(1));
    await ledger.close();
    const key = join('keys', 'relayer.key');
    expect(await readFile(join(places.target, key))).to.deep.equal(await readFile(join(places.source, key)));
    const file = join('blobs', 'content', 'ab', 'cd');
    expect(await readFile(join(places.target, file), 'utf8')).to.equal('bytes of a file');
  });

  it('signs the records of another author by the author of their tenant, and counts them', async () => {
    const places = await makePlaces();
    const ledger01 = await createLedgerOf01(places.source, [ALPHA]);
    const other = createWallet(new Uint8Array(32).fill(7));
    await ledger01.addWriter(ALPHA, other.address);
    await ledger01.append([toCopied(ALPHA, aTenantRecord(ALPHA))]);
    await ledger01.append([toCopied(ALPHA, aCreation())], other);
    await ledger01.close();
    expect(await migrate(places)).to.include({ records: 2, signedByOthers: 1 });
    const author = await ledger01.keyring.requireWallet(toAuthorName(toUuid(ALPHA)));
    const { logs } = await readRecords(places.target);
    expect(logs.map((log) => log.author)).to.deep.equal(logs.map(() => author.address));
  });

  it('begins again after one that was killed', async () => {
    const places = await copyOld();
    await (await lockDirectory(`${places.target}.migrating`))();
    await mkdir(join(`${places.target}.migrating`, 'new', 'chain'), { recursive: true });
    await writeFile(join(`${places.target}.migrating`, 'new', 'chain', 'CURRENT'), 'half');
    await mkdir(places.target);
    expect(await migrate(places)).to.include({ records: RECORDS.length });
    expect((await readdir(dirname(places.target))).sort()).to.deep.equal(['new', 'old']);
  });

  it('is what a start requires, which changes no record', async () => {
    const places = await copyOld();
    const error = await openTestLedger(places.source).catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(OutdatedLedger);
    expect(await migrate(places)).to.include({ records: RECORDS.length });
  });

  it('gives each writer that the tenant had its role again, and nobody else', async () => {
    const places = await makePlaces();
    const ledger01 = await createLedgerOf01(places.source, [ALPHA]);
    const [kept, removed] = [createWallet(new Uint8Array(32).fill(8)), createWallet(new Uint8Array(32).fill(9))];
    for (const writer of [removed, kept]) await ledger01.addWriter(ALPHA, writer.address);
    await ledger01.removeWriter(ALPHA, removed.address);
    await ledger01.append([toCopied(ALPHA, aTenantRecord(ALPHA))]);
    await ledger01.close();
    await migrate(places);
    const { chain, contract: address, close } = await openChain(places.target);
    const isWriter = async (account: Hex) =>
      (await callView(chain.request, address, { name: 'isWriter', args: [toHex(toKey(ALPHA)), account] }))[0];
    expect(await Promise.all([kept, removed].map((wallet) => isWriter(wallet.address)))).to.deep.equal([true, false]);
    await close();
  });

  it('makes a chain on which no transaction of the old one is valid', async () => {
    const places = await makePlaces();
    const ledger01 = await createLedgerOf01(places.source, [ALPHA]);
    await ledger01.append([toCopied(ALPHA, aTenantRecord(ALPHA))]);
    const raw = await ledger01.readTransactions();
    await ledger01.close();
    await migrate(places);
    const { chain, close } = await openChain(places.target);
    for (const transaction of raw) {
      expect(await rejectionOf(chain.submitTransaction(transaction))).to.equal('TRANSACTION_REFUSED');
    }
    expect(raw).to.have.length.at.least(4);
    await close();
  });

  it('keeps the issuer of tokens and principals, which name the first chain', async () => {
    const places = await copyOld();
    await migrate(places);
    const ledger = await openTestLedger(places.target);
    expect(ledger.issuer).to.equal(`urn:provenance-ledger:${OLD_CHAIN_ID}:${old().contract}`);
    await ledger.close();
  });
});
