// Third-party transactions through the public JSON-RPC port: limited per minute and over the life of the chain, while
// the records of writers and of the server are accepted.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Contract, type JsonRpcError, JsonRpcProvider, Wallet } from 'ethers';
import { createRpcServer, type RpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import { LEDGER_ABI } from '../../chain/ledgerAbi.ts';
import { createSubmission } from '../../chain/writing/submission.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf, toUuid } from '../../ledger/identity.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { anEvent } from '../support/records.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  serveTestLedger,
} from '../support/testLedger.ts';

const TRANSFER_GAS = 21_000;
/** Third parties have a twentieth of each minute's gas, five transfers, and ten transfers in all. */
const GAS = { callGasMax: 80_000, perMinuteMax: 20 * 5 * TRANSFER_GAS, thirdPartyMax: 10 * TRANSFER_GAS };

interface Refusal {
  readonly code: number;
  readonly data: {
    readonly reason: string;
    readonly budget: 'ledger' | 'stranger';
    readonly gasMax: number;
    readonly retryAfterSeconds: number | null;
  };
}

describe('the gas of third-party transactions', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let ledger: Ledger;
  let server: ListeningServer;
  let rpc: RpcServer;
  let provider: JsonRpcProvider;
  let alpha: FixtureTenant;
  let writer: Wallet;
  let contract: Contract;
  let tenantKey: string;
  let passedMs = 0;

  const open = async (publicExecution = GAS): Promise<void> => {
    ledger = await openTestLedger(directory.path, {
      publicExecution: { ...publicExecution, elapsedMs: () => passedMs },
    });
    server = await serveTestLedger(ledger);
    rpc = await createRpcServer({ answer: ledger.chain.answer!, host: '127.0.0.1', port: 0, onError: console.error });
    provider = new JsonRpcProvider(rpc.url, undefined, { batchMaxCount: 1, cacheTimeout: -1, staticNetwork: true });
  };
  const close = async (): Promise<void> => {
    provider.destroy();
    await rpc.close();
    await server.close();
    await ledger.close();
  };
  const reopen = async (publicExecution?: typeof GAS): Promise<void> => {
    await close();
    await open(publicExecution);
    contract = contract.connect(writer.connect(provider)) as Contract;
  };

  const addWriter = async (): Promise<void> => {
    const key = await readFile(`${directory.path}/keys/tenant-administrator-${toUuid(alpha.identity)}.key`, 'utf8');
    const administration = contract.connect(new Wallet(key, provider)) as Contract;
    await administration.getFunction('addWriter')(tenantKey, writer.address);
  };

  before(async () => {
    directory = await createTemporaryDirectory();
    await open();
    alpha = await createFixtureTenant(ledger, server, 'alpha');
    tenantKey = toHex(toKey(alpha.identity));
    writer = new Wallet(Wallet.createRandom().privateKey, provider);
    contract = new Contract(ledger.contract, LEDGER_ABI, writer);
    await addWriter();
  });
  after(async () => {
    await close();
    await directory.remove();
  });

  const sendRaw = async (raw: string): Promise<Refusal | undefined> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] });
    const response = await fetch(rpc.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return ((await response.json()) as Partial<JsonRpcError> as { error?: Refusal }).error;
  };
  const sign = (fields: object, account: { signTransaction: Wallet['signTransaction'] } = Wallet.createRandom()) =>
    account.signTransaction({ chainId: ledger.chain.chainId, gasPrice: 0, nonce: 0, ...fields });
  const transfer = async (): Promise<Refusal | undefined> =>
    sendRaw(await sign({ to: writer.address, gasLimit: TRANSFER_GAS }));
  const transferUntilRefused = async (): Promise<{ sent: number; refusal: Refusal }> => {
    for (let sent = 0; ; sent += 1) {
      const refusal = await transfer();
      if (refusal !== undefined) return { sent, refusal };
    }
  };
  const appendDirectly = async (): Promise<string> => {
    const stream = `assets/${randomUUID()}`;
    const items = [[toHex(toKey(stream)), toHex(toKey(`${stream}/events/${randomUUID()}`)), '0x01']];
    const { hash, data } = await contract.getFunction('append')(tenantKey, items);
    const receipt = (await ledger.chain.request('eth_getTransactionReceipt', [hash])) as { status: string };
    expect(receipt.status).to.equal('0x1');
    return data;
  };

  it('is limited per minute, and the refusal states when gas is available again', async () => {
    const { sent, refusal } = await transferUntilRefused();
    expect(sent).to.equal(5);
    expect(refusal.code).to.equal(-32005);
    const budget = { budget: 'stranger', gasMax: GAS.perMinuteMax / 20 };
    expect(refusal.data).to.deep.equal({ reason: 'GAS_PER_MINUTE', ...budget, retryAfterSeconds: 12 });
    passedMs += 12_000;
    expect((await transferUntilRefused()).sent).to.equal(1);
  });

  it('does not include records of a writer or of the server', async () => {
    await appendDirectly();
    await alpha.record(await alpha.createAsset(), 'through the server');
    expect(await transfer()).to.deep.include({ code: -32005 });
  });

  it('includes transactions that only look like a record', async () => {
    const data = await appendDirectly();
    const call = { to: ledger.contract, data, gasLimit: 200_000 };
    // An account that is no writer, and the writer again with an existing record.
    expect(await sendRaw(await sign(call))).to.deep.include({ code: -32005 });
    const nonce = await provider.getTransactionCount(writer.address);
    expect(await sendRaw(await sign({ ...call, nonce }, writer))).to.deep.include({ code: -32005 });
  });

  it('includes a record whose access list leaves no gas to append it', async () => {
    const record = ['0x', '0x'].map((prefix) => `${prefix}${randomBytes(32).toString('hex')}`);
    const data = contract.interface.encodeFunctionData('append', [tenantKey, [[...record, '0x01']]]);
    const storageKeys = Array.from({ length: 100 }, () => `0x${randomBytes(32).toString('hex')}`);
    const nonce = await provider.getTransactionCount(writer.address);
    const accessList = [{ address: ledger.contract, storageKeys }];
    const call = { to: ledger.contract, data, nonce, type: 1, accessList, gasLimit: 250_000 };
    const blocks = await provider.getBlockNumber();
    expect(await sendRaw(await sign(call, writer))).to.deep.include({ code: -32005 });
    expect(await provider.getBlockNumber()).to.equal(blocks);
  });

  it('has no retry time for a transaction that exceeds every budget', async () => {
    const items = Array.from({ length: 30 }, () => [0, 1].map(() => `0x${randomBytes(32).toString('hex')}`));
    const data = contract.interface.encodeFunctionData('append', [tenantKey, items.map((item) => [...item, '0x01'])]);
    const refusal = await sendRaw(await sign({ to: ledger.contract, data, gasLimit: 2_500_000 }));
    const budget = { budget: 'ledger', gasMax: GAS.perMinuteMax * 0.95 };
    expect(refusal?.data).to.deep.equal({ reason: 'GAS_PER_MINUTE', ...budget, retryAfterSeconds: null });
  });

  it('is limited over the life of the chain, restarts included, and writers are still accepted', async () => {
    await reopen();
    expect((await transferUntilRefused()).sent).to.equal(4);
    passedMs += 60_000;
    await reopen();
    const { sent, refusal } = await transferUntilRefused();
    expect(sent).to.equal(0);
    const budget = { budget: 'stranger', gasMax: GAS.thirdPartyMax };
    expect(refusal.data).to.deep.equal({ reason: 'STRANGER_GAS_SPENT', ...budget, retryAfterSeconds: null });
    await appendDirectly();
    const beta = await createFixtureTenant(ledger, server, 'beta');
    await beta.record(await beta.createAsset(), 'through the server');
  });

  it("does not include the server's own transactions without effect, also after a restart", async () => {
    const submission = createSubmission({ ...ledger, authorOf: ledger.wallets.authorOf, hasSendingAuthors: true });
    const record = anEvent({ identity: `assets/${randomUUID()}/events/${randomUUID()}` });
    const streamIdentity = toStreamIdentityOf(record);
    const submitted = { tenantIdentity: alpha.identity, streamIdentity, record, payload: encodePayload(record) };
    const outcomes: string[] = [];
    for (const _ of [1, 2]) outcomes.push((await submission.submit([submitted])).outcome);
    expect(outcomes).to.deep.equal(['succeeded', 'unknown']);
    await reopen({ ...GAS, thirdPartyMax: 11 * TRANSFER_GAS });
    passedMs += 60_000;
    expect((await transferUntilRefused()).sent).to.equal(1);
  });

  it('is counted from a journal that exceeds the current limit', async () => {
    await reopen({ ...GAS, thirdPartyMax: 1 });
    expect((await transferUntilRefused()).refusal.data.reason).to.equal('STRANGER_GAS_SPENT');
    await appendDirectly();
  });

  it('includes administration without effect, as at each replay', async () => {
    await reopen({ ...GAS, thirdPartyMax: 100 * TRANSFER_GAS });
    await addWriter();
    expect((await transferUntilRefused()).sent).to.equal(3);
  });
});
