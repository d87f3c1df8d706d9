// The trees of the index of a real ledger against those of its contract.
import { cp, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { isIncluded, planInclusion, toProof } from '../../ledger/evidence/merkleProof.ts';
import { hashLeaf, toRoot } from '../../ledger/evidence/merkleTree.ts';
import { toKey } from '../../ledger/identity.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { createEvidenceMaker } from '../support/evidenceFiles.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { withStalledReplay } from '../support/stalledReplay.ts';
import { openStartingTestLedger, openTestLedger, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const NONE = 'assets/00000000-0000-4000-8000-00000000ffff';

interface Written {
  readonly tenants: readonly FixtureTenant[];
  readonly assets: readonly string[];
}

const write = async (ledger: Ledger): Promise<Written> => {
  const server = await serveTestLedger(ledger);
  const tenants = [
    await createFixtureTenant(ledger, server, 'alpha'),
    await createFixtureTenant(ledger, server, 'beta'),
  ];
  const assets = await Promise.all(
    tenants.map(async (tenant) => {
      const asset = await tenant.createAsset();
      await Promise.all(Array.from({ length: 9 }, (_, at) => tenant.record(asset, `event ${at}`)));
      return asset.identity;
    }),
  );
  await server.close();
  return { tenants, assets };
};

// Attests a tenant, one of its assets, and what doesn't exist. Resolves with its block when the index has it.
const attest = async (ledger: Ledger, tenant: string, asset: string): Promise<number> => {
  const hash = await createEvidenceMaker(ledger).attest(tenant, [asset, NONE], [NONE]);
  const { blockNumber } = (await ledger.chain.request('eth_getTransactionReceipt', [hash])) as { blockNumber: Hex };
  await until(() => (ledger.store.readCursor()?.blockNumber ?? 0) >= Number(blockNumber));
  return Number(blockNumber);
};

/** Accounts whose names make a receipt large, and which no row of the index shows. */
const MANY_ACCOUNTS = Array.from({ length: 20 }, (_, at): Hex => `0x${`${10 + at}`.repeat(20)}`);

// Attests a tenant and one of its assets in a large receipt. Resolves when the index has its block.
const attestLarge = async (ledger: Ledger, tenant: string, asset: string): Promise<void> => {
  const hash = await createEvidenceMaker(ledger).attest(tenant, [asset], [], MANY_ACCOUNTS);
  const { blockNumber } = (await ledger.chain.request('eth_getTransactionReceipt', [hash])) as { blockNumber: Hex };
  await ledger.catchUpTo(Number(blockNumber));
};

const expectBlock = async ({ trees }: Ledger, tenant: string, asset: string, blockNumber: number): Promise<void> => {
  const [tenantKey, newest] = [toKey(tenant), Number.MAX_SAFE_INTEGER];
  expect(await trees.readAttestedTree(tenantKey, newest)).to.deep.include({ blockNumber });
  expect(await trees.readAttestedStream(tenantKey, toKey(asset), newest)).to.deep.include({ blockNumber });
};

const callTree = async ({ chain, contract }: Ledger, tenantKey: Uint8Array) => {
  const data = ledgerInterface.encodeFunctionData('treeOf', [tenantKey]);
  const answer = (await chain.request('eth_call', [{ to: contract, data }, 'latest'])) as Hex;
  const [size, root] = ledgerInterface.decodeFunctionResult('treeOf', answer);
  return { size: Number(size), root: root as Hex };
};

const expectTree = async (ledger: Ledger, tenant: string, block: number): Promise<void> => {
  const { trees } = ledger;
  const tenantKey = toKey(tenant);
  const tree = (await trees.readAttestedTree(tenantKey, block))!;
  expect({ size: tree.size, root: toHex(tree.root) }).to.deep.equal(await callTree(ledger, tenantKey));
  expect(await trees.readTreeSize(tenantKey)).to.equal(tree.size);
  const hashes: Uint8Array[] = [];
  for await (const leaf of trees.readLeaves(tenantKey, 0, tree.size)) hashes.push(hashLeaf(leaf));
  expect(toHex(toRoot(hashes))).to.equal(toHex(tree.root));
  for (const [index, hash] of hashes.entries()) {
    const plan = planInclusion(index, tree.size);
    const nodes = await trees.readNodes(tenantKey, plan.flat());
    const path = toProof(plan, (position) => nodes[plan.flat().indexOf(position)]!);
    expect(isIncluded({ index, hash }, path, tree)).to.equal(true);
  }
};

const expectAsset = async (ledger: Ledger, tenant: string, asset: string, block: number): Promise<void> => {
  const { trees, chain, contract } = ledger;
  const [tenantKey, streamKey] = [toKey(tenant), toKey(asset)];
  const stream = (await trees.readAttestedStream(tenantKey, streamKey, block))!;
  const records = await trees.readStreamRecords(tenantKey, streamKey, 1, stream.count + 9);
  expect(records.map(({ leaf }) => leaf.sequence)).to.deep.equal(Array.from({ length: 10 }, (_, at) => at + 1));
  expect(toHex(records.at(-1)!.leaf.head)).to.equal(toHex(stream.head));
  const domain = toDomainSeparator({ chainId: chain.chainId, contract: fromHex(contract) });
  for (const record of records) {
    const digest = toRecordDigest(domain, { tenantKey, streamKey, ...record });
    expect(toHex(record.leaf.digest)).to.equal(toHex(digest));
    expect(await trees.readTreeRecord(tenantKey, record.recordKey)).to.deep.equal(record);
  }
  expect(await trees.readAttestedStream(tenantKey, toKey(NONE), block)).to.deep.include({ count: 0 });
  expect(await trees.readAttestedRecord(tenantKey, toKey(NONE), block)).to.deep.include({ sequence: 0 });
};

describe("the trees of a ledger's index", () => {
  const makeDirectory = useDirectories();

  for (const kind of CHAIN_KINDS)
    it(`are those of the contract, also after a rebuild, on ${kind.name}`, async () => {
      const directory = await makeDirectory();
      const network = await kind.prepare(directory);
      let ledger = await openTestLedger(directory, { network });
      const { tenants, assets } = await write(ledger);
      const blocks: number[] = [];
      for (const [at, { identity }] of tenants.entries()) blocks.push(await attest(ledger, identity, assets[at]!));
      for (const [at, { identity }] of tenants.entries()) await attestLarge(ledger, identity, assets[at]!);
      const check = async (): Promise<void> => {
        for (const [at, { identity }] of tenants.entries()) {
          await expectBlock(ledger, identity, assets[at]!, blocks[at]!);
          await expectTree(ledger, identity, blocks[at]!);
          await expectAsset(ledger, identity, assets[at]!, blocks[at]!);
        }
      };
      await check();
      await ledger.close();
      const incremental = await dumpDirectory(directory);
      await rm(dataPaths(directory).index, { recursive: true });
      ledger = await openTestLedger(directory, { network });
      await check();
      await ledger.close();
      expect([...(await dumpDirectory(directory))]).to.deep.equal([...incremental]);
    });

  it('have an attestation that the index lacks before the chain is replayed', async () => {
    const [directory, older] = [await makeDirectory(), await makeDirectory()];
    let ledger = await openTestLedger(directory);
    const { tenants, assets } = await write(ledger);
    await ledger.close();
    await cp(dataPaths(directory).index, older, { recursive: true });
    ledger = await openTestLedger(directory);
    const block = await attest(ledger, tenants[0]!.identity, assets[0]!);
    await attestLarge(ledger, tenants[0]!.identity, assets[0]!);
    await ledger.close();
    await rm(dataPaths(directory).index, { recursive: true });
    await cp(older, dataPaths(directory).index, { recursive: true });
    await withStalledReplay(async (go) => {
      const starting = await openStartingTestLedger(directory);
      const tree = await starting.trees.readAttestedTree(toKey(tenants[0]!.identity), block);
      expect(tree).to.deep.include({ blockNumber: block });
      await expectBlock(starting, tenants[0]!.identity, assets[0]!, block);
      go();
      await starting.completion.completed;
      await expectTree(starting, tenants[0]!.identity, block);
      await starting.close();
    });
  });
});
