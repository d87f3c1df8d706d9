// What an index keeps of attestations, of which anybody can make any number.
import { expect } from 'chai';
import { LAYOUT_VERSION } from '../../../indexer/keys.ts';
import { applyLogs } from '../../../indexer/projection/applyLogs.ts';
import { ABSENCES_MAX } from '../../../indexer/projection/projectAttestation.ts';
import { createTreeView } from '../../../indexer/reads/createTreeView.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import { absenceCountKey } from '../../../indexer/treeKeys.ts';
import type { TreeView } from '../../../indexer/treeView.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { type ContractModel, createContractModel, DOMAIN } from '../../support/contractModel.ts';
import { useDirectories } from '../../support/directories.ts';
import { CONTRACT } from '../../support/fakeChain.ts';
import { toWord } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, assetOf, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { rowsOf } from '../../support/viewFixture.ts';

const TENANT = toHex(toKey(ALPHA));
const STREAM = toHex(toKey(assetOf(1)));
const RECORD = toHex(toKey(eventOf(1, 0)));

describe('attestations in an index', () => {
  const makeDirectory = useDirectories();

  const withIndex = async (
    play: (contract: ContractModel) => void,
    act: (view: TreeView, store: IndexStore, contract: ContractModel) => Promise<void>,
  ): Promise<void> => {
    const contract = createContractModel();
    contract.append({ record: aTenantRecord(ALPHA) });
    play(contract);
    const store = await createIndexStore(await makeDirectory());
    const blockNumber = contract.blockNumber();
    const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber, blockHash: toWord(blockNumber) };
    try {
      await applyLogs(store, contract.logs, cursor, { checkedDomain: DOMAIN });
      await act(createTreeView(store), store, contract);
    } finally {
      await store.close();
    }
  };
  const nextBlocks = ({ nextBlock }: ContractModel, count = 1): void => {
    for (let block = 0; block < count; block += 1) nextBlock();
  };

  it('are read as they were up to a block', () =>
    withIndex(
      (contract) => {
        contract.attestStream(TENANT, STREAM);
        contract.attestRecord(TENANT, RECORD);
        nextBlocks(contract, 4);
        contract.attestTree(TENANT);
        contract.append({ record: aCreation() });
        contract.attestTree(TENANT);
        contract.attestStream(TENANT, STREAM);
        contract.attestRecord(TENANT, RECORD);
        nextBlocks(contract, 4);
      },
      async (view, _, { logs }) => {
        const tenantKey = toKey(ALPHA);
        const [created] = logs.records.slice(-1);
        const first = { blockNumber: 1, transactionIndex: 0 };
        const second = { blockNumber: 5, transactionIndex: 0 };
        expect(await view.readAttestedTree(tenantKey, 4)).to.equal(undefined);
        const tree = (await view.readAttestedTree(tenantKey, 5))!;
        expect(tree).to.deep.include({ ...second, logIndex: 2, size: 2 });
        expect(await view.readAttestedTree(tenantKey, 99)).to.deep.equal(tree);
        const absent = (await view.readAttestedStream(tenantKey, toKey(assetOf(1)), 4))!;
        expect(absent).to.deep.include({ ...first, logIndex: 1, count: 0 });
        const stream = (await view.readAttestedStream(tenantKey, toKey(assetOf(1)), 5))!;
        expect(stream).to.deep.include({ ...second, logIndex: 3, count: 1 });
        expect(toHex(stream.head)).to.equal(created!.head);
        expect(await view.readAttestedRecord(tenantKey, toKey(eventOf(1, 0)), 1)).to.deep.include({ sequence: 0 });
        const record = (await view.readAttestedRecord(tenantKey, toKey(eventOf(1, 0)), 9))!;
        expect(record).to.deep.include({ ...second, logIndex: 4, sequence: 1 });
        expect(toHex(record.hash)).to.equal(created!.digest.slice(0, 2 + 2 * 28));
      },
    ));

  it('are not kept of a tenant without records', () =>
    withIndex(
      (contract) => {
        const other = toHex(toKey(BETA));
        contract.attestTree(other);
        contract.attestStream(other, STREAM);
        contract.attestRecord(other, RECORD);
      },
      async (view, store) => {
        expect(await view.readAttestedStream(toKey(BETA), toKey(assetOf(1)), 9)).to.equal(undefined);
        const ofOther = (await rowsOf(store)).filter(([key]) => key.includes(toHex(toKey(BETA)).slice(2)));
        expect(ofOther).to.deep.equal([]);
      },
    ));

  it('in a large receipt are not kept, and leave those in small ones', () =>
    withIndex(
      (contract) => {
        contract.append({ record: aCreation() });
        contract.attestTree(TENANT);
        contract.attestStream(TENANT, STREAM);
        contract.nextBlock();
        contract.setReceiptBytes(2_049);
        contract.attestTree(TENANT);
        contract.attestStream(TENANT, STREAM);
        contract.attestRecord(TENANT, RECORD);
        contract.nextBlock();
        contract.setReceiptBytes(2_048);
        contract.attestRecord(TENANT, RECORD);
      },
      async (view) => {
        const tenantKey = toKey(ALPHA);
        expect(await view.readAttestedTree(tenantKey, 9)).to.deep.include({ blockNumber: 1 });
        expect(await view.readAttestedStream(tenantKey, toKey(assetOf(1)), 9)).to.deep.include({ blockNumber: 1 });
        expect(await view.readAttestedRecord(tenantKey, toKey(eventOf(1, 0)), 2)).to.equal(undefined);
        expect(await view.readAttestedRecord(tenantKey, toKey(eventOf(1, 0)), 3)).to.deep.include({ blockNumber: 3 });
      },
    ));

  it('of one tree in thousands of blocks need one short row, which has one near any block', () =>
    withIndex(
      (contract) => {
        for (let block = 0; block < 3_000; block += 1) {
          contract.attestTree(TENANT);
          contract.nextBlock();
        }
      },
      async (view, store) => {
        // Of the record, the tenant, its name, its leaf and position, the tree, the cursor, the author (3), the day's
        // bytes, this one.
        expect((await rowsOf(store)).length).to.equal(12);
        for (const behind of [0, 1, 2, 5, 20, 100, 500, 2_000]) {
          const until = 3_000 - behind;
          const { blockNumber } = (await view.readAttestedTree(toKey(ALPHA), until))!;
          expect(blockNumber, `${behind} blocks ago`)
            .to.be.at.most(until)
            .and.at.least(until - 4 * behind - 1);
        }
      },
    ));

  it('of names that do not exist are kept for the newest ones', () =>
    withIndex(
      (contract) => {
        for (let name = 0; name < 5; name += 1) contract.attestStream(TENANT, toWord(name));
        contract.nextBlock();
        contract.attestStream(TENANT, toWord(0));
      },
      async (view, store, contract) => {
        const countKey = absenceCountKey(toKey(ALPHA));
        expect(store.read(countKey)).to.equal(5);
        // All slots but the last are taken: the following names take those of the first ones.
        const blockNumber = contract.blockNumber() + 1;
        const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber, blockHash: toWord(9) };
        await store.apply([{ key: countKey, value: ABSENCES_MAX - 1 }], cursor);
        const later = createContractModel();
        later.append({ record: aTenantRecord(ALPHA) });
        for (let block = 1; block < blockNumber + 1; block += 1) later.nextBlock();
        for (let name = 10; name < 13; name += 1) later.attestRecord(TENANT, toWord(name));
        await applyLogs(store, { records: [], attestations: later.logs.attestations }, cursor);
        const keyOf = (name: number) => Buffer.from(toWord(name).slice(2), 'hex');
        for (const [name, isKept] of [0, 1, 2, 3, 4].map((at) => [at, at > 1] as const)) {
          const found = await view.readAttestedStream(toKey(ALPHA), keyOf(name), 99);
          expect(found !== undefined, `name ${name}`).to.equal(isKept);
        }
        for (const name of [10, 11, 12])
          expect(await view.readAttestedRecord(toKey(ALPHA), keyOf(name), 99)).to.deep.include({ sequence: 0 });
      },
    ));
});
