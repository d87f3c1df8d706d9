// A chain that is open while its journal is replayed: the journal answers, requests that need the state wait, and
// nothing is answered after a failure.
import { expect } from 'chai';
import { type EmbeddedChain, openEmbeddedChain } from '../../../chain/embedded/embeddedChain.ts';
import { type Journal, openJournal } from '../../../chain/embedded/journal/journal.ts';
import { RPC_CODE } from '../../../chain/jsonRpc/rpcError.ts';
import { CHAIN_ID, createAccount, createChains, START_MS, signRaw } from './fixtures.ts';

const BLOCKS = 3;

const codeOf = async (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => 'NOT_REFUSED',
    (error: { code: unknown }) => error.code,
  );

describe('a chain that is being replayed', () => {
  const chains = createChains();
  const opened: EmbeddedChain[] = [];
  const account = createAccount();
  let directory: string;
  let hashes: (string | undefined)[];

  before(async () => {
    directory = await chains.makeDirectory();
    const chain = await chains.start(directory);
    for (let nonce = 0; nonce < BLOCKS; nonce += 1) await chain.submitTransaction(await signRaw(account, nonce));
    hashes = await Promise.all([0, 1, 2, 3, 4].map((number) => chain.fetchBlockHash(number)));
    await chain.close();
  });
  afterEach(() => Promise.all(opened.splice(0).map((chain) => chain.close())));
  after(() => chains.clean());

  /** Opens the chain; the replay stops before its last block until `go` resolves. */
  const open = async (go: Promise<void>): Promise<EmbeddedChain> => {
    // It may reject before the replay waits for it.
    go.catch(() => undefined);
    const openStalled = async (path: string): Promise<Journal> => {
      const journal = await openJournal(path);
      const readBlocks = async function* () {
        for await (const block of journal.readBlocks()) {
          if (block.number === BLOCKS) await go;
          yield block;
        }
      };
      return { ...journal, readBlocks };
    };
    const chain = await openEmbeddedChain({
      directory,
      chainId: CHAIN_ID,
      now: () => START_MS,
      openJournal: openStalled,
    });
    opened.push(chain);
    return chain;
  };

  it('has the head and the hashes of the journal', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const chain = await open(promise);
    const read = () => Promise.all([0, 1, 2, 3, 4].map((number) => chain.fetchBlockHash(number)));
    expect(await chain.fetchFinalHead()).to.deep.equal({ number: BLOCKS, hash: hashes[BLOCKS] });
    expect(await read()).to.deep.equal(hashes);
    resolve();
    await chain.replayed;
    expect(await read()).to.deep.equal(hashes);
  });

  it('mines a transaction, and reads nonces and logs, only when it is replayed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const chain = await open(promise);
    const done: string[] = [];
    const note = <T>(name: string, task: Promise<T>): Promise<T> =>
      task.finally(() => {
        done.push(name);
      });
    const waiting = [
      note('nonce', chain.fetchNonce(account.address.toLowerCase() as `0x${string}`)),
      note('logs', chain.fetchRecordLogs({ address: `0x${'00'.repeat(20)}`, fromBlock: 1, toBlock: BLOCKS })),
      note('request', chain.request('eth_blockNumber', [])),
    ];
    await chain.fetchBlockHash(1);
    expect(done).to.deep.equal([]);
    resolve();
    expect(await Promise.all(waiting)).to.deep.equal([BLOCKS, [], '0x3']);
  });

  it('refuses third parties with the progress, and reports itself as catching up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const chain = await open(promise);
    const refusal = await chain.answer('eth_blockNumber', []).catch((error: unknown) => error);
    expect(refusal).to.include({ code: RPC_CODE.UNAVAILABLE });
    expect((refusal as Error).message).to.match(/being replayed, [012] of 3 blocks/);
    expect(await chain.readStatus('eth_syncing', [])).to.include({ startingBlock: '0x0', highestBlock: '0x3' });
    resolve();
    await chain.replayed;
    expect(await chain.answer('eth_blockNumber', [])).to.equal('"0x3"');
    expect(await chain.readStatus('eth_syncing', [])).to.equal(false);
  });

  it('answers nothing when the replay fails', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const chain = await open(promise);
    const nonce = codeOf(chain.fetchNonce(account.address.toLowerCase() as `0x${string}`));
    reject(Object.assign(new Error('the disk fails'), { code: 'EIO' }));
    expect(await codeOf(chain.replayed)).to.equal('CHAIN_UNAVAILABLE');
    expect(await nonce).to.equal('CHAIN_UNAVAILABLE');
    const calls = [
      () => chain.fetchFinalHead(),
      () => chain.fetchBlockHash(1),
      () => chain.request('eth_blockNumber', []),
    ];
    for (const call of calls) expect(await codeOf(call())).to.equal('CHAIN_UNAVAILABLE');
    expect(await codeOf(chain.answer('eth_blockNumber', []))).to.equal('CHAIN_UNAVAILABLE');
    expect(() => chain.assertSame()).to.throw('could not be replayed');
    expect(chain.findHealthIssue()).to.match(/could not be replayed/);
  });

  it('closes during the replay, and can be opened again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const chain = await open(promise);
    const submitted = codeOf(chain.submitTransaction(await signRaw(account, BLOCKS)));
    const closing = chain.close();
    resolve();
    await closing;
    expect(await codeOf(chain.replayed)).to.equal('STOPPING');
    expect(await submitted).to.equal('STOPPING');
    const again = await open(Promise.resolve());
    await again.replayed;
    expect((await again.fetchFinalHead()).number).to.equal(BLOCKS);
  });
});
