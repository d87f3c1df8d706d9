import { expect } from 'chai';
import { Transaction } from 'ethers';
import type { ChainPort, MinedTransaction } from '../../../chain/port.ts';
import { createTransactionSender } from '../../../chain/writing/transactionSender.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { walletOf } from '../../support/chainLedger.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('a transaction that was sent again', () => {
  it('is what is waited for when others make its call', async () => {
    const sent: Hex[] = [];
    const awaited: Hex[] = [];
    let failure: LedgerError | undefined;
    let nonce = 5;
    const chain = {
      chainId: 1,
      fetchNonce: async () => nonce,
      fetchBid: async () => ({ gasLimit: 50_000, fees: { gasPrice: 1n } }),
      submitTransaction: async (raw: Uint8Array): Promise<MinedTransaction> => {
        const { hash } = Transaction.from(toHex(raw));
        sent.push(hash as Hex);
        return { hash: hash as Hex, blockNumber: 1, outcome: 'succeeded' };
      },
      awaitFinal: async (mined: MinedTransaction) => {
        awaited.push(mined.hash);
        if (failure !== undefined) throw failure;
        return mined;
      },
    };
    const sender = createTransactionSender(chain as unknown as ChainPort, walletOf('sender'));
    const call = { to: `0x${'11'.repeat(20)}`, data: new Uint8Array(), gasLimit: 1, isIdempotent: true } as const;
    const mined = await sender.send(call);
    nonce = 4;
    for (const code of ['TRANSACTION_REFUSED', 'CHAIN_UNAVAILABLE'] as const) {
      failure = new LedgerError(code);
      expect(await rejectionOf(sender.awaitFinal(mined))).to.equal('CHAIN_UNAVAILABLE');
    }
    failure = undefined;
    await sender.awaitReplaced(mined);
    expect(sent).to.have.length(2);
    expect(awaited.at(-1)).to.equal(sent[1]);
  });
});
