// The gas limit of a public execution: pure parts, compared with ethers' encoder and with the chain.
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { readAppendCalldata } from '../../../../chain/embedded/rpc/appendCalldata.ts';
import {
  createExecutionGas,
  type ExecutionReads,
  LEDGER_GAS_MAX,
} from '../../../../chain/embedded/rpc/executionGas.ts';
import { type Execution, toIntrinsicGas } from '../../../../chain/embedded/rpc/intrinsicGas.ts';
import { ledgerInterface } from '../../../../chain/ledgerAbi.ts';
import { fromHex, type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { runs } from '../../../support/propertyRuns.ts';
import { createChains } from '../fixtures.ts';

const LEDGER: Hex = `0x${'1e'.repeat(20)}`;
const WALLET: Hex = `0x${'ab'.repeat(20)}`;
const TENANT: Hex = `0x${'11'.repeat(32)}`;

const encode = (name: string, ...args: unknown[]): Uint8Array =>
  fromHex(ledgerInterface.encodeFunctionData(name, args));
const someRecords = (count: number, payloadBytes = 40) =>
  Array.from({ length: count }, () => [
    toHex(randomBytes(32)),
    toHex(randomBytes(32)),
    toHex(randomBytes(payloadBytes)),
  ]);
const toExecution = (data: Uint8Array): Execution => ({ to: LEDGER, data, accessList: [] });

describe('toIntrinsicGas', () => {
  const chains = createChains();
  after(() => chains.clean());

  it('is the least gas that the chain accepts', async () => {
    const chain = await chains.start(await chains.makeDirectory());
    const from = `0x${'12'.repeat(20)}`;
    const accessList = [{ address: from, storageKeys: [TENANT, `0x${'22'.repeat(32)}`] }];
    // A call of an account without code has no steps, and neither has creation code that is only STOP.
    const calls: [Execution['to'], string, typeof accessList][] = [
      [from as Hex, '0x', []],
      [from as Hex, '0x00ff0000', accessList],
      [from as Hex, toHex(randomBytes(5_000)), []],
      [undefined, '0x00', []],
      [undefined, `0x00${'5b'.repeat(65)}`, accessList],
    ];
    for (const [to, data, list] of calls) {
      const gas = toIntrinsicGas({ to, data: fromHex(data as Hex), accessList: list });
      const ask = (limit: number) =>
        chain
          .request('eth_call', [{ from, ...(to && { to }), data, accessList: list, gas: `0x${limit.toString(16)}` }])
          .then(
            () => true,
            () => false,
          );
      expect([await ask(gas - 1), await ask(gas)]).to.deep.equal([false, true]);
    }
  });
});

describe('readAppendCalldata', () => {
  it('reads the records and authors that ethers encoded', () => {
    const records = someRecords(3);
    const keys = records.map(([, id]) => ({ tenantKey: TENANT, recordKey: id }));
    expect(readAppendCalldata(encode('append', TENANT, records), 3)).to.deep.equal({ records: keys, authors: [] });
    const batches = [
      [TENANT, WALLET, records, '0x1234'],
      [TENANT, LEDGER, records.slice(1), '0x'],
    ];
    expect(readAppendCalldata(encode('appendSigned', batches), 5)).to.deep.equal({
      records: [...keys, ...keys.slice(1)],
      authors: [WALLET, LEDGER],
    });
  });

  it('reads nothing with too many records, no record, or another function', () => {
    expect(readAppendCalldata(encode('append', TENANT, someRecords(4)), 3)).to.equal(undefined);
    expect(readAppendCalldata(encode('append', TENANT, []), 3)).to.equal(undefined);
    const batch = [TENANT, WALLET, someRecords(2), '0x'];
    expect(readAppendCalldata(encode('appendSigned', [batch, batch]), 3)).to.equal(undefined);
    expect(readAppendCalldata(encode('isWriter', TENANT, WALLET), 3)).to.equal(undefined);
  });

  it('reads no more than there is where offsets name one place often', () => {
    const append = encode('appendSigned', [[TENANT, WALLET, someRecords(2), '0x']]);
    const batches = 64;
    // The list of batches begins after the selector and its own offset.
    const offset = append.slice(4 + 64, 4 + 96);
    offset.set(Buffer.from((32 * batches).toString(16).padStart(4, '0'), 'hex'), 30);
    const count = Buffer.alloc(32);
    count[31] = batches;
    const start = append.slice(0, 4 + 32);
    const aliased = Buffer.concat([start, count, ...Array(batches).fill(offset), append.slice(4 + 96)]);
    expect(readAppendCalldata(aliased, 1_000)).to.equal(undefined);
  });

  it('handles any bytes without an error', () => {
    const append = encode('append', TENANT, someRecords(2));
    const check = fc.property(fc.nat(append.length - 1), fc.nat(255), (at, byte) => {
      const changed = Uint8Array.from(append);
      changed[at] = byte;
      const read = readAppendCalldata(changed, 200);
      expect(read?.records.length ?? 1).to.be.within(1, 200);
    });
    fc.assert(check, runs(500));
  });
});

describe('createExecutionGas', () => {
  const setUp = (availableBytes = 2 ** 40) => {
    const options = { gasMax: 80_000, transactionGasMax: 2 ** 26, readAvailableBytes: () => availableBytes };
    const reads: ExecutionReads = { fetchLedger: async () => LEDGER, hasCode: async (address) => address === WALLET };
    const gas = createExecutionGas(options);
    const fetchSteps = async (execution: Execution): Promise<number> =>
      (await gas.fetchGasMax(execution, reads)) - toIntrinsicGas(execution);
    return { fetchSteps, fetchGasMax: (execution: Execution) => gas.fetchGasMax(execution, reads) };
  };

  it('is small for any code, and larger for functions of the ledger contract', async () => {
    const { fetchSteps } = setUp();
    const history = encode('verifyHistory', TENANT, TENANT, Array(100).fill(TENANT));
    expect(await fetchSteps({ ...toExecution(history), to: WALLET })).to.equal(80_000);
    expect(await fetchSteps({ ...toExecution(history), to: undefined })).to.equal(80_000);
    expect(await fetchSteps(toExecution(history))).to.equal(LEDGER_GAS_MAX);
  });

  it('is that of any code where the contract would ask a wallet contract to check its signature', async () => {
    const { fetchSteps } = setUp();
    const append = (author: Hex) => toExecution(encode('appendSigned', [[TENANT, author, someRecords(2), '0x']]));
    expect(await fetchSteps(append(WALLET))).to.equal(80_000);
    expect(await fetchSteps(append(LEDGER))).to.be.greaterThan(200_000);
  });

  it('grows with the number of appended records, up to 200', async () => {
    const { fetchSteps } = setUp();
    const append = (count: number) => toExecution(encode('append', TENANT, someRecords(count)));
    expect(await fetchSteps(append(200))).to.be.greaterThan(18_000_000);
    expect(await fetchSteps(append(201))).to.equal(80_000);
  });

  it("stays within a transaction's limit, and is less when memory is short", async () => {
    expect(await setUp().fetchGasMax({ to: LEDGER, data: new Uint8Array(5_000_000).fill(1), accessList: [] })).to.equal(
      2 ** 26,
    );
    expect(await setUp(2 ** 28).fetchSteps({ to: WALLET, data: new Uint8Array(0), accessList: [] })).to.equal(40_000);
  });
});
