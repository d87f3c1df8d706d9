// The trees of an index against naive ones, computed from all logs.
import { expect } from 'chai';
import fc from 'fast-check';
import type { AttestedLog, ContractLogs, RecordLog } from '../../../chain/port.ts';
import { LAYOUT_VERSION } from '../../../indexer/keys.ts';
import { applyLogs } from '../../../indexer/projection/applyLogs.ts';
import { createTreeView } from '../../../indexer/reads/createTreeView.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import type { TreeView } from '../../../indexer/treeView.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { isIncluded, planInclusion, toProof } from '../../../ledger/evidence/merkleProof.ts';
import { hashLeaf, type NodePosition } from '../../../ledger/evidence/merkleTree.ts';
import { toKey } from '../../../ledger/identity.ts';
import { type ContractModel, createContractModel, DOMAIN } from '../../support/contractModel.ts';
import { useDirectories } from '../../support/directories.ts';
import { CONTRACT } from '../../support/fakeChain.ts';
import { naiveRoot } from '../../support/merkleTrees.ts';
import { runs } from '../../support/propertyRuns.ts';
import { toWord } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, assetOf, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { failureOf } from '../../support/refusals.ts';
import { rowsOf } from '../../support/viewFixture.ts';

const TENANTS = [ALPHA, BETA];
const keyOf = (identity: string): Hex => toHex(toKey(identity));
const opaque = { changed: { payload: Uint8Array.of(7, 7) } };

/** A step of a history: what happens, to which tenant, to which asset. */
type Step = readonly [what: 'record' | 'opaque' | 'block' | 'tree' | 'stream' | 'name', tenant: number, asset: number];

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom(...(['record', 'record', 'record', 'opaque', 'block', 'tree', 'stream', 'name'] as const)),
    fc.nat(1),
    fc.integer({ min: 1, max: 3 }),
  ),
  { maxLength: 120, size: 'max' },
);

const play = (history: readonly Step[]): ContractModel => {
  const contract = createContractModel();
  for (const tenantIdentity of TENANTS) contract.append({ tenantIdentity, record: aTenantRecord(tenantIdentity) });
  for (const [at, [what, tenant, asset]] of history.entries()) {
    const tenantIdentity = TENANTS[tenant]!;
    const tenantKey = keyOf(tenantIdentity);
    const event = eventOf(asset, at);
    const record = at % 2 === 0 ? anEvent({ identity: event }) : aCreation({ identity: event });
    if (what === 'record') contract.append({ tenantIdentity, record });
    else if (what === 'opaque') contract.append({ tenantIdentity, record, ...opaque });
    else if (what === 'block') contract.nextBlock();
    else if (what === 'tree') contract.attestTree(tenantKey);
    else if (what === 'stream') contract.attestStream(tenantKey, keyOf(assetOf(asset)));
    else contract.attestRecord(tenantKey, keyOf(eventOf(asset, at - 1)));
  }
  return contract;
};

const inBlocks = ({ records, attestations }: ContractLogs, from: number, to: number): ContractLogs => {
  const isIn = ({ blockNumber }: RecordLog | AttestedLog): boolean => blockNumber >= from && blockNumber <= to;
  return { records: records.filter(isIn), attestations: attestations.filter(isIn) };
};

const toCursor = (blockNumber: number) => ({
  layoutVersion: LAYOUT_VERSION,
  contract: CONTRACT,
  blockNumber,
  blockHash: toWord(blockNumber),
});

describe('the trees of an index', () => {
  const makeDirectory = useDirectories();

  const withStore = async <T>(act: (store: IndexStore, view: TreeView) => Promise<T>): Promise<T> => {
    const store = await createIndexStore(await makeDirectory());
    try {
      return await act(store, createTreeView(store));
    } finally {
      await store.close();
    }
  };
  const take = (store: IndexStore, logs: ContractLogs, block: number): Promise<void> =>
    applyLogs(store, logs, toCursor(block), { checkedDomain: DOMAIN });
  const takeAll = (store: IndexStore, { logs, blockNumber }: ContractModel): Promise<void> =>
    take(store, logs, blockNumber());

  const expectTree = async (view: TreeView, contract: ContractModel, tenantKey: Hex): Promise<void> => {
    const key = fromHex(tenantKey);
    const leaves = contract.leavesOf(tenantKey);
    expect(await view.readTreeSize(key)).to.equal(leaves.length);
    const read: Hex[] = [];
    for await (const leaf of view.readLeaves(key, 0, leaves.length + 5)) read.push(toHex(leaf));
    expect(read).to.deep.equal(leaves.map(toHex));
    const positions: NodePosition[] = [];
    for (let level = 0; 2 ** level <= leaves.length; level += 1)
      for (let index = 0; (index + 1) * 2 ** level <= leaves.length; index += 1) positions.push({ level, index });
    const nodes = positions.map(({ level, index }) =>
      naiveRoot(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
    );
    expect((await view.readNodes(key, positions)).map(toHex)).to.deep.equal(nodes.map(toHex));
  };

  const expectRecords = async (view: TreeView, { logs, streamOf }: ContractModel): Promise<void> => {
    const sizes = new Map<Hex, number>();
    for (const { tenantKey, streamKey, recordKey, payload, author, ...log } of logs.records) {
      const index = sizes.get(tenantKey) ?? 0;
      sizes.set(tenantKey, index + 1);
      const found = (await view.readTreeRecord(fromHex(tenantKey), fromHex(recordKey)))!;
      expect([found.index, toHex(found.payload), toHex(found.author)]).to.deep.equal([index, toHex(payload), author]);
      expect(found.place).to.deep.equal({ blockNumber: log.blockNumber, transactionIndex: 0, logIndex: log.logIndex });
      expect(toHex(found.leaf.digest)).to.equal(log.digest);
      const stream = streamOf(tenantKey, streamKey);
      const read = await view.readStreamRecords(fromHex(tenantKey), fromHex(streamKey), 2, log.sequence);
      expect(read.map((each) => toHex(each.recordKey))).to.deep.equal(
        stream.slice(1, log.sequence).map((each) => each.recordKey),
      );
    }
  };

  it('are naive ones, with all records, after any history of two tenants', async () => {
    const check = fc.asyncProperty(steps, async (history) => {
      const contract = play(history);
      await withStore(async (store, view) => {
        await takeAll(store, contract);
        for (const tenant of TENANTS) await expectTree(view, contract, keyOf(tenant));
        await expectRecords(view, contract);
      });
    });
    await fc.assert(check, runs(15));
  });

  it('have the same rows for any division of the blocks into batches, also with a stop between them', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 40 });
    const check = fc.asyncProperty(steps, cuts, async (history, lengths) => {
      const contract = play(history);
      const expected = await withStore(async (store) => {
        await takeAll(store, contract);
        return rowsOf(store);
      });
      const directory = await makeDirectory();
      let store = await createIndexStore(directory);
      for (let [from, at] = [1, 0]; from <= contract.blockNumber(); at += 1) {
        const to = Math.min(from + lengths[at % lengths.length]! - 1, contract.blockNumber());
        await take(store, inBlocks(contract.logs, from, to), to);
        from = to + 1;
        if (at % 3 > 0) continue;
        await store.close();
        store = await createIndexStore(directory);
      }
      expect(await rowsOf(store)).to.deep.equal(expected);
      await store.close();
    });
    await fc.assert(check, runs(15));
  });

  it('prove every leaf in every attested tree', async () => {
    const contract = play(Array.from({ length: 40 }, (_, at) => [at % 5 === 4 ? 'tree' : 'record', 0, 1]));
    const key = toKey(ALPHA);
    await withStore(async (store, view) => {
      await takeAll(store, contract);
      const leaves = contract.leavesOf(keyOf(ALPHA));
      for (const log of contract.logs.attestations) {
        if (log.event !== 'TenantAttested') continue;
        for (let index = 0; index < log.size; index += 1) {
          const plan = planInclusion(index, log.size);
          const nodes = await view.readNodes(key, plan.flat());
          const path = toProof(plan, (position) => nodes[plan.flat().indexOf(position)]!);
          expect(isIncluded({ index, hash: hashLeaf(leaves[index]!) }, path, log)).to.equal(true);
        }
      }
    });
  });

  it('read no subtree that is not complete, and nothing of another tenant', async () => {
    const contract = play([['record', 0, 1]]);
    await withStore(async (store, view) => {
      await takeAll(store, contract);
      for (const position of [
        { level: 0, index: 2 },
        { level: 1, index: 1 },
        { level: 2, index: 0 },
      ])
        expect(await failureOf(view.readNodes(toKey(ALPHA), [position]))).to.be.instanceOf(RangeError);
      const { recordKey, streamKey } = contract.logs.records.at(-1)!;
      expect(await view.readTreeRecord(toKey(BETA), fromHex(recordKey))).to.equal(undefined);
      expect(await view.readStreamRecords(toKey(BETA), fromHex(streamKey), 1, 9)).to.deep.equal([]);
      expect(await view.readTreeSize(toKey(assetOf(1)))).to.equal(0);
    });
  });

  const FALSE_RECORDS: readonly [string, (log: RecordLog) => Partial<RecordLog>][] = [
    ['another payload', ({ payload }) => ({ payload: Uint8Array.of(...payload, 0x20) })],
    ['another author', () => ({ author: `0x${'11'.repeat(20)}` })],
    ['another digest', () => ({ digest: toWord(9) })],
    ['another head', () => ({ head: `0x${'22'.repeat(28)}` })],
    ['a position after a gap', ({ sequence }) => ({ sequence: sequence + 1 })],
    ['an earlier position', () => ({ sequence: 1 })],
    ['no position', () => ({ sequence: 0 })],
  ];
  for (const [name, change] of FALSE_RECORDS)
    it(`refuse a record with ${name}, and keep nothing of its batch`, async () => {
      const contract = play([
        ['record', 0, 1],
        ['block', 0, 1],
        ['record', 0, 1],
      ]);
      const { logs } = contract;
      const log = logs.records.at(-1)!;
      logs.records[logs.records.length - 1] = { ...log, ...change(log) };
      await withStore(async (store) => {
        await take(store, inBlocks(logs, 1, 1), 1);
        const before = await rowsOf(store);
        expect(await failureOf(take(store, inBlocks(logs, 2, 2), 2))).to.have.property('code', 'CHAIN_CORRUPT');
        expect(await rowsOf(store)).to.deep.equal(before);
      });
    });

  const FALSE_ATTESTATIONS: readonly [string, Step, object][] = [
    ['root of a tree', ['tree', 0, 1], { root: fromHex(toWord(1)) }],
    ['size of a tree', ['tree', 0, 1], { size: 3 }],
    ['smaller size of a tree', ['tree', 0, 1], { size: 1 }],
    ['head of a stream', ['stream', 0, 1], { hash: new Uint8Array(28).fill(1) }],
    ['number of records of a stream', ['stream', 0, 1], { count: 2 }],
    ['absence of a stream', ['stream', 0, 1], { count: 0, hash: new Uint8Array(28) }],
  ];
  for (const [name, step, change] of FALSE_ATTESTATIONS)
    it(`refuse an attestation of another ${name}`, async () => {
      const { logs } = play([['record', 0, 1], step]);
      logs.attestations[0] = { ...logs.attestations[0]!, ...change };
      await withStore(async (store) => {
        const failure = await failureOf(applyLogs(store, logs, toCursor(1)));
        expect(failure).to.have.property('code', 'CHAIN_CORRUPT');
        expect(await rowsOf(store)).to.deep.equal([]);
      });
    });
});
