import { expect } from 'chai';
import type { EmbeddedChain } from '../../../chain/embedded/embeddedChain.ts';
import type { BlockRef } from '../../../chain/port.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import {
  aRecord,
  CHAIN_ID,
  createAccount,
  createChains,
  EMITTER_CODE,
  START_MS,
  signRaw,
  toAddress,
  toEmitterCall,
} from './fixtures.ts';

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'fulfilled',
    (error: unknown) => (error instanceof LedgerError ? error.code : String(error)),
  );

interface RpcBlock {
  readonly timestamp: string;
  readonly baseFeePerGas: string;
  readonly gasUsed: string;
  readonly transactions: readonly string[];
}

const fetchBlock = async (chain: EmbeddedChain, tag: string): Promise<RpcBlock> =>
  (await chain.request('eth_getBlockByNumber', [tag, false])) as RpcBlock;

describe('embedded chain', () => {
  const chains = createChains();
  afterEach(() => chains.clean());
  const startNew = async (options = {}): Promise<EmbeddedChain> => chains.start(await chains.makeDirectory(), options);

  it('starts with a genesis block at the time of its first start', async () => {
    const chain = await startNew();
    expect(await chain.fetchFinalHead()).to.deep.equal({ number: 0, hash: chain.genesisHash });
    expect(Number((await fetchBlock(chain, '0x0')).timestamp)).to.equal(START_MS / 1000);
    expect(chain.chainId).to.equal(CHAIN_ID);
  });

  it('mines each transaction in a block of its own, from an account without a balance', async () => {
    const chain = await startNew();
    const account = createAccount();
    const first = await chain.submitTransaction(await signRaw(account, 0));
    const second = await chain.submitTransaction(await signRaw(account, 1));
    expect([first.blockNumber, second.blockNumber]).to.deep.equal([1, 2]);
    expect((await fetchBlock(chain, '0x2')).transactions).to.deep.equal([second.hash]);
    expect(await chain.fetchNonce(account.address as Hex)).to.equal(2);
  });

  it('accepts concurrent transactions and mines one after the other', async () => {
    const chain = await startNew();
    const accounts = Array.from({ length: 20 }, createAccount);
    const mined = await Promise.all(
      accounts.map(async (account) => chain.submitTransaction(await signRaw(account, 0))),
    );
    const numbers = mined.map(({ blockNumber }) => blockNumber).sort((a, b) => a - b);
    expect(numbers).to.deep.equal(accounts.map((_, index) => index + 1));
    for (const { hash, blockNumber } of mined) {
      expect((await fetchBlock(chain, `0x${blockNumber.toString(16)}`)).transactions).to.deep.equal([hash]);
    }
  });

  it('mines a transaction that reverts', async () => {
    const chain = await startNew();
    const { hash } = await chain.submitTransaction(
      await signRaw(createAccount(), 0, { data: '0x5f5ffd', to: null as never }),
    );
    const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as { status: string };
    expect(receipt.status).to.equal('0x0');
  });

  describe('refuses', () => {
    const account = createAccount();
    const refused: [string, () => Promise<Uint8Array>][] = [
      ['a nonce that is ahead', () => signRaw(account, 5)],
      ['a gas price above zero that nobody can pay', () => signRaw(account, 0, { gasPrice: 1 })],
      ['a transaction of another chain', () => signRaw(account, 0, { chainId: CHAIN_ID + 1 })],
      ['a gas limit over the largest', () => signRaw(account, 0, { gasLimit: 2 ** 26 + 1 })],
      ['too little gas', () => signRaw(account, 0, { gasLimit: 20_999 })],
      ['bytes that are no transaction', async () => Uint8Array.of(1, 2, 3)],
      ['no bytes', async () => new Uint8Array(0)],
      ['a blob transaction', async () => Uint8Array.of(3, 0xc0)],
      ['a transaction over the largest size', async () => new Uint8Array(512 * 1024 + 1).fill(2)],
    ];
    for (const [name, build] of refused) {
      it(`${name}, and mines nothing`, async () => {
        const chain = await startNew();
        expect(await codeOf(chain.submitTransaction(await build()))).to.equal('TRANSACTION_REFUSED');
        expect((await chain.fetchFinalHead()).number).to.equal(0);
        await chain.submitTransaction(await signRaw(account, 0));
        expect((await chain.fetchFinalHead()).number).to.equal(1);
      });
    }
  });

  it('does not mine a refused future transaction when its nonce comes up', async () => {
    const chain = await startNew();
    const account = createAccount();
    const ahead = await signRaw(account, 1);
    expect(await codeOf(chain.submitTransaction(ahead))).to.equal('TRANSACTION_REFUSED');
    await chain.submitTransaction(await signRaw(account, 0));
    expect((await chain.fetchFinalHead()).number).to.equal(1);
    expect((await chain.submitTransaction(ahead)).blockNumber).to.equal(2);
  });

  it('resolves an already mined transaction with its block', async () => {
    const chain = await startNew();
    const account = createAccount();
    const raw = await signRaw(account, 0);
    const mined = await chain.submitTransaction(raw);
    await chain.submitTransaction(await signRaw(account, 1));
    expect(await chain.submitTransaction(raw)).to.deep.equal(mined);
    expect((await chain.fetchFinalHead()).number).to.equal(2);
  });

  it('mines a transaction that is submitted twice at once in one block', async () => {
    const chain = await startNew();
    const raw = await signRaw(createAccount(), 0);
    const [first, second] = await Promise.all([chain.submitTransaction(raw), chain.submitTransaction(raw)]);
    expect(first).to.deep.equal(second);
    expect((await chain.fetchFinalHead()).number).to.equal(1);
  });

  it('refuses another transaction with the nonce of a mined one', async () => {
    const chain = await startNew();
    const account = createAccount();
    await chain.submitTransaction(await signRaw(account, 0));
    const other = await signRaw(account, 0, { gasLimit: 30_000 });
    expect(await codeOf(chain.submitTransaction(other))).to.equal('TRANSACTION_REFUSED');
  });

  it('stamps a block with the end of the current second, and never goes back', async () => {
    let nowMs = START_MS;
    const chain = await startNew({ now: () => nowMs });
    const account = createAccount();
    const times: number[] = [];
    for (const [nonce, ms] of [10_999, 10_999, 2_000, 60_000].entries()) {
      nowMs = START_MS + ms;
      await chain.submitTransaction(await signRaw(account, nonce));
      times.push(Number((await fetchBlock(chain, 'latest')).timestamp) - START_MS / 1000);
    }
    expect(times).to.deep.equal([11, 11, 11, 61]);
  });

  it('keeps the base fee at zero after a transaction that uses the largest possible gas', async () => {
    const chain = await startNew();
    const account = createAccount();
    // INVALID uses all remaining gas in one step.
    await chain.submitTransaction(await signRaw(account, 0, { data: '0xfe', to: null as never, gasLimit: 2 ** 26 }));
    await chain.submitTransaction(await signRaw(account, 1));
    expect(Number((await fetchBlock(chain, '0x1')).gasUsed)).to.equal(2 ** 26);
    expect((await fetchBlock(chain, '0x2')).baseFeePerGas).to.equal('0x0');
  });

  it('notifies its listeners of each final block, in order, until they are removed', async () => {
    const chain = await startNew();
    const account = createAccount();
    const heard: BlockRef[] = [];
    const stop = chain.onFinalHead((head) => heard.push(head));
    await chain.submitTransaction(await signRaw(account, 0));
    await chain.submitTransaction(await signRaw(account, 1));
    stop();
    await chain.submitTransaction(await signRaw(account, 2));
    expect(heard.map(({ number }) => number)).to.deep.equal([1, 2]);
    expect(heard[1]?.hash).to.equal(await chain.fetchBlockHash(2));
  });

  it('returns the hashes of its own blocks only', async () => {
    const chain = await startNew();
    await chain.submitTransaction(await signRaw(createAccount(), 0));
    const { number, hash } = await chain.fetchFinalHead();
    expect(await chain.fetchBlockHash(number)).to.equal(hash);
    expect(await chain.fetchBlockHash(number + 1)).to.equal(undefined);
  });

  it('finds the records of a range of blocks in chain order, with their times', async () => {
    const chain = await startNew({ now: () => START_MS + 5_000 });
    const account = createAccount();
    const emitter = toAddress(account, 0);
    await chain.submitTransaction(await signRaw(account, 0, { data: EMITTER_CODE, to: null as never }));
    for (let sequence = 1; sequence <= 40; sequence += 1) {
      const data = toEmitterCall(aRecord({ sequence, payload: Buffer.from(`record ${sequence}`) }));
      await chain.submitTransaction(await signRaw(account, sequence, { to: emitter, data }));
    }
    const logs = await chain.fetchRecordLogs({ address: emitter, fromBlock: 0, toBlock: 1_000 });
    expect(logs.map(({ sequence }) => sequence)).to.deep.equal(Array.from({ length: 40 }, (_, index) => index + 1));
    const [some] = await chain.fetchRecordLogs({ address: emitter, fromBlock: 20, toBlock: 20 });
    expect(some).to.deep.include({ sequence: 19, blockNumber: 20, blockTimestampSeconds: START_MS / 1000 + 6 });
    expect(some?.blockHash).to.equal(await chain.fetchBlockHash(20));
    expect(Buffer.from(some?.payload ?? []).toString()).to.equal('record 19');
    expect(await chain.fetchRecordLogs({ address: account.address as Hex, fromBlock: 0, toBlock: 41 })).to.deep.equal(
      [],
    );
  });

  it('refuses everything after it is closed, and may be closed twice', async () => {
    const chain = await startNew();
    const raw = await signRaw(createAccount(), 0);
    const last = chain.submitTransaction(raw);
    await chain.close();
    await chain.close();
    expect((await last).blockNumber).to.equal(1);
    const calls = [
      chain.submitTransaction(raw),
      chain.fetchFinalHead(),
      chain.fetchBlockHash(0),
      chain.fetchNonce(`0x${'00'.repeat(20)}`),
      chain.fetchRecordLogs({ address: '0x00', fromBlock: 0, toBlock: 1 }),
      chain.request('eth_blockNumber', []),
      chain.request('eth_getLogs', [{}]),
    ];
    for (const call of calls) expect(await codeOf(call)).to.equal('CHAIN_UNAVAILABLE');
  });

  it('warns when memory runs low', async () => {
    const warnings: number[] = [];
    let usedBytes = 10;
    const chain = await startNew({
      readMemoryUse: () => ({ usedBytes, limitBytes: 100 }),
      onMemoryWarning: (use: { usedBytes: number }) => warnings.push(use.usedBytes),
    });
    const account = createAccount();
    for (let nonce = 0; nonce < 32; nonce += 1) {
      if (nonce === 20) usedBytes = 80;
      await chain.submitTransaction(await signRaw(account, nonce));
    }
    expect(warnings).to.deep.equal([80]);
  });
});
