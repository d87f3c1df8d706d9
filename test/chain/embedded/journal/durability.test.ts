import { expect } from 'chai';
import fc from 'fast-check';
import { Level } from 'level';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import { type Journal, openJournal } from '../../../../chain/embedded/journal/journal.ts';
import { encodeBlockKey } from '../../../../chain/embedded/journal/journalBlock.ts';
import type { ReplayProgress } from '../../../../chain/embedded/replayJournal.ts';
import type { BlockRef } from '../../../../chain/port.ts';
import { LedgerError } from '../../../../ledger/errors.ts';
import { runs } from '../../../support/propertyRuns.ts';
import {
  aRecord,
  createAccount,
  createChains,
  EMITTER_CODE,
  START_MS,
  signRaw,
  toAddress,
  toEmitterCall,
} from '../fixtures.ts';

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await errorOf(promise);
  return error instanceof LedgerError ? error.code : String(error);
};

const fetchAll = async (chain: EmbeddedChain): Promise<unknown[]> => {
  const { number } = await chain.fetchFinalHead();
  const tags = Array.from({ length: number + 1 }, (_, index) => `0x${index.toString(16)}`);
  return Promise.all(tags.map((tag) => chain.request('eth_getBlockByNumber', [tag, true])));
};

describe('durability of the embedded chain', () => {
  const chains = createChains();
  afterEach(() => chains.clean());

  const account = createAccount();
  const emitter = toAddress(account, 0);
  const toRecord = (sequence: number) => aRecord({ sequence, payload: Buffer.from(`record ${sequence}`) });

  const deploy = async (chain: EmbeddedChain): Promise<void> => {
    await chain.submitTransaction(await signRaw(account, 0, { data: EMITTER_CODE, to: null as never }));
  };

  const appendRecords = async (chain: EmbeddedChain, first: number, last: number): Promise<void> => {
    for (let nonce = first; nonce <= last; nonce += 1) {
      const data = toEmitterCall(toRecord(nonce));
      await chain.submitTransaction(await signRaw(account, nonce, { to: emitter, data }));
    }
  };

  const fetchRecords = (chain: EmbeddedChain) =>
    chain.fetchRecordLogs({ address: emitter, fromBlock: 0, toBlock: 1_000 });

  it('has the same blocks, records and nonces after each of several restarts', async () => {
    const directory = await chains.makeDirectory();
    let nowMs = START_MS;
    const now = (): number => (nowMs += 700);
    let chain = await chains.start(directory, { now });
    await deploy(chain);
    for (let restart = 0; restart < 4; restart += 1) {
      await appendRecords(chain, 1 + restart * 5, 5 + restart * 5);
      const before = [await chain.fetchFinalHead(), await fetchAll(chain), await fetchRecords(chain)];
      await chain.close();
      nowMs += 1_000_000;
      chain = await chains.start(directory, { now });
      expect([await chain.fetchFinalHead(), await fetchAll(chain), await fetchRecords(chain)]).to.deep.equal(before);
      expect(await chain.fetchNonce(account.address as `0x${string}`)).to.equal(6 + restart * 5);
      expect(chain.blocksReplayed).to.equal(6 + restart * 5);
    }
  });

  it('replays to the same hashes whatever was refused, called or estimated meanwhile', async () => {
    const directory = await chains.makeDirectory();
    const chain = await chains.start(directory);
    await deploy(chain);
    for (let nonce = 1; nonce <= 10; nonce += 1) {
      await codeOf(chain.submitTransaction(await signRaw(account, nonce + 7)));
      await codeOf(chain.submitTransaction(await signRaw(account, nonce, { gasPrice: 9 })));
      await codeOf(chain.submitTransaction(Uint8Array.of(nonce)));
      await chain.request('eth_call', [{ to: emitter, data: toEmitterCall(toRecord(nonce)) }, 'pending']);
      await chain.request('eth_estimateGas', [{ to: emitter, data: toEmitterCall(toRecord(nonce)) }]);
      await chain.request('eth_getBlockByNumber', ['pending', true]);
      await appendRecords(chain, nonce, nonce);
    }
    const before = await fetchAll(chain);
    await chain.close();
    expect(await fetchAll(await chains.start(directory))).to.deep.equal(before);
  });

  it('keeps the genesis of its first start, whatever options later starts have', async () => {
    const directory = await chains.makeDirectory();
    const first = await chains.start(directory);
    await first.close();
    const second = await chains.start(directory, { chainId: 99, now: () => START_MS + 1e9 });
    expect([second.genesisHash, second.chainId]).to.deep.equal([first.genesisHash, first.chainId]);
  });

  it('reports how many blocks are replayed', async () => {
    const directory = await chains.makeDirectory();
    const chain = await chains.start(directory);
    await deploy(chain);
    await appendRecords(chain, 1, 2);
    await chain.close();
    const heard: ReplayProgress[] = [];
    await chains.start(directory, { onProgress: (progress) => heard.push(progress) });
    expect(heard).to.deep.equal([1, 2, 3].map((blocksDone) => ({ blocksDone, blocksTotal: 3 })));
  });

  it('refuses a directory that another chain has open', async () => {
    const directory = await chains.makeDirectory();
    await chains.start(directory);
    expect(await codeOf(chains.start(directory))).to.equal('CHAIN_UNAVAILABLE');
  });

  describe('with a damaged journal', () => {
    const LAST = 5;

    const makeJournal = async (): Promise<string> => {
      const directory = await chains.makeDirectory();
      const chain = await chains.start(directory);
      await deploy(chain);
      await appendRecords(chain, 1, LAST - 1);
      await chain.close();
      return directory;
    };

    type Entries = Level<Uint8Array, Uint8Array>;
    const damage = async (directory: string, change: (entries: Entries) => Promise<void>): Promise<void> => {
      const entries: Entries = new Level(directory, { keyEncoding: 'view', valueEncoding: 'view' });
      await change(entries);
      await entries.close();
    };

    const assertRefused = async (directory: string, words: string): Promise<void> => {
      const error = await errorOf(chains.start(directory));
      expect(error).to.be.instanceOf(LedgerError);
      expect(error).to.include({ code: 'CHAIN_CORRUPT' });
      expect(String(error)).to.include(words);
    };

    it('refuses to start with any one byte of any entry changed', async () => {
      const directory = await makeJournal();
      const check = fc.asyncProperty(
        fc.nat(LAST),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (number, at, bits) => {
          const key = encodeBlockKey(number);
          let original: Uint8Array = new Uint8Array(0);
          await damage(directory, async (entries) => {
            original = (await entries.get(key))!;
            const changed = Uint8Array.from(original);
            changed[at % changed.length] = changed[at % changed.length]! ^ bits;
            await entries.put(key, changed);
          });
          expect(await codeOf(chains.start(directory))).to.equal('CHAIN_CORRUPT');
          await damage(directory, (entries) => entries.put(key, original));
        },
      );
      await fc.assert(check, runs(60));
      expect((await (await chains.start(directory)).fetchFinalHead()).number).to.equal(LAST);
    });

    it('names the block that is missing', async () => {
      const directory = await makeJournal();
      await damage(directory, (entries) => entries.del(encodeBlockKey(3)));
      await assertRefused(directory, 'block 3');
    });

    it('names the block whose hash differs', async () => {
      const directory = await makeJournal();
      await damage(directory, async (entries) => {
        const value = Uint8Array.from((await entries.get(encodeBlockKey(4)))!);
        value[20] = value[20]! ^ 1;
        await entries.put(encodeBlockKey(4), value);
      });
      await assertRefused(directory, 'block 4');
    });

    it('names the block that is truncated', async () => {
      const directory = await makeJournal();
      await damage(directory, async (entries) => {
        const value = (await entries.get(encodeBlockKey(2)))!;
        await entries.put(encodeBlockKey(2), value.slice(0, 40));
      });
      await assertRefused(directory, 'block 2');
    });

    it('refuses blocks without their genesis', async () => {
      const directory = await makeJournal();
      await damage(directory, (entries) => entries.del(encodeBlockKey(0)));
      await assertRefused(directory, 'block 0');
    });

    it('refuses a key that is no block number', async () => {
      const directory = await makeJournal();
      await damage(directory, (entries) => entries.put(Uint8Array.of(9), Uint8Array.of(9)));
      await assertRefused(directory, 'key');
    });

    it('can be opened by another after a refused start', async () => {
      const directory = await makeJournal();
      await damage(directory, (entries) => entries.del(encodeBlockKey(3)));
      await codeOf(chains.start(directory));
      await damage(directory, async () => undefined);
    });
  });

  describe('when the disk fails', () => {
    const withFailingDisk = async (directory: string, failsAt: number, keepsIt: boolean): Promise<EmbeddedChain> =>
      chains.start(directory, {
        recoveryPeriodMs: 600_000,
        openJournal: async (path): Promise<Journal> => {
          const journal = await openJournal(path);
          const appendBlock: Journal['appendBlock'] = async (block) => {
            if (block.number < failsAt || keepsIt) await journal.appendBlock(block);
            if (block.number >= failsAt) throw new Error('No space left on device');
          };
          return { ...journal, appendBlock };
        },
      });

    it('reports the transaction as neither mined nor refused, and serves only the blocks before it', async () => {
      const directory = await chains.makeDirectory();
      const chain = await withFailingDisk(directory, 2, false);
      const heard: BlockRef[] = [];
      chain.onFinalHead((head) => heard.push(head));
      await deploy(chain);
      const waiting = [1, 2, 3].map(async (nonce) => chain.submitTransaction(await signRaw(account, nonce)));
      const reads = [chain.request('eth_blockNumber', []), chain.request('eth_getBlockByNumber', ['latest', false])];
      for (const submission of waiting) expect(await codeOf(submission)).to.equal('CHAIN_UNAVAILABLE');
      await Promise.allSettled(reads);
      expect(heard.map(({ number }) => number)).to.deep.equal([1]);
      expect((await chain.fetchFinalHead()).number).to.equal(1);
      expect(await chain.fetchBlockHash(1)).to.equal((await chain.fetchFinalHead()).hash);
      expect(await chain.fetchBlockHash(2)).to.equal(undefined);
      expect(await fetchRecords(chain)).to.deep.equal([]);
      for (const call of [
        chain.fetchNonce(account.address as `0x${string}`),
        chain.request('eth_blockNumber', []),
        chain.submitTransaction(await signRaw(account, 1)),
      ]) {
        expect(await codeOf(call)).to.equal('CHAIN_UNAVAILABLE');
      }
    });

    it('hides a block that is not on the disk', async () => {
      const directory = await chains.makeDirectory();
      const writing = Promise.withResolvers<void>();
      const disk = Promise.withResolvers<void>();
      const chain = await chains.start(directory, {
        recoveryPeriodMs: 600_000,
        openJournal: async (path): Promise<Journal> => {
          const journal = await openJournal(path);
          const appendBlock: Journal['appendBlock'] = (block) => {
            if (block.number === 1) return journal.appendBlock(block);
            writing.resolve();
            return disk.promise;
          };
          return { ...journal, appendBlock };
        },
      });
      await deploy(chain);
      const submission = codeOf(appendRecords(chain, 1, 1));
      await writing.promise;
      expect((await chain.fetchFinalHead()).number).to.equal(1);
      expect(await chain.fetchBlockHash(2)).to.equal(undefined);
      expect(await fetchRecords(chain)).to.deep.equal([]);
      expect(await chain.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x2' }])).to.deep.equal([]);
      const reads = Array.from({ length: 5 }, () => codeOf(chain.request('eth_blockNumber', [])));
      disk.reject(new Error('No space left on device'));
      expect(await submission).to.equal('CHAIN_UNAVAILABLE');
      for (const read of [...reads, codeOf(chain.fetchNonce(account.address as `0x${string}`))]) {
        expect(await read).to.equal('CHAIN_UNAVAILABLE');
      }
    });

    it('accepts the same transaction after a restart, whether or not the disk kept it', async () => {
      for (const keepsIt of [false, true]) {
        const directory = await chains.makeDirectory();
        const chain = await withFailingDisk(directory, 2, keepsIt);
        await deploy(chain);
        const raw = await signRaw(account, 1);
        expect(await codeOf(chain.submitTransaction(raw))).to.equal('CHAIN_UNAVAILABLE');
        await chain.close();
        const again = await chains.start(directory);
        expect((await again.fetchFinalHead()).number).to.equal(keepsIt ? 2 : 1);
        expect((await again.submitTransaction(raw)).blockNumber).to.equal(2);
        expect((await again.fetchFinalHead()).number).to.equal(2);
      }
    });
  });
});
