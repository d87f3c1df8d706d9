// Attacks: what a third party might try with a batch that another account signed, or without one.
import { expect } from 'chai';
import { N as CURVE_ORDER, hexlify, Signature, toBeHex, ZeroAddress } from 'ethers';
import fc from 'fast-check';
import { network } from 'hardhat';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { runs } from '../support/propertyRuns.ts';
import { fetchAppended } from './support/appended.ts';
import { aRecord, keyOf, someRecords } from './support/aRecord.ts';
import type { LedgerContract } from './support/ledgerContract.ts';
import { admitTenant, connection, deployContract, loadLedger, setUpLedger } from './support/ledgerFixture.ts';
import { signBatch, signRecord, type TypedBatch } from './support/typedData.ts';
import { deployReentrantWallet, deployStubWallet } from './support/wallets.ts';

/** A ledger, and a batch of three records that the first tenant's writer signed and that is not relayed yet. */
const loadBatch = async () => {
  const fixture = await loadLedger();
  const { ledger, domain, tenant, writer, relayer } = fixture;
  const batch = await signBatch(domain, writer, tenant, someRecords(3));
  return { ...fixture, ledger: ledger.connect(relayer), batch };
};

const expectInvalidSignature = async (ledger: LedgerContract, batch: TypedBatch) => {
  await expect(ledger.appendSigned([batch]))
    .to.be.revertedWithCustomError(ledger, 'LedgerInvalidSignature')
    .withArgs(batch.tenant, batch.author);
};

const expectNotWriter = async (ledger: LedgerContract, batch: TypedBatch) => {
  await expect(ledger.appendSigned([batch]))
    .to.be.revertedWithCustomError(ledger, 'LedgerNotWriter')
    .withArgs(batch.tenant, batch.author);
};

describe('attack: replay', () => {
  it('a batch signed for another chain is refused', async () => {
    const other = await network.create({ override: { chainId: 424_242 } });
    const there = await setUpLedger(other);
    const fresh = await network.create();
    const { ledger, tenant, writer } = await setUpLedger(fresh);
    expect([await there.ledger.getAddress(), there.tenant, there.writer.address]).to.deep.equal([
      await ledger.getAddress(),
      tenant,
      writer.address,
    ]);
    const batch = await signBatch(there.domain, there.writer, there.tenant, [aRecord()]);
    await expectInvalidSignature(ledger, batch);
    expect(await fetchAppended(there.ledger, await there.ledger.appendSigned([batch]))).to.have.lengthOf(1);
    await Promise.all([other.close(), fresh.close()]);
  });

  it('a batch signed for another contract is refused', async () => {
    const { batch, owner, administrator, writer } = await loadBatch();
    const other = await deployContract(connection, owner.address);
    await admitTenant(other, 'tenant/one', administrator, writer);
    await expectInvalidSignature(other, batch);
  });

  it("a batch signed for one tenant does not enter another's stream, even if the author writes for both", async () => {
    const { ledger, otherTenant, otherAdministrator, writer, batch } = await loadBatch();
    await ledger.connect(otherAdministrator).addWriter(otherTenant, writer);
    await expectInvalidSignature(ledger, { ...batch, tenant: otherTenant });
  });

  it('a batch that is relayed again changes nothing', async () => {
    const { ledger, tenant, writer, batch, thirdParty } = await loadBatch();
    await ledger.appendSigned([batch]);
    await ledger.connect(writer).append(tenant, [aRecord({ id: 'event/last' })]);
    const before = await ledger.streamOf(tenant, aRecord().stream);
    expect(await fetchAppended(ledger, await ledger.connect(thirdParty).appendSigned([batch, batch]))).to.deep.equal(
      [],
    );
    expect(await ledger.streamOf(tenant, aRecord().stream)).to.deep.equal(before);
  });

  it('the head and digest of the same record differ from contract to contract', async () => {
    const { ledger, tenant, writer, owner } = await loadBatch();
    const other = await deployContract(connection, owner.address);
    const { stream, id, payload } = aRecord();
    expect(await other.digestOf(tenant, stream, id, writer, payload)).not.to.equal(
      await ledger.digestOf(tenant, stream, id, writer, payload),
    );
  });
});

describe('attack: forgery', () => {
  it("the relayer's own signature is not the author's", async () => {
    const { ledger, domain, tenant, writer, relayer } = await loadBatch();
    await expectInvalidSignature(ledger, await signBatch(domain, relayer, tenant, [aRecord()], writer.address));
  });

  it('the relayer cannot make itself the author', async () => {
    const { ledger, domain, tenant, relayer, batch } = await loadBatch();
    await expectNotWriter(ledger, { ...batch, author: relayer.address });
    await expectNotWriter(ledger, await signBatch(domain, relayer, tenant, [aRecord()]));
  });

  it("one writer's signature is not another's", async () => {
    const { ledger, tenant, administrator, thirdParty, batch } = await loadBatch();
    await ledger.connect(administrator).addWriter(tenant, thirdParty);
    await expectInvalidSignature(ledger, { ...batch, author: thirdParty.address });
  });

  it('the zero address, which an invalid signature recovers to, is no author', async () => {
    const { ledger, batch } = await loadBatch();
    await expectNotWriter(ledger, { ...batch, author: ZeroAddress, signature: `0x${'00'.repeat(65)}` });
  });

  it('a signature of the single record is not a signature of the batch', async () => {
    const { ledger, domain, tenant, writer } = await loadBatch();
    await expectInvalidSignature(ledger, await signRecord(domain, writer, tenant, aRecord()));
  });

  it('a signature in plain message form is refused', async () => {
    const { ledger, writer, batch } = await loadBatch();
    await expectInvalidSignature(ledger, { ...batch, signature: await writer.signMessage('Append') });
  });

  it('a removed writer’s signature is refused, even if it is older than the removal', async () => {
    const { ledger, tenant, administrator, writer, batch } = await loadBatch();
    await ledger.connect(administrator).removeWriter(tenant, writer);
    await expectNotWriter(ledger, batch);
  });
});

describe('attack: malleable signatures', () => {
  it('the high-s twin of a signature is refused', async () => {
    const { ledger, batch } = await loadBatch();
    const { r, s, v } = Signature.from(batch.signature);
    const twin = r + toBeHex(CURVE_ORDER - BigInt(s), 32).slice(2) + toBeHex(v === 27 ? 28 : 27).slice(2);
    await expectInvalidSignature(ledger, { ...batch, signature: twin });
  });

  it('other forms of the same signature are refused: compact, y-parity, longer, empty', async () => {
    const { ledger, batch } = await loadBatch();
    const signature = Signature.from(batch.signature);
    const yParity = batch.signature.slice(0, -2) + toBeHex(signature.yParity).slice(2);
    for (const form of [signature.compactSerialized, yParity, `${batch.signature}00`, '0x']) {
      await expectInvalidSignature(ledger, { ...batch, signature: form });
    }
  });

  it('a signature with any bit flipped is refused', async () => {
    const { ledger, batch } = await loadBatch();
    const property = fc.asyncProperty(fc.nat(65 * 8 - 1), async (bit) => {
      const bytes = Buffer.from(batch.signature.slice(2), 'hex');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      await expectInvalidSignature(ledger, { ...batch, signature: hexlify(bytes) });
    });
    await fc.assert(property, runs(60));
  });
});

describe('attack: tampering with a signed batch', () => {
  it('batches with reordered, missing, added or repeated records are refused', async () => {
    const { ledger, batch } = await loadBatch();
    const [first, second, third] = batch.records;
    const lists = [
      [second!, first!, third!],
      [first!, second!],
      [second!, third!],
      [...batch.records, aRecord({ id: 'event/more' })],
      [first!, first!, second!, third!],
      [],
    ];
    for (const records of lists) await expectInvalidSignature(ledger, { ...batch, records });
  });

  it('a record with another stream, id or payload is refused', async () => {
    const { ledger, batch } = await loadBatch();
    const [first, ...rest] = batch.records;
    const changes = [{ stream: keyOf('x') }, { id: keyOf('x') }, { payload: `${first!.payload}00` as Hex }];
    for (const change of changes) {
      await expectInvalidSignature(ledger, { ...batch, records: [{ ...first!, ...change }, ...rest] });
    }
  });

  it('the same id with other content is a conflict, and the record stays as it was', async () => {
    const { ledger, domain, tenant, writer, batch } = await loadBatch();
    await ledger.appendSigned([batch]);
    const before = await ledger.recordOf(tenant, batch.records[0]!.id);
    const other = { ...batch.records[0]!, payload: aRecord({ payload: 'other' }).payload };
    await expect(ledger.appendSigned([await signBatch(domain, writer, tenant, [other])]))
      .to.be.revertedWithCustomError(ledger, 'LedgerRecordConflict')
      .withArgs(tenant, other.id);
    expect(await ledger.recordOf(tenant, other.id)).to.deep.equal(before);
  });

  it('truncated call data and dirty addresses are refused', async () => {
    const { ledger, relayer, batch } = await loadBatch();
    const data = ledger.interface.encodeFunctionData('appendSigned', [[batch]]);
    const dirty = data.replace(
      `${'00'.repeat(12)}${batch.author.slice(2).toLowerCase()}`,
      (word) => `01${word.slice(2)}`,
    );
    expect(dirty).not.to.equal(data);
    for (const bad of [data.slice(0, -64), data.slice(0, 200), dirty]) {
      await expect(relayer.sendTransaction({ to: ledger, data: bad })).to.be.revertedWithoutReason(connection.ethers);
    }
  });
});

describe('attack: tampering with call data', () => {
  it('call data with any changed byte appends the signed records, or nothing', async () => {
    const property = fc.asyncProperty(
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
      async (where, change) => {
        const { ledger, relayer, batch } = await loadBatch();
        const data = Buffer.from(ledger.interface.encodeFunctionData('appendSigned', [[batch]]).slice(2), 'hex');
        data[4 + Math.floor(where * (data.length - 4))]! ^= change;
        // A revert is one of the two correct outcomes; the ledger's logs show which one it was.
        const sent = relayer.sendTransaction({ to: ledger, data: hexlify(data), gasLimit: 5_000_000n });
        await sent.then((transaction) => transaction.wait()).catch(() => undefined);
        const logs = await ledger.queryFilter('RecordAppended');
        const appended = logs.map((log) => ledger.interface.parseLog(log)!.args.toObject());
        const records = appended.map(({ stream, id, payload }) => ({ stream, id, payload }));
        if (records.length > 0) expect(records).to.deep.equal(batch.records);
      },
    );
    await fc.assert(property, runs(100));
  });
});

describe('attack: a malicious ERC-1271 wallet', () => {
  const GAS_OF_ATTACK = 500_000n;

  const loadAttack = async (toCalls: (fixture: Awaited<ReturnType<typeof loadBatch>>, wallet: string) => string) => {
    const fixture = await loadBatch();
    const wallet = await deployReentrantWallet(fixture);
    const author = await wallet.getAddress();
    await wallet.prepare(toCalls(fixture, author));
    return { ...fixture, wallet: { tenant: fixture.tenant, author, records: [aRecord()], signature: '0x' } };
  };

  it('cannot append during the signature check, neither its own records nor batches that others signed', async () => {
    const inner = [aRecord({ id: 'event/inner' })];
    const attacks = [
      ({ ledger, tenant }) => ledger.interface.encodeFunctionData('append', [tenant, inner]),
      ({ ledger, batch }) => ledger.interface.encodeFunctionData('appendSigned', [[batch]]),
      ({ ledger, tenant }, author) =>
        ledger.interface.encodeFunctionData('appendSigned', [[{ tenant, author, records: inner, signature: '0x' }]]),
    ] satisfies Parameters<typeof loadAttack>[0][];
    for (const attack of attacks) {
      const { ledger, wallet } = await loadAttack(attack);
      const transaction = await ledger.appendSigned([wallet]);
      expect((await transaction.wait())!.gasUsed > GAS_OF_ATTACK, 'the attack was made').to.equal(true);
      expect((await fetchAppended(ledger, transaction)).map(({ id }) => id)).to.deep.equal([aRecord().id]);
    }
  });

  it('is not called when it is no writer', async () => {
    const fixture = await loadBatch();
    const { ledger, tenant, administrator } = fixture;
    const author = await (await deployStubWallet(fixture, '0x')).getAddress();
    const batch = { tenant, author, records: [aRecord()], signature: '0x' };
    await expectInvalidSignature(ledger, batch);
    await ledger.connect(administrator).removeWriter(tenant, author);
    await expectNotWriter(ledger, batch);
  });
});

describe("attack: the ledger's administrator", () => {
  it('cannot write, nor add a writer, nor take over a tenant', async () => {
    const { ledger: relayed, owner, domain, tenant } = await loadBatch();
    const ledger = relayed.connect(owner);
    await expect(ledger.append(tenant, [aRecord()]))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotWriter')
      .withArgs(tenant, owner.address);
    await expectNotWriter(ledger, await signBatch(domain, owner, tenant, [aRecord()]));
    for (const call of ['addWriter', 'removeWriter', 'transferTenantAdministration'] as const) {
      await expect(ledger[call](tenant, owner))
        .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantAdministrator')
        .withArgs(tenant, owner.address);
    }
    await expect(ledger.admitTenant(tenant, owner))
      .to.be.revertedWithCustomError(ledger, 'LedgerTenantExists')
      .withArgs(tenant);
  });

  it('has no function that the tests do not know', async () => {
    const { ledger } = await loadBatch();
    const writing = ledger.interface.fragments.filter(
      (fragment) => fragment.type === 'function' && !('constant' in fragment && fragment.constant),
    );
    expect(writing.map((fragment) => ('name' in fragment ? fragment.name : '')).sort()).to.deep.equal([
      'acceptOwnership',
      'acceptTenantAdministration',
      'addWriter',
      'admitTenant',
      'append',
      'appendSigned',
      'attest',
      'removeWriter',
      'renounceOwnership',
      'transferOwnership',
      'transferTenantAdministration',
    ]);
  });
});
