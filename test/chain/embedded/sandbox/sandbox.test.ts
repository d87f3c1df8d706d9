// Code of third parties that makes the engine's native code panic ends the sandbox, and nothing else; all other code
// has the same result there as on the chain.
import { totalmem } from 'node:os';
import { expect } from 'chai';
import type { EmbeddedChain, EmbeddedChainOptions } from '../../../../chain/embedded/embeddedChain.ts';
import { createStartSandbox, type SandboxProcess } from '../../../../chain/embedded/sandbox/sandboxProcess.ts';
import { toQuantity } from '../../../../chain/jsonRpc/toQuantity.ts';
import { type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { isAlive } from '../../../support/isAlive.ts';
import { ENVIRONMENT_CODE, PANICS, toPanicCode, toPanicCodeAt } from '../../../support/panicCode.ts';
import { until } from '../../../support/until.ts';
import {
  CHAIN_ID,
  createAccount,
  createChains,
  EMITTER_CODE,
  REVERTER_CODE,
  START_MS,
  signRaw,
  toAddress,
} from '../fixtures.ts';

const NOBODY = `0x${'11'.repeat(20)}`;
const STARTING = -32_002;
const TRANSACTION = { to: null as never, gasLimit: 100_000 };

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Hex;
  readonly logs: readonly { readonly data: Hex }[];
}

const errorOf = (task: Promise<unknown>): Promise<object> =>
  task.then(
    (result) => ({ result }),
    (error: object) => error,
  );

describe('the sandbox of a chain', function () {
  // A test starts up to a dozen processes, one each second.
  this.timeout(120_000);
  const chains = createChains();
  const account = createAccount();
  const sandboxes: SandboxProcess[] = [];
  const problems: string[] = [];
  let directory: string;
  let chain: EmbeddedChain;

  const start = async (more: Partial<EmbeddedChainOptions> = {}, ofSandbox: Partial<SandboxProcess> = {}) =>
    chains.start(directory, {
      startSandbox: async (...parameters) => {
        const sandbox = await createStartSandbox()(...parameters);
        sandboxes.push(sandbox);
        return { ...sandbox, ...ofSandbox };
      },
      onProblem: (message) => problems.push(message),
      ...more,
    });
  // Sends a request again while a process is being started.
  const ask = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    let text: string | undefined;
    await until(async () => {
      text = await chain.answer(method, params).catch((error: { code: unknown; cause?: { code: unknown } }) => {
        if (error.code === STARTING || error.cause?.code === STARTING) return undefined;
        throw error;
      });
      return text !== undefined;
    });
    return JSON.parse(text!) as T;
  };
  const send = async (nonce: number, fields: object = {}): Promise<Receipt> => {
    const raw = await signRaw(account, nonce, { ...TRANSACTION, ...fields });
    return ask('eth_getTransactionReceipt', await ask('eth_sendRawTransaction', toHex(raw)));
  };
  const head = async (): Promise<Hex> => ask('eth_blockNumber');

  beforeEach(async () => {
    directory = await chains.makeDirectory();
    chain = await start();
  });

  afterEach(async () => {
    await chains.clean();
    expect(sandboxes.splice(0).filter(({ pid }) => isAlive(pid))).to.deep.equal([]);
    problems.splice(0);
  });

  for (const [name, code] of Object.entries(PANICS))
    it(`ends alone when the engine panics: ${name}`, async () => {
      for (const method of ['eth_call', 'eth_estimateGas']) {
        const error = await errorOf(ask(method, { data: code }, 'latest'));
        expect(error).to.include({ code: -32000, message: 'the engine cannot execute this: it ended while it tried' });
      }
      const raw = await signRaw(account, 0, { ...TRANSACTION, data: code });
      expect(await errorOf(ask('eth_sendRawTransaction', toHex(raw)))).to.deep.include({ code: 'TRANSACTION_REFUSED' });
      expect(problems).to.deep.equal(["the engine that executes third parties' code has ended; another one starts"]);
      expect(await head()).to.equal('0x0');
      expect((await send(0, { data: EMITTER_CODE })).status).to.equal('0x1');
      expect(await ask('eth_call', { data: '0x00' }, 'latest')).to.equal('0x');
    });

  it('ends alone when a contract that is on the chain makes the engine panic', async () => {
    const { contractAddress } = await send(0, { data: toPanicCode() });
    const error = await errorOf(ask('eth_call', { to: contractAddress }, 'latest'));
    expect(error).to.include({ code: -32000, message: 'the engine cannot execute this: it ended while it tried' });
    const raw = await signRaw(account, 1, { ...TRANSACTION, to: contractAddress });
    expect(await errorOf(ask('eth_sendRawTransaction', toHex(raw)))).to.include({ code: 'TRANSACTION_REFUSED' });
    expect(await head()).to.equal('0x1');
  });

  it('says how often it has ended, and counts its memory with that of this process', async () => {
    expect(chain.readSandbox()).to.deep.equal({ endedCount: 0, memoryBytes: 0 });
    await ask('eth_call', { data: '0x00' }, 'latest');
    const { endedCount, memoryBytes } = chain.readSandbox();
    expect([endedCount, memoryBytes > 2 ** 20]).to.deep.equal([0, true]);
    await errorOf(ask('eth_call', { data: PANICS['code that ends within PUSH20'] }, 'latest'));
    expect(chain.readSandbox().endedCount).to.equal(1);
  });

  it('is warned of where it uses the memory', async () => {
    const warnings: unknown[] = [];
    await chain.close();
    chain = await start({ onMemoryWarning: (use) => warnings.push(use) }, { memoryBytes: totalmem });
    await send(0, { data: EMITTER_CODE });
    for (let nonce = 1; nonce < 16; nonce += 1)
      await chain.submitTransaction(await signRaw(account, nonce, { ...TRANSACTION, to: NOBODY }));
    expect(warnings).to.have.length(1);
  });

  it('tries a transaction at the time of its block', async () => {
    const seconds = START_MS / 1_000 + 1;
    const raw = await signRaw(account, 0, { ...TRANSACTION, data: toPanicCodeAt(seconds) });
    expect(await errorOf(ask('eth_sendRawTransaction', toHex(raw)))).to.include({ code: 'TRANSACTION_REFUSED' });
    expect((await send(0, { data: toPanicCodeAt(seconds + 1) })).status).to.equal('0x1');
  });

  it('executes a transaction as the chain does, with everything that its code can see of the block', async () => {
    const { contractAddress } = await send(0, { data: ENVIRONMENT_CODE });
    const seen = new Set<Hex>();
    for (let nonce = 1; nonce <= 3; nonce += 1) {
      // The next block of a fork is what `pending` executes.
      const pending = await ask<Hex>('eth_call', { to: contractAddress }, 'pending');
      const { status, logs } = await send(nonce, { to: contractAddress });
      expect([status, logs[0]!.data]).to.deep.equal(['0x1', pending]);
      seen.add(logs[0]!.data);
    }
    expect(seen.size).to.equal(3);
    await chain.close();
    await start();
  });

  it('answers as the engine does: results, reverts with their data, and refusals', async () => {
    await send(0, { data: REVERTER_CODE });
    const reverter = toAddress(account, 0);
    expect(await errorOf(ask('eth_call', { to: reverter }, 'latest'))).to.include({ code: 3, data: '0x8ac5ff0b' });
    expect(await errorOf(ask('eth_estimateGas', { to: reverter }))).to.include({ code: 3, data: '0x8ac5ff0b' });
    expect(await ask('eth_estimateGas', { to: NOBODY })).to.equal(toQuantity(21_001));
    expect(await ask('eth_call', { to: `0x${'0'.repeat(39)}4`, data: '0x1234' }, '0x0')).to.equal('0x1234');
    const known = await signRaw(account, 0, { ...TRANSACTION, data: REVERTER_CODE });
    expect(await errorOf(ask('eth_sendRawTransaction', toHex(known)))).to.include({ message: 'already known' });
    const foreign = await signRaw(account, 1, { ...TRANSACTION, chainId: CHAIN_ID + 1 });
    expect(await errorOf(ask('eth_sendRawTransaction', toHex(foreign)))).to.include({ code: 'TRANSACTION_REFUSED' });
    expect(problems).to.deep.equal([]);
  });

  it('starts no process for reads', async () => {
    await ask('eth_getBalance', account.address, 'latest');
    await ask('eth_getCode', account.address, 'latest');
    expect(sandboxes).to.deep.equal([]);
  });
});
