// Nonces, bids and replacement transactions, on a chain that replaces blocks when the test requests it.
import { expect } from 'chai';
import { Transaction } from 'ethers';
import type { ChainPort, Fees, MinedTransaction, SubmitOptions, UnsignedCall } from '../../../chain/port.ts';
import { createTransactionSender, type TransactionSender } from '../../../chain/writing/transactionSender.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { walletOf } from '../../support/chainLedger.ts';
import { rejectionOf } from '../../support/refusals.ts';

const CALL = { to: `0x${'11'.repeat(20)}`, data: new Uint8Array(), gasLimit: 1 } as const;
const MARKET: Fees = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n };

describe('a sender', () => {
  let count: number;
  let sent: Transaction[];
  let submit: (raw: Uint8Array, options?: SubmitOptions) => Promise<MinedTransaction>;
  let options: SubmitOptions[];
  let isLost: boolean;
  let market: Fees;
  let sender: TransactionSender;
  /** Throws when the account can't pay for the call. */
  let afford: (call: UnsignedCall) => void;
  const mine = async (raw: Uint8Array): Promise<MinedTransaction> => {
    const transaction = Transaction.from(toHex(raw));
    sent.push(transaction);
    count = transaction.nonce + 1;
    return { hash: transaction.hash as Hex, blockNumber: 1, outcome: 'succeeded' };
  };
  beforeEach(() => {
    count = 5;
    sent = [];
    options = [];
    isLost = false;
    afford = () => undefined;
    market = MARKET;
    submit = mine;
    const chain = {
      chainId: 1,
      fetchNonce: async () => count,
      fetchFees: async () => market,
      fetchBid: async (call: UnsignedCall) => {
        afford(call);
        return { gasLimit: 50_000, fees: market };
      },
      submitTransaction: (raw: Uint8Array, given?: SubmitOptions) => {
        options.push(given!);
        return submit(raw, given);
      },
      awaitFinal: async (mined: MinedTransaction) => {
        if (isLost) throw new LedgerError('TRANSACTION_REFUSED');
        return mined;
      },
    };
    sender = createTransactionSender(chain as unknown as ChainPort, walletOf('sender'));
  });
  const send = () => sender.send(CALL);
  const nonces = (): number[] => sent.map(({ nonce }) => nonce);
  const fail = async (): Promise<void> => {
    submit = async () => {
      throw new LedgerError('TRANSACTION_REFUSED');
    };
    await send().catch(() => undefined);
    submit = mine;
  };

  it('counts on from mined transactions, one after the other, also for concurrent calls', async () => {
    await Promise.all([send(), send(), send()]);
    expect(nonces()).to.deep.equal([5, 6, 7]);
  });

  describe('with several transactions in flight', () => {
    let inFlight: { nonce: number; raw: Uint8Array; end: (error?: LedgerError) => void }[];
    beforeEach(() => {
      inFlight = [];
      submit = (raw, given) =>
        new Promise((resolve, reject) => {
          const { nonce } = Transaction.from(toHex(raw));
          const end = (error?: LedgerError): void => (error === undefined ? resolve(mine(raw)) : reject(error));
          inFlight.push({ nonce, raw, end });
          given!.onSent!();
        });
    });
    const endOf = (nonce: number): ((error?: LedgerError) => void) =>
      inFlight.findLast((one) => one.nonce === nonce)!.end;
    const turn = (): Promise<void> => new Promise(setImmediate);
    const sentNonces = (): number[] => inFlight.map(({ nonce }) => nonce);

    it('sends the next one when a node has accepted the one before', async () => {
      const all = [send(), send(), send()];
      await turn();
      expect(sentNonces()).to.deep.equal([5, 6, 7]);
      for (const nonce of [5, 6, 7]) endOf(nonce)();
      expect((await Promise.all(all)).map(({ account }) => account.nonce)).to.deep.equal([5, 6, 7]);
    });

    it('gives the next one the nonce of a refused one, since later ones wait for it', async () => {
      const all = [send(), send(), send()].map((one) => rejectionOf(one));
      await turn();
      endOf(6)(new LedgerError('TRANSACTION_REFUSED'));
      expect(await all[1]).to.equal('TRANSACTION_REFUSED');
      void send();
      void send();
      await turn();
      expect(sentNonces()).to.deep.equal([5, 6, 7, 6, 8]);
    });

    it('waits for those in flight where the account can pay for fewer', async () => {
      const gas: (number | undefined)[] = [];
      afford = ({ gasInFlight }) => {
        gas.push(gasInFlight);
        if (gasInFlight! > 50_000) throw new LedgerError('RELAYER_UNFUNDED');
      };
      const all = [send(), send(), send()];
      await turn();
      expect(sentNonces()).to.deep.equal([5, 6]);
      endOf(5)();
      await turn();
      expect(sentNonces()).to.deep.equal([5, 6, 7]);
      expect(gas).to.deep.equal([0, 50_000, 100_000, 50_000]);
      for (const nonce of [6, 7]) endOf(nonce)();
      await Promise.all(all);
      afford = () => {
        throw new LedgerError('RELAYER_UNFUNDED');
      };
      expect(await rejectionOf(send())).to.equal('RELAYER_UNFUNDED');
    });
  });

  for (const [gasUsed, isLacking] of [
    [49_218, false],
    [49_219, true],
    [50_000, true],
  ] as const) {
    it(`${isLacking ? 'may lack' : 'has enough'} gas when it reverted with ${gasUsed} of 50,000 used`, async () => {
      submit = async (raw) => ({ ...(await mine(raw)), outcome: 'reverted', gasUsed });
      expect((await send()).mayLackGas ?? false).to.equal(isLacking);
    });
  }

  it('queries the chain again after a refusal', async () => {
    await send();
    await fail();
    count = 9;
    await send();
    expect(nonces()).to.deep.equal([5, 9]);
  });

  it('keeps the nonce of a transaction whose block was replaced', async () => {
    await send();
    await send();
    count = 5;
    await fail();
    await send();
    expect(nonces()).to.deep.equal([5, 6, 7]);
  });

  it('reuses the nonce of a transaction that the chain will never include', async () => {
    const mined = await send();
    count = 5;
    isLost = true;
    await sender.awaitFinal(mined).catch(() => undefined);
    await send();
    expect(nonces()).to.deep.equal([5, 5]);
  });

  it('sends an idempotent call again when the chain will never include its transaction, before calls that wait', async () => {
    const mined = await sender.send({ ...CALL, value: 1n, isIdempotent: true });
    count = 5;
    isLost = true;
    expect(await rejectionOf(sender.awaitFinal(mined))).to.equal('CHAIN_UNAVAILABLE');
    isLost = false;
    // It waits for the nonce that the first one has lost.
    submit = () => new Promise(() => undefined);
    void send();
    await new Promise(setImmediate);
    submit = mine;
    const final = await sender.awaitFinal(mined);
    expect(sent.map(({ nonce, value }) => `${nonce} ${value}`)).to.deep.equal(['5 1', '5 1']);
    expect(final.hash).to.equal(sent[1]!.hash);
  });

  it('moves an idempotent call to a nonce that is missing before it', async () => {
    count = 6;
    const mined = await sender.send({ ...CALL, isIdempotent: true });
    await send();
    expect([4, 5, 6].map((mined) => options[0]!.isBehindGap!(mined))).to.deep.equal([true, true, false]);
    expect([4, 5, 6].map((mined) => options[1]!.isBehindGap!(mined))).to.deep.equal([false, false, false]);
    count = 5;
    isLost = true;
    await sender.awaitFinal(mined).catch(() => undefined);
    isLost = false;
    await sender.awaitFinal(mined);
    expect(nonces()).to.deep.equal([6, 7, 5]);
    // The chain's count decides now: it is 8 when the first version with the nonce 6 was mined too.
    count = 8;
    await send();
    expect(nonces()).to.deep.equal([6, 7, 5, 8]);
  });

  it('gives an idempotent call that waits behind a gap the missing nonce, and leaves other calls to their sender', async () => {
    // The node claimed a count that was too high.
    const refuseOnce: typeof submit = async (raw, given) => {
      sent.push(Transaction.from(toHex(raw)));
      expect(given!.isBehindGap!(5)).to.equal(true);
      count = 5;
      submit = mine;
      throw new LedgerError('TRANSACTION_REFUSED');
    };
    count = 7;
    submit = refuseOnce;
    await sender.awaitFinal(await sender.send({ ...CALL, isIdempotent: true }));
    expect(nonces()).to.deep.equal([7, 5, 6]);
    await fail();
    count = 7;
    submit = refuseOnce;
    expect(await rejectionOf(send())).to.equal('TRANSACTION_REFUSED');
  });

  it('rejects with a refusal for another reason than a gap, also after a gap', async () => {
    submit = async (_raw, given) => {
      if (options.length === 1) given!.isBehindGap!(3);
      throw new LedgerError('TRANSACTION_REFUSED');
    };
    expect(await rejectionOf(sender.send({ ...CALL, isIdempotent: true }))).to.equal('TRANSACTION_REFUSED');
    expect(options).to.have.length(2);
  });

  it('submits with its account and nonce', async () => {
    await send();
    expect(options[0]!.account).to.deep.equal({ address: sender.address, nonce: 5 });
  });

  it('forgets the nonce of a final transaction', async () => {
    await sender.awaitFinal(await send());
    await fail();
    count = 5;
    await send();
    expect(nonces()).to.deep.equal([5, 5]);
  });

  it('reports each nonce of a call before it is sent, and sends nothing when that fails', async () => {
    const reported: string[] = [];
    const onNonce = async ({ address, nonce }: { address: string; nonce: number }): Promise<void> => {
      expect(address).to.equal(sender.address);
      reported.push(`${nonce} before ${sent.length}`);
      if (reported.length === 3) throw new LedgerError('STORAGE_FULL');
    };
    const mined = await sender.send({ ...CALL, isIdempotent: true, onNonce });
    count = 4;
    isLost = true;
    await sender.awaitFinal(mined).catch(() => undefined);
    isLost = false;
    expect((await sender.awaitFinal(mined)).account).to.deep.equal({ address: sender.address, nonce: 4 });
    expect(reported).to.deep.equal(['5 before 0', '4 before 1']);
    expect(await rejectionOf(sender.send({ ...CALL, onNonce }))).to.equal('STORAGE_FULL');
    expect(sent).to.have.length(2);
  });

  it('gives a call that others make no other nonce when the chain will never include its transaction', async () => {
    const mined = await sender.send({ ...CALL, isIdempotent: true });
    count = 5;
    isLost = true;
    await sender.awaitReplaced(mined);
    expect(nonces()).to.deep.equal([5]);
    await send();
    expect(nonces()).to.deep.equal([5, 5]);
  });

  it('raises its bid for the same nonce and call on request', async () => {
    const versions: Transaction[] = [];
    submit = async (raw, options) => {
      versions.push(Transaction.from(toHex(raw)));
      for (let raised = 0; raised < 2; raised += 1) {
        versions.push(Transaction.from(toHex((await options!.replace!())!)));
      }
      return mine(raw);
    };
    await send();
    expect(versions.map(({ maxFeePerGas }) => maxFeePerGas)).to.deep.equal([100n, 125n, 156n]);
    expect(new Set(versions.map(({ nonce, to, data }) => `${nonce} ${to} ${data}`)).size).to.equal(1);
  });

  it('lowers its bid to the price of now, for the same nonce and call, where that is lower', async () => {
    const versions: Transaction[] = [];
    submit = async (raw, options) => {
      versions.push(Transaction.from(toHex(raw)));
      expect(await options!.reprice!()).to.equal(undefined);
      market = MARKET;
      versions.push(Transaction.from(toHex((await options!.reprice!())!)));
      expect(await options!.reprice!()).to.equal(undefined);
      versions.push(Transaction.from(toHex((await options!.replace!())!)));
      return mine(raw);
    };
    market = { maxFeePerGas: 9_000n, maxPriorityFeePerGas: 8_000n };
    await send();
    expect(versions.map(({ maxFeePerGas }) => maxFeePerGas)).to.deep.equal([9_000n, 100n, 125n]);
    expect(new Set(versions.map(({ nonce, to, data }) => `${nonce} ${to} ${data}`)).size).to.equal(1);
  });
});
