// Logs that contradict each other: the follower ends before them, with and without a thread that computes digests.
import { expect } from 'chai';
import type { AttestedLog, FollowedChain, RecordLog } from '../../chain/port.ts';
import { UnprovenAuthor } from '../../chain/unprovenAuthor.ts';
import { startDecodingThread } from '../../host/indexing/decodingThread.ts';
import type { Follower, FollowerOptions } from '../../indexer/follower.ts';
import { createTreeView } from '../../indexer/reads/createTreeView.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { type ContractModel, createContractModel, DOMAIN } from '../support/contractModel.ts';
import { follow as followWith, useIndexStores } from '../support/indexStores.ts';
import { toWord } from '../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from '../support/records.ts';
import { failureOf } from '../support/refusals.ts';
import { rowsOf } from '../support/viewFixture.ts';

/** From 1,000 blocks on, a thread computes the digests. */
const BLOCKS = 1_100;

const toChain = ({ logs, blockNumber }: ContractModel): FollowedChain => ({
  fetchFinalHead: async () => ({ number: blockNumber(), hash: toWord(blockNumber()) }),
  fetchBlockHash: async (number) => toWord(number),
  fetchContractLogs: async ({ fromBlock, toBlock }) => {
    const isIn = (log: RecordLog | AttestedLog): boolean => log.blockNumber >= fromBlock && log.blockNumber <= toBlock;
    return { records: logs.records.filter(isIn), attestations: logs.attestations.filter(isIn) };
  },
});

// A record in each tenth block, and an attestation of the tree in the block after it.
const play = (blocks: number): ContractModel => {
  const contract = createContractModel();
  contract.append({ record: aTenantRecord(ALPHA) });
  contract.append({ record: aCreation() });
  for (let block = 2; block <= blocks; block += 1) {
    contract.nextBlock();
    if (block % 10 === 0) contract.append({ record: anEvent({ identity: eventOf(1, block) }) });
    if (block % 10 === 1) contract.attestTree(toHex(toKey(ALPHA)));
  }
  return contract;
};

describe('a follower that checks logs', () => {
  const { openStore } = useIndexStores();

  const follow = (
    contract: ContractModel,
    store: IndexStore,
    options: Partial<FollowerOptions> = {},
  ): Promise<Follower> =>
    followWith({
      chain: toChain(contract),
      store,
      pageBlocks: 64,
      batchRecords: 10,
      domain: DOMAIN,
      startDecoder: startDecodingThread,
      onWipe: (reason) => expect.fail(reason),
      ...options,
    });
  const forge = ({ logs }: ContractModel, block: number): void => {
    const at = logs.records.findIndex(({ blockNumber }) => blockNumber === block);
    logs.records[at] = { ...logs.records[at]!, author: `0x${'11'.repeat(20)}` };
  };

  it('builds the same index with and without a thread', async () => {
    const contract = play(BLOCKS);
    const [withThread, without] = [await openStore(), await openStore()];
    await (await follow(contract, withThread)).catchUp();
    await (await follow(contract, without, { startDecoder: undefined })).catchUp();
    expect(await rowsOf(withThread)).to.deep.equal(await rowsOf(without));
    const tree = await createTreeView(withThread).readAttestedTree(toKey(ALPHA), BLOCKS);
    expect(tree).to.deep.include({ blockNumber: 1_091, size: 2 + 109 });
  });

  for (const [name, startDecoder] of [
    ['with a thread', startDecodingThread],
    ['without a thread', undefined],
  ] as const)
    it(`ends before a record with another digest, ${name}, and keeps what it has`, async () => {
      const contract = play(BLOCKS);
      forge(contract, 500);
      const store = await openStore();
      const follower = await follow(contract, store, { startDecoder });
      expect(await failureOf(follower.catchUp())).to.have.property('code', 'CHAIN_CORRUPT');
      await store.written();
      const { blockNumber } = store.readCursor()!;
      expect(blockNumber).to.be.above(100).and.below(500);
      expect(await failureOf(follower.catchUp())).to.have.property('code', 'CHAIN_CORRUPT');
      expect(store.readCursor()?.blockNumber).to.equal(blockNumber);
      expect(await createTreeView(store).readTreeSize(toKey(ALPHA))).to.equal(2 + Math.floor(blockNumber / 10));
    });

  it('of a chain of its own process checks the records of a start, then attestations alone', async () => {
    const contract = play(15);
    const store = await openStore();
    const follower = await follow(contract, store, { trustsNewRecords: true });
    await follower.catchUp();
    for (let block = 16; block <= 20; block += 1) contract.nextBlock();
    contract.append({ record: anEvent({ identity: eventOf(1, 20) }) });
    forge(contract, 20);
    await follower.catchUp();
    expect(store.readCursor()?.blockNumber).to.equal(20);
    contract.nextBlock();
    const log = contract.attestTree(toHex(toKey(ALPHA)));
    contract.logs.attestations[contract.logs.attestations.length - 1] = { ...log, size: 9 } as AttestedLog;
    expect(await failureOf(follower.catchUp())).to.have.property('code', 'CHAIN_CORRUPT');
    contract.logs.attestations.pop();
    // Another start reads the forged record again.
    const second = await openStore();
    const again = await follow(contract, second, { trustsNewRecords: true });
    expect(await failureOf(again.catchUp())).to.have.property('code', 'CHAIN_CORRUPT');
  });

  for (const [name, startDecoder] of [
    ['with a thread', startDecodingThread],
    ['without a thread', undefined],
  ] as const)
    it(`has the blocks before a record that its author has not signed, ${name}, and goes on when that is found`, async () => {
      const contract = play(BLOCKS);
      const honest = toChain(contract);
      const [block, author] = [1_050, toWord(7)];
      const asked: (ReadonlySet<string> | undefined)[] = [];
      let isSigned = false;
      const fetchContractLogs: FollowedChain['fetchContractLogs'] = async (query) => {
        asked.push(query.provenAuthors);
        const log = contract.logs.records.find(({ blockNumber }) => blockNumber === block)!;
        if (!isSigned && query.fromBlock <= block && query.toBlock >= block)
          throw new UnprovenAuthor(log, { number: BLOCKS, hash: toWord(BLOCKS) });
        return honest.fetchContractLogs(query);
      };
      const store = await openStore();
      const chain = { ...honest, fetchContractLogs };
      const follower = await follow(contract, store, { chain, startDecoder, readAuthors: () => new Set([author]) });
      expect(await failureOf(follower.catchUp())).to.include({ code: 'AUTHOR_UNPROVED', blockNumber: block });
      expect(follower.findUnproven()?.blockNumber).to.equal(block);
      await store.written();
      expect(store.readCursor()?.blockNumber).to.equal(block - 1);
      isSigned = true;
      await follower.catchUp();
      expect(follower.findUnproven()).to.equal(undefined);
      expect(store.readCursor()?.blockNumber).to.equal(BLOCKS);
      expect(asked.every((authors) => authors?.has(author))).to.equal(true);
      const other = await openStore();
      await (await follow(contract, other)).catchUp();
      expect(await rowsOf(store)).to.deep.equal(await rowsOf(other));
    });
});
