// The engine in a process of its own is killed at each step of a chain's life: nothing that was acknowledged is lost,
// the process of the chain goes on, and another engine continues.
import { expect } from 'chai';
import { type EmbeddedChain, openEmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import { type ChainEngine, EngineEnded, type StartEngine } from '../../../../chain/embedded/engine/engine.ts';
import { startEngineProcess } from '../../../../chain/embedded/engine/engineProcess.ts';
import { type Journal, openJournal } from '../../../../chain/embedded/journal/journal.ts';
import type { LedgerError } from '../../../../ledger/errors.ts';
import { isAlive } from '../../../support/isAlive.ts';
import { until } from '../../../support/until.ts';
import { CHAIN_ID, createAccount, createChains, START_MS, signRaw } from '../fixtures.ts';

const BLOCKS = 5;

const kill = (pid: number): void => void process.kill(pid, 'SIGKILL');
const codeOf = (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => 'NOT_REFUSED',
    (error: { code: unknown }) => error.code,
  );

describe('a chain whose engine is killed', function () {
  // Each test starts up to six processes.
  this.timeout(120_000);
  const chains = createChains();
  const opened: EmbeddedChain[] = [];
  const engines: ChainEngine[] = [];
  const problems: string[] = [];
  const account = createAccount();
  let directory: string;

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((chain) => chain.close()));
    expect(engines.splice(0).filter(({ pid }) => isAlive(pid))).to.deep.equal([]);
    problems.splice(0);
    await chains.clean();
  });

  interface Seams {
    /** Called with each engine that was started, and its number from 1. */
    readonly onEngine?: (engine: ChainEngine, number: number) => ChainEngine | Promise<ChainEngine>;
    readonly onBlocks?: (blocksDone: number) => void;
    readonly wrapJournal?: (journal: Journal) => Journal;
    readonly pausesMs?: readonly number[];
    readonly onGivenUp?: (cause: LedgerError) => void;
  }

  const open = async ({ onEngine, onBlocks, wrapJournal, pausesMs = [0, 0, 0, 0, 0, 0], onGivenUp }: Seams = {}) => {
    const startEngine: StartEngine = async (config) => {
      const engine = await startEngineProcess(config);
      engines.push(engine);
      return (await onEngine?.(engine, engines.length)) ?? engine;
    };
    const chain = await openEmbeddedChain({
      directory,
      chainId: CHAIN_ID,
      now: () => START_MS,
      startEngine,
      enginePausesMs: pausesMs,
      onEngineGivenUp: onGivenUp,
      onProblem: (message) => problems.push(message),
      recoveryPeriodMs: 1,
      onProgress: ({ blocksDone }) => onBlocks?.(blocksDone),
      openJournal: async (path) => (wrapJournal ?? ((journal) => journal))(await openJournal(path)),
    });
    opened.push(chain);
    return chain;
  };
  const submit = async (chain: EmbeddedChain, nonce: number) => chain.submitTransaction(await signRaw(account, nonce));
  const fill = async (): Promise<string[]> => {
    const chain = await open();
    for (let nonce = 0; nonce < BLOCKS; nonce += 1) await submit(chain, nonce);
    const hashes = await readHashes(chain);
    await opened.pop()!.close();
    engines.splice(0);
    return hashes;
  };
  const readHashes = (chain: EmbeddedChain): Promise<string[]> =>
    Promise.all(Array.from({ length: BLOCKS + 1 }, async (_, number) => (await chain.fetchBlockHash(number))!));
  const awaitReady = (chain: EmbeddedChain): Promise<void> =>
    until(
      () => chain.readEngine().isReady,
      () => [chain.readEngine(), problems],
    );
  // After `ended`: the first read of the state is that of the next engine, or is refused.
  const awaitNext = async (chain: EmbeddedChain, ended: number): Promise<void> => {
    await until(
      () => chain.readEngine().endedCount >= ended,
      () => chain.readEngine(),
    );
    await awaitReady(chain);
  };
  const readNonce = (chain: EmbeddedChain): Promise<number> =>
    chain.fetchNonce(account.address.toLowerCase() as `0x${string}`);

  beforeEach(async () => {
    directory = await chains.makeDirectory();
  });

  it('opens with the next one, when the first ends before it answers', async () => {
    const chain = await open({
      onEngine: (engine, number) => {
        if (number <= 2) kill(engine.pid);
        return engine;
      },
    });
    await chain.replayed;
    await submit(chain, 0);
    expect(engines).to.have.length(3);
    expect(chain.readEngine()).to.include({ isReady: true, endedCount: 2 });
    expect(await readNonce(chain)).to.equal(1);
  });

  it('begins the replay again, after each block of it', async () => {
    const hashes = await fill();
    let killed = 0;
    const chain = await open({
      onBlocks: (blocksDone) => {
        if (blocksDone !== killed + 1) return;
        killed += 1;
        kill(engines.at(-1)!.pid);
      },
    });
    await chain.replayed;
    await awaitNext(chain, BLOCKS);
    expect(killed).to.equal(BLOCKS);
    expect(await readHashes(chain)).to.deep.equal(hashes);
    expect(await readNonce(chain)).to.equal(BLOCKS);
  });

  it('answers what is in the journal meanwhile, and refuses third parties with the progress', async () => {
    const hashes = await fill();
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    const chain = await open({
      onEngine: async (engine, number) => {
        if (number > 1) await gone;
        return engine;
      },
    });
    await chain.replayed;
    kill(engines[0]!.pid);
    await until(() => !chain.readEngine().isReady);
    expect(await readHashes(chain)).to.deep.equal(hashes);
    expect((await chain.fetchFinalHead()).number).to.equal(BLOCKS);
    expect(await codeOf(chain.answer('eth_blockNumber', []))).to.equal(-32002);
    expect(chain.findHealthIssue()).to.equal(undefined);
    const [nonce, submitted] = [readNonce(chain), submit(chain, BLOCKS)];
    go();
    expect((await submitted).blockNumber).to.equal(BLOCKS + 1);
    expect(await nonce).to.be.oneOf([BLOCKS, BLOCKS + 1]);
    expect(problems).to.include('the embedded chain has its state again');
  });

  it('has nothing of a transaction that was being mined, and mines it when it is sent again', async () => {
    let isDue = false;
    const chain = await open({
      onEngine: (engine) => ({
        ...engine,
        requestAll: (calls) => {
          const answered = engine.requestAll(calls);
          if (isDue) kill(engine.pid);
          isDue = false;
          return answered;
        },
      }),
    });
    await chain.replayed;
    await submit(chain, 0);
    for (const nonce of [1, 2, 3]) {
      isDue = true;
      const refused = await submit(chain, nonce).catch((error: unknown) => error);
      // The kill may come after the answer.
      if (refused instanceof EngineEnded) expect(await submit(chain, nonce)).to.include({ blockNumber: nonce + 1 });
      else expect(refused).to.include({ blockNumber: nonce + 1 });
      await awaitNext(chain, nonce);
    }
    expect(await readNonce(chain)).to.equal(4);
    expect(chain.findHealthIssue()).to.equal(undefined);
  });

  it('keeps a block that is being written to the journal', async () => {
    const chain = await open({
      wrapJournal: (journal) => ({
        ...journal,
        appendBlock: async (...block) => {
          kill(engines.at(-1)!.pid);
          await until(() => !isAlive(engines.at(-1)!.pid));
          await journal.appendBlock(...block);
        },
      }),
    });
    await chain.replayed;
    for (const nonce of [0, 1]) {
      expect(await submit(chain, nonce)).to.include({ blockNumber: nonce + 1 });
      await awaitNext(chain, nonce + 1);
    }
    expect(await readNonce(chain)).to.equal(2);
  });

  it('waits for a block that the disk refuses, and then has it', async () => {
    const { promise: space, resolve: makeSpace } = Promise.withResolvers<void>();
    let isFull = true;
    const chain = await open({
      wrapJournal: (journal) => ({
        ...journal,
        appendBlock: async (...block) => {
          if (!isFull) return journal.appendBlock(...block);
          throw new Error('No space left on device');
        },
        recoverBlock: async (...block) => {
          await space;
          isFull = false;
          await journal.recoverBlock(...block);
        },
      }),
    });
    await chain.replayed;
    expect(await codeOf(submit(chain, 0))).to.equal('CHAIN_UNAVAILABLE');
    kill(engines[0]!.pid);
    await until(() => engines.length === 2);
    expect(chain.readEngine().isReady).to.equal(false);
    makeSpace();
    await awaitReady(chain);
    expect((await chain.fetchFinalHead()).number).to.equal(1);
    expect(await readNonce(chain)).to.equal(1);
    expect(await submit(chain, 1)).to.include({ blockNumber: 2 });
  });

  it('closes, whether the engine has ended or the next one is being started', async () => {
    const hashes = await fill();
    for (const isNoticed of [false, true]) {
      const chain = await open({ pausesMs: [1_000_000] });
      await chain.replayed;
      kill(engines.at(-1)!.pid);
      if (isNoticed) await until(() => chain.readEngine().endedCount === 1);
      const waiting = codeOf(readNonce(chain));
      await opened.pop()!.close();
      expect(await waiting).to.be.oneOf(['CHAIN_UNAVAILABLE', 'STOPPING']);
    }
    const again = await open();
    await again.replayed;
    expect(await readHashes(again)).to.deep.equal(hashes);
  });

  it('refuses everything after too many engines in a row without the chain, and says so once', async () => {
    const given: LedgerError[] = [];
    const chain = await open({
      pausesMs: [0, 0],
      onGivenUp: (cause) => given.push(cause),
      onEngine: (engine, number) => {
        if (number > 1) kill(engine.pid);
        return engine;
      },
    });
    await chain.replayed;
    kill(engines[0]!.pid);
    await until(() => given.length > 0);
    expect(engines).to.have.length(3);
    expect(await codeOf(submit(chain, 0))).to.equal('CHAIN_UNAVAILABLE');
    expect(await codeOf(chain.fetchFinalHead())).to.equal('CHAIN_UNAVAILABLE');
    expect(chain.findHealthIssue()).to.match(/has ended too often/);
    expect(given).to.have.length(1);
  });

  it('goes on however often engines with the chain end', async () => {
    const chain = await open({ pausesMs: [0] });
    await chain.replayed;
    for (const ended of [1, 2, 3]) {
      kill(engines.at(-1)!.pid);
      await awaitNext(chain, ended);
      await submit(chain, ended - 1);
    }
    expect(engines).to.have.length(4);
  });

  it('does not open when no engine answers', async () => {
    const opening = open({
      pausesMs: [0, 0],
      onEngine: (engine) => {
        kill(engine.pid);
        return engine;
      },
    });
    expect(await codeOf(opening)).to.equal('CHAIN_UNAVAILABLE');
    expect(engines).to.have.length(2);
  });
});
