// What happens to a transaction that blocks don't include. Clock and chain advance with each query of a receipt.
import { expect } from 'chai';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { NodeRefusal, type NodeSet } from '../../../chain/network/nodeSet.ts';
import { createTransactionSubmitter } from '../../../chain/network/transactionSubmitter.ts';
import type { SubmitOptions } from '../../../chain/port.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { BLOCK_OUTCOMES } from '../../support/blockOutcomes.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';
import { failureOf, rejectionOf } from '../../support/refusals.ts';
import { createAccount, signRaw } from '../embedded/fixtures.ts';

const QUERY_MS = 1_000;
const NONCE = 1;
const QUERIES_MAX = 500;

describe('a transaction that no block includes', () => {
  let client: FakeClient;
  let raw: Uint8Array;
  let dearer: Uint8Array;
  let nowMs: number;
  let blockMs: number;
  let count: number;
  let sent: Hex[];
  /** Whether the chain includes this version. */
  let isMined: (hash: Hex) => boolean;
  /** Throws what the node answers to this version. */
  let accept: (raw: Hex) => void;
  let counts: number;

  const hashOfRaw = (bytes: Uint8Array): Hex => toHex(keccak256(bytes));
  const receiptOf = (hash: Hex): unknown => {
    nowMs += QUERY_MS;
    client.head = 10 + Math.floor(nowMs / blockMs);
    if (nowMs > QUERIES_MAX * QUERY_MS) throw new Error('neither mined nor refused');
    if (!isMined(hash)) return null;
    return { transactionHash: hash, blockNumber: '0xa', blockHash: hashOf('one', 10), status: '0x1' };
  };
  beforeEach(async () => {
    client = createFakeClient('node');
    const account = createAccount();
    raw = await signRaw(account, NONCE);
    dearer = await signRaw(account, NONCE, { data: '0x01' });
    nowMs = 0;
    blockMs = 3_000;
    count = NONCE;
    counts = 0;
    sent = [];
    isMined = () => false;
    accept = () => undefined;
    client.methods.eth_sendRawTransaction = (bytes: Hex) => {
      accept(bytes);
      sent.push(bytes);
      return hashOfRaw(raw);
    };
    client.methods.eth_getTransactionReceipt = receiptOf;
    client.methods.eth_getTransactionByHash = () => null;
    client.methods.eth_getTransactionCount = () => {
      counts += 1;
      return `0x${count.toString(16)}`;
    };
  });

  const create = () => {
    const final = { number: 10, hash: hashOf('one', 10) };
    const nodes = {
      use: (task) => task(client),
      useFinal: (task) => task(client, final),
      fetchFinal: async () => final,
      get headNumber() {
        return client.head;
      },
    } as NodeSet;
    return createTransactionSubmitter({
      nodes,
      outcomes: BLOCK_OUTCOMES,
      elapsedMs: () => nowMs,
      pollMs: 1,
      onProblem: () => undefined,
    });
  };
  // Offers the dearer version once.
  const replaceOnce = (): NonNullable<SubmitOptions['replace']> => {
    const versions = [dearer];
    return async () => versions.shift();
  };
  const isBehindGap = (mined: number): boolean => mined < NONCE;

  for (const seconds of [1, 3, 12, 60]) {
    it(`gets a higher bid after 3 blocks of ${seconds} s`, async () => {
      blockMs = seconds * 1_000;
      isMined = (hash) => hash === hashOfRaw(dearer);
      const mined = await create().submit(raw, { replace: replaceOnce() });
      expect(mined.hash).to.equal(hashOfRaw(dearer));
      expect(nowMs).to.be.within(3 * blockMs, 5 * blockMs + 10_000);
    });
  }

  describe('and whose account can no longer pay for its bid', () => {
    let cheaper: Uint8Array;
    beforeEach(async () => {
      cheaper = dearer;
      accept = (bytes) => {
        if (bytes === toHex(raw)) throw new RpcError(-32000, 'insufficient funds for gas * price + value');
      };
    });

    it('gets the price of now, with the same nonce', async () => {
      isMined = (hash) => hash === hashOfRaw(cheaper) && sent.length > 0;
      const mined = await create().submit(raw, { reprice: async () => cheaper });
      expect(mined.hash).to.equal(hashOfRaw(cheaper));
      expect(sent).to.deep.equal([toHex(cheaper)]);
    });

    it('gets it after a reorg, too, and is the same transaction until then', async () => {
      let isReplaced = false;
      let isPoor = false;
      const refuse = accept;
      accept = (bytes) => isPoor && refuse(bytes);
      isMined = (hash) => (isReplaced ? hash === hashOfRaw(cheaper) && sent.length > 1 : sent.length > 0);
      const submitter = create();
      const mined = await submitter.submit(raw, { reprice: async () => cheaper });
      expect(mined.hash).to.equal(hashOfRaw(raw));
      [isReplaced, isPoor] = [true, true];
      expect((await submitter.awaitFinal(mined)).hash).to.equal(hashOfRaw(cheaper));
      expect(sent).to.deep.equal([toHex(raw), toHex(cheaper)]);
    });

    it('is refused where the price is not lower, and asked for few times', async () => {
      expect(await failureOf(create().submit(raw, { reprice: async () => undefined }))).to.be.instanceOf(NodeRefusal);
      let asked = 0;
      accept = () => {
        throw new RpcError(-32000, 'insufficient funds');
      };
      const reprice = async (): Promise<Uint8Array> => {
        asked += 1;
        return Uint8Array.of(asked);
      };
      expect(await failureOf(create().submit(raw, { reprice }))).to.be.instanceOf(NodeRefusal);
      expect(asked).to.equal(1);
    });
  });

  it('keeps its bid while it waits for an earlier one', async () => {
    count = 0;
    let asked = 0;
    const replace = async (): Promise<undefined> => {
      asked += 1;
    };
    isMined = () => nowMs > 60_000;
    await create().submit(raw, { replace, isBehindGap: () => false });
    expect(asked).to.equal(0);
  });

  it('is sent again to a node that has it already, and counts as sent', async () => {
    accept = (bytes) => {
      if (sent.includes(bytes)) throw new RpcError(-32000, 'already known');
    };
    client.methods.eth_getTransactionByHash = () => ({ hash: hashOfRaw(raw) });
    isMined = () => nowMs > 60_000;
    const mined = await create().submit(raw);
    expect(mined.hash).to.equal(hashOfRaw(raw));
    expect(sent).to.deep.equal([toHex(raw)]);
    expect(client.requested.filter((method) => method === 'eth_sendRawTransaction').length).to.be.greaterThan(1);
  });

  it('is refused when an earlier nonce stays missing', async () => {
    count = 0;
    expect(await rejectionOf(create().submit(raw, { isBehindGap }))).to.equal('TRANSACTION_REFUSED');
    expect(nowMs).to.be.within(9_000, 20_000);
  });

  it('is refused later when an earlier nonce is missing and no blocks are made', async () => {
    count = 0;
    blockMs = Number.POSITIVE_INFINITY;
    expect(await rejectionOf(create().submit(raw, { isBehindGap }))).to.equal('TRANSACTION_REFUSED');
    expect(nowMs).to.be.within(30_000, 50_000);
  });

  it('is not refused when the count of a node is too low now and then', async () => {
    client.methods.eth_getTransactionCount = () => {
      counts += 1;
      return counts % 2 === 0 ? '0x0' : '0x1';
    };
    isMined = () => nowMs > 200_000;
    await create().submit(raw, { isBehindGap });
    expect(counts).to.be.greaterThan(10);
  });

  it('is not looked up more often than that: one count for each 3 blocks or 5 s', async () => {
    isMined = () => nowMs > 100_000;
    await create().submit(raw, { isBehindGap });
    expect(counts).to.be.within(10, 25);
    expect(sent.length).to.be.at.most(counts + 1);
  });

  it('is refused when a reorg drops it and an earlier one', async () => {
    const transactions = create();
    isMined = () => true;
    const mined = await transactions.submit(raw, { isBehindGap });
    isMined = () => false;
    count = 0;
    expect(await rejectionOf(transactions.awaitFinal(mined))).to.equal('TRANSACTION_REFUSED');
    expect(sent).to.deep.equal(Array(sent.length).fill(toHex(raw)));
    expect(sent.length).to.be.greaterThan(1);
  });

  it('gets a higher bid when a reorg drops it and it is too cheap now', async () => {
    const transactions = create();
    isMined = () => true;
    const mined = await transactions.submit(raw, { replace: replaceOnce() });
    isMined = (hash) => hash === hashOfRaw(dearer);
    accept = (bytes) => {
      if (bytes === toHex(raw)) throw new RpcError(-32000, 'transaction underpriced');
    };
    expect((await transactions.awaitFinal(mined)).hash).to.equal(hashOfRaw(dearer));
  });

  it('gets a higher bid when a reorg drops it and blocks pass without it', async () => {
    const transactions = create();
    isMined = () => true;
    const mined = await transactions.submit(raw, { replace: replaceOnce() });
    isMined = (hash) => hash === hashOfRaw(dearer);
    expect((await transactions.awaitFinal(mined)).hash).to.equal(hashOfRaw(dearer));
  });
});
