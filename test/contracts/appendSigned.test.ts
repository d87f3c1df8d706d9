// Relayed writing: the author signs, any account sends. Forgeries and replays are in `attacks.test.ts`.
import { expect } from 'chai';
import { concat, toBeHex, Wallet, zeroPadBytes } from 'ethers';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { fetchAppended } from './support/appended.ts';
import { aRecord, someRecords } from './support/aRecord.ts';
import { behavesAsAppender } from './support/behavesAsAppender.ts';
import { connection, loadLedger } from './support/ledgerFixture.ts';
import { signBatch } from './support/typedData.ts';
import { deployOwnedWallet, deployStubWallet } from './support/wallets.ts';

const MAGIC = '0x1626ba7e';

describe('appendSigned', () => {
  behavesAsAppender(async ({ ledger, domain, tenant, relayer }, author, records) =>
    ledger.connect(relayer).appendSigned([await signBatch(domain, author, tenant, records)]),
  );
});

describe('appendSigned: batches', () => {
  it('no batch at all is refused', async () => {
    const { ledger } = await loadLedger();
    await expect(ledger.appendSigned([])).to.be.revertedWithCustomError(ledger, 'LedgerNoRecords');
  });

  it('batches of several authors and tenants go in one transaction', async () => {
    const { ledger, domain, tenant, otherTenant, writer, otherWriter, relayer } = await loadLedger();
    const batches = [
      await signBatch(domain, writer, tenant, someRecords(2)),
      await signBatch(domain, otherWriter, otherTenant, someRecords(3)),
    ];
    const logs = await fetchAppended(ledger, await ledger.connect(relayer).appendSigned(batches));
    expect(logs.map(({ tenant: key, author, sequence }) => [key, author, sequence])).to.deep.equal([
      [tenant, writer.address, 1n],
      [tenant, writer.address, 2n],
      [otherTenant, otherWriter.address, 1n],
      [otherTenant, otherWriter.address, 2n],
      [otherTenant, otherWriter.address, 3n],
    ]);
  });

  it('one invalid batch reverts the others', async () => {
    const { ledger, domain, tenant, writer, thirdParty, relayer } = await loadLedger();
    const batches = [
      await signBatch(domain, writer, tenant, [aRecord()]),
      await signBatch(domain, thirdParty, tenant, [aRecord({ id: 'event/2' })]),
    ];
    await expect(ledger.connect(relayer).appendSigned(batches))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotWriter')
      .withArgs(tenant, thirdParty.address);
    expect((await ledger.recordOf(tenant, aRecord().id)).sequence).to.equal(0n);
  });

  it('the author may be the sender', async () => {
    const { ledger, domain, tenant, writer } = await loadLedger();
    const batch = await signBatch(domain, writer, tenant, [aRecord()]);
    expect(await fetchAppended(ledger, await ledger.connect(writer).appendSigned([batch]))).to.have.lengthOf(1);
  });

  it('a record that was appended directly is skipped when it is relayed', async () => {
    const { ledger, domain, tenant, writer, relayer } = await loadLedger();
    await ledger.connect(writer).append(tenant, someRecords(2));
    const batch = await signBatch(domain, writer, tenant, someRecords(3));
    expect(await fetchAppended(ledger, await ledger.connect(relayer).appendSigned([batch]))).to.have.lengthOf(1);
  });
});

describe('appendSigned: ERC-1271 wallets', () => {
  it('a wallet is the author of batches that its owner signed', async () => {
    const fixture = await loadLedger();
    const { ledger, domain, tenant, thirdParty, relayer } = fixture;
    const author = await (await deployOwnedWallet(fixture, thirdParty)).getAddress();
    const batch = await signBatch(domain, thirdParty, tenant, [aRecord()], author);
    const [log] = await fetchAppended(ledger, await ledger.connect(relayer).appendSigned([batch]));
    expect(log!.author).to.equal(author);
  });

  it('a wallet refuses batches that another account signed', async () => {
    const fixture = await loadLedger();
    const { ledger, domain, tenant, thirdParty, relayer } = fixture;
    const author = await (await deployOwnedWallet(fixture, thirdParty)).getAddress();
    const batch = await signBatch(domain, relayer, tenant, [aRecord()], author);
    await expect(ledger.connect(relayer).appendSigned([batch]))
      .to.be.revertedWithCustomError(ledger, 'LedgerInvalidSignature')
      .withArgs(tenant, author);
  });

  it('a wallet that answers the magic value has signed', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant } = fixture;
    const author = await (await deployStubWallet(fixture, zeroPadBytes(MAGIC, 32) as Hex)).getAddress();
    const batch = { tenant, author, records: [aRecord()], signature: '0x' };
    expect(await fetchAppended(ledger, await ledger.appendSigned([batch]))).to.have.lengthOf(1);
  });

  for (const [title, answer] of [
    ['nothing', '0x'],
    ['the magic value without its padding', MAGIC],
    ['another value', toBeHex(1, 32)],
    ['the magic value with dirt behind it', concat([MAGIC, toBeHex(1, 28)])],
    ['the magic value at the wrong end', toBeHex(MAGIC, 32)],
  ] as const) {
    it(`a wallet that answers ${title} has not signed`, async () => {
      const fixture = await loadLedger();
      const { ledger, tenant } = fixture;
      const author = await (await deployStubWallet(fixture, answer as Hex)).getAddress();
      await expect(ledger.appendSigned([{ tenant, author, records: [aRecord()], signature: '0x' }]))
        .to.be.revertedWithCustomError(ledger, 'LedgerInvalidSignature')
        .withArgs(tenant, author);
    });
  }

  it('a contract that is no wallet has not signed', async () => {
    const { ledger, domain, tenant, administrator } = await loadLedger();
    const author = await ledger.getAddress();
    await ledger.connect(administrator).addWriter(tenant, author);
    const batch = await signBatch(domain, administrator, tenant, [aRecord()], author);
    await expect(ledger.appendSigned([batch]))
      .to.be.revertedWithCustomError(ledger, 'LedgerInvalidSignature')
      .withArgs(tenant, author);
  });
});

describe('appendSigned: accounts that delegate to code (EIP-7702)', () => {
  // Code that answers every call with a word. It has no storage, because that would be the delegating account's.
  const toCode = (word: string) => concat(['0x7f', word, '0x60005260206000f3']);

  const delegate = async (word: string) => {
    const fixture = await loadLedger();
    const { ledger, tenant, administrator, relayer } = fixture;
    const target: Hex = `0x${'c0de'.repeat(10)}`;
    await connection.networkHelpers.setCode(target, toCode(word));
    const account = new Wallet(`0x${'71'.repeat(32)}`, connection.ethers.provider);
    const authorization = await account.authorize({ address: target, nonce: 0 });
    await relayer.sendTransaction({ type: 4, to: relayer, authorizationList: [authorization] });
    expect(await connection.ethers.provider.getCode(account)).to.equal(concat(['0xef0100', target]));
    await ledger.connect(administrator).addWriter(tenant, account);
    return { ...fixture, account };
  };

  it('sign with their own key, even if the code accepts no signature', async () => {
    const { ledger, domain, tenant, account } = await delegate(toBeHex(0, 32));
    const batch = await signBatch(domain, account, tenant, [aRecord()]);
    expect(await fetchAppended(ledger, await ledger.appendSigned([batch]))).to.have.lengthOf(1);
  });

  it('sign as the wallet that their code makes of them', async () => {
    const { ledger, tenant, account } = await delegate(zeroPadBytes(MAGIC, 32));
    const batch = { tenant, author: account.address, records: [aRecord()], signature: '0x' };
    expect(await fetchAppended(ledger, await ledger.appendSigned([batch]))).to.have.lengthOf(1);
  });

  it("have not signed with another account's key", async () => {
    const { ledger, domain, tenant, account, thirdParty } = await delegate(toBeHex(0, 32));
    const batch = await signBatch(domain, thirdParty, tenant, [aRecord()], account.address);
    await expect(ledger.appendSigned([batch]))
      .to.be.revertedWithCustomError(ledger, 'LedgerInvalidSignature')
      .withArgs(tenant, account.address);
  });
});
