// A block that the disk refused: memory and journal agree again without a restart, with the same hash.
import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import { openJournal } from '../../../../chain/embedded/journal/journal.ts';
import type { BlockRef } from '../../../../chain/port.ts';
import { FULL, withFailingLevel, withLevelMethod } from '../../../support/levelMethod.ts';
import { rejectionOf } from '../../../support/refusals.ts';
import { until } from '../../../support/until.ts';
import { createAccount, createChains, EMITTER_CODE, signRaw } from '../fixtures.ts';

describe('journal on a disk that was full', () => {
  const chains = createChains();
  afterEach(() => chains.clean());

  const account = createAccount();
  const isWorking = (chain: EmbeddedChain) => (): boolean => chain.findHealthIssue() === undefined;

  const startWithBlock = async (directory: string, problems: string[] = []): Promise<EmbeddedChain> => {
    const onProblem = (message: string) => problems.push(message);
    const chain = await chains.start(directory, { recoveryPeriodMs: 1, onProblem });
    await chain.submitTransaction(await signRaw(account, 0, { data: EMITTER_CODE }));
    return chain;
  };

  const fetchHeads = async (chain: EmbeddedChain): Promise<unknown> => {
    const { number } = await chain.fetchFinalHead();
    return Promise.all(Array.from({ length: number + 1 }, (_, block) => chain.fetchBlockHash(block)));
  };

  const expectSameAfterRestart = async (directory: string, chain: EmbeddedChain): Promise<void> => {
    const before = await fetchHeads(chain);
    await chain.close();
    expect(await fetchHeads(await chains.start(directory))).to.deep.equal(before);
  };

  it('writes the pending block once there is space, and continues', async () => {
    const directory = await chains.makeDirectory();
    const problems: string[] = [];
    const chain = await startWithBlock(directory, problems);
    const heard: BlockRef[] = [];
    chain.onFinalHead((head) => heard.push(head));
    const raw = await signRaw(account, 1);
    const fail = async (): Promise<void> => {
      expect(await rejectionOf(chain.submitTransaction(raw))).to.equal('CHAIN_UNAVAILABLE');
      expect(await rejectionOf(chain.submitTransaction(raw))).to.equal('CHAIN_UNAVAILABLE');
      expect((await chain.fetchFinalHead()).number).to.equal(1);
      expect(chain.findHealthIssue()).to.be.a('string');
      expect(heard).to.deep.equal([]);
    };
    await withFailingLevel('put', fail, FULL);
    await until(isWorking(chain));
    expect(heard).to.deep.equal([await chain.fetchFinalHead()]);
    expect((await chain.submitTransaction(raw)).blockNumber).to.equal(2);
    expect((await chain.submitTransaction(await signRaw(account, 2))).blockNumber).to.equal(3);
    expect(problems).to.have.length(2);
    await expectSameAfterRestart(directory, chain);
  });

  it('has the block once when the failed write reached the disk', async () => {
    const directory = await chains.makeDirectory();
    const chain = await startWithBlock(directory);
    const raw = await signRaw(account, 1);
    await withLevelMethod(
      'put',
      (original) =>
        async function (...args) {
          await original.apply(this, args);
          throw FULL;
        },
      async () => expect(await rejectionOf(chain.submitTransaction(raw))).to.equal('CHAIN_UNAVAILABLE'),
    );
    await until(isWorking(chain));
    expect((await chain.fetchFinalHead()).number).to.equal(2);
    await expectSameAfterRestart(directory, chain);
  });

  it('refuses blocks when the disk has lost one meanwhile', async () => {
    const directory = await chains.makeDirectory();
    const problems: string[] = [];
    const chain = await chains.start(directory, {
      recoveryPeriodMs: 1,
      onProblem: (message) => problems.push(message),
      openJournal: async (path) => {
        const journal = await openJournal(path);
        const recoverBlock: typeof journal.recoverBlock = (block, head) =>
          journal.recoverBlock(block, { ...head, hash: `0x${'00'.repeat(32)}` });
        return { ...journal, recoverBlock };
      },
    });
    await withFailingLevel('put', async () => rejectionOf(chain.submitTransaction(await signRaw(account, 0))), FULL);
    await until(() => problems.length === 2);
    expect(await rejectionOf(chain.submitTransaction(await signRaw(account, 1)))).to.equal('CHAIN_UNAVAILABLE');
    expect(chain.findHealthIssue()).to.include('block 0');
  });

  it('closes while the disk is full', async () => {
    const directory = await chains.makeDirectory();
    const chain = await startWithBlock(directory);
    const raw = await signRaw(account, 1);
    const fail = async (): Promise<void> => {
      await rejectionOf(chain.submitTransaction(raw));
      await chain.close();
    };
    await withFailingLevel('put', fail, FULL);
    const again = await chains.start(directory);
    expect((await again.submitTransaction(raw)).blockNumber).to.equal(2);
  });
});
