// The Merkle tree over the records of a tenant.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { concat, sha256, toBeHex, toQuantity } from 'ethers';
import { network } from 'hardhat';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { fetchAppended } from './support/appended.ts';
import { aRecord, someRecords } from './support/aRecord.ts';
import type { LedgerContract } from './support/ledgerContract.ts';
import { loadLedger } from './support/ledgerFixture.ts';
import { countStorageWrites } from './support/ledgerStorage.ts';
import { toRoot } from './support/treeModel.ts';
import { signBatch, type TypedRecord } from './support/typedData.ts';

interface TreeVectors {
  readonly chain_id: number;
  readonly ledger_administrator: Hex;
  readonly contract: Hex;
  readonly author: Hex;
  readonly tenant_key: Hex;
  readonly blocks: readonly {
    readonly number: number;
    readonly time: number;
    readonly records: readonly (TypedRecord & {
      readonly digest: Hex;
      readonly head: Hex;
      readonly sequence: number;
      readonly root: Hex;
    })[];
  }[];
}

type Fixture = Awaited<ReturnType<typeof loadLedger>>;

const vectors = JSON.parse(readFileSync(new URL('../vectors/trees.json', import.meta.url), 'utf8')) as TreeVectors;

const EMPTY_ROOT = sha256('0x');

/** Appends a batch and returns the leaf hashes of its logs. */
const appendLeaves = async ({ ledger, tenant, writer }: Fixture, records: TypedRecord[]): Promise<Hex[]> => {
  const transaction = await ledger.connect(writer).append(tenant, records);
  const { number, timestamp } = (await transaction.getBlock())!;
  const place = concat([toBeHex(number, 8), toBeHex(timestamp, 8)]);
  const logs = await fetchAppended(ledger, transaction);
  return logs.map(
    ({ digest, head, sequence }) => sha256(concat(['0x00', digest, head, toBeHex(sequence, 4), place])) as Hex,
  );
};

describe('treeOf', () => {
  it('a tenant without records, or that does not exist, has the empty tree', async () => {
    const { ledger, tenant } = await loadLedger();
    for (const key of [tenant, aRecord().id]) expect(await ledger.treeOf(key)).to.deep.equal([0n, EMPTY_ROOT]);
  });

  it('the root after each batch is that of all records so far, for every size up to 70', async () => {
    const fixture = await loadLedger();
    const leaves: Hex[] = [];
    for (let batch = 0; leaves.length < 70; batch += 1) {
      leaves.push(...(await appendLeaves(fixture, someRecords(1 + (batch % 5), `assets/${batch}`))));
      expect(await fixture.ledger.treeOf(fixture.tenant)).to.deep.equal([BigInt(leaves.length), toRoot(leaves)]);
    }
  });

  it('a batch of 300 gives the root of its records', async () => {
    const fixture = await loadLedger();
    const leaves = await appendLeaves(fixture, someRecords(1));
    leaves.push(...(await appendLeaves(fixture, someRecords(300, 'assets/pump'))));
    expect(await fixture.ledger.treeOf(fixture.tenant)).to.deep.equal([301n, toRoot(leaves)]);
  });

  it('a record that is skipped adds no leaf', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant } = fixture;
    const leaves = await appendLeaves(fixture, someRecords(3));
    leaves.push(...(await appendLeaves(fixture, [...someRecords(5), ...someRecords(2)])));
    expect(await ledger.treeOf(tenant)).to.deep.equal([5n, toRoot(leaves)]);
  });

  it('batches of two tenants in one transaction extend two trees', async () => {
    const { ledger, domain, tenant, otherTenant, writer, otherWriter } = await loadLedger();
    const batches = [
      await signBatch(domain, writer, tenant, someRecords(2)),
      await signBatch(domain, otherWriter, otherTenant, someRecords(3)),
      await signBatch(domain, writer, tenant, someRecords(4)),
    ];
    await ledger.appendSigned(batches);
    expect((await ledger.treeOf(tenant)).size).to.equal(4n);
    expect((await ledger.treeOf(otherTenant)).size).to.equal(3n);
  });

  it('a hand-over of the administration leaves the tree as it is', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, administrator, thirdParty } = fixture;
    await appendLeaves(fixture, someRecords(3));
    const before = await ledger.treeOf(tenant);
    await ledger.connect(administrator).transferTenantAdministration(tenant, thirdParty);
    await ledger.connect(thirdParty).acceptTenantAdministration(tenant);
    expect(await ledger.treeOf(tenant)).to.deep.equal(before);
  });

  it('a refused batch leaves the tree as it is', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, writer } = fixture;
    await appendLeaves(fixture, someRecords(3));
    const before = await ledger.treeOf(tenant);
    const records = [...someRecords(2, 'assets/pump'), { ...aRecord({ id: 'empty' }), payload: '0x' as Hex }];
    await expect(ledger.connect(writer).append(tenant, records)).to.be.revertedWithCustomError(
      ledger,
      'LedgerPayloadEmpty',
    );
    expect(await ledger.treeOf(tenant)).to.deep.equal(before);
  });

  it('a record writes the size and at most one peak, besides its two words', async () => {
    const { ledger, tenant, writer } = await loadLedger();
    for (let number = 0; number < 9; number += 1) {
      const transaction = await ledger.connect(writer).append(tenant, [aRecord({ id: `event/${number}` })]);
      expect(await countStorageWrites(transaction)).to.equal(4);
    }
  });
});

describe('the tree of the vectors', () => {
  it('is what another program makes of the same records, in the same blocks', async () => {
    const fresh = await network.create({
      override: { chainId: vectors.chain_id, initialDate: '2025-01-01T00:00:00Z', allowBlocksWithSameTimestamp: true },
    });
    const { networkHelpers: helpers, ethers } = fresh;
    const [owner, author] = [vectors.ledger_administrator, vectors.author];
    for (const account of [owner, author]) {
      await helpers.impersonateAccount(account);
      await helpers.setBalance(account, 10n ** 21n);
    }
    const deployer = await ethers.getSigner(owner);
    const deployed = await ethers.deployContract('ProvenanceLedger', [owner], deployer);
    const ledger = deployed as unknown as LedgerContract;
    expect((await ledger.getAddress()).toLowerCase()).to.equal(vectors.contract);
    const writer = await ethers.getSigner(author);
    await ledger.connect(deployer).admitTenant(vectors.tenant_key, writer);
    await ledger.connect(writer).addWriter(vectors.tenant_key, writer);
    for (const { number, time, records } of vectors.blocks) {
      const missing = number - 1 - (await ethers.provider.getBlockNumber());
      await fresh.provider.request({ method: 'hardhat_mine', params: [toQuantity(missing), '0x0'] });
      await helpers.time.setNextBlockTimestamp(time);
      const transaction = await ledger.connect(writer).append(vectors.tenant_key, records);
      const logs = await fetchAppended(ledger, transaction);
      expect(transaction.blockNumber).to.equal(number);
      expect(logs.map(({ digest, head, sequence }) => [digest, head, Number(sequence)])).to.deep.equal(
        records.map(({ digest, head, sequence }) => [digest, head, sequence]),
      );
      expect((await ledger.treeOf(vectors.tenant_key)).root).to.equal(records.at(-1)!.root);
    }
    await fresh.close();
  });
});

describe('a chain without SHA-256', () => {
  it('gets no ledger: its trees would always be wrong', async () => {
    const fresh = await network.create();
    const [owner] = await fresh.ethers.getSigners();
    const factory = await fresh.ethers.getContractFactory('ProvenanceLedger');
    const { data } = await factory.getDeployTransaction(owner!.address);
    // The constructor's call of the precompiled contract 2 (PUSH1 2 after the input is stored) becomes a call of an
    // account without code, as on a chain that has no such contract.
    const call = '626360e81b8152600090600290';
    expect(data.split(call)).to.have.length(2);
    const changed = data.replace(call, call.replace('6002', '60ee'));
    await expect(owner!.sendTransaction({ data: changed })).to.be.revertedWithCustomError(factory, 'LedgerNoSha256');
    await expect(owner!.sendTransaction({ data })).to.not.revert(fresh.ethers);
    await fresh.close();
  });
});
