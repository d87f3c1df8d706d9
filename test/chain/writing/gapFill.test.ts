// Nonces that are missing after a call has moved to a lower one.
import { expect } from 'chai';
import type { Bid, Fees, MinedTransaction } from '../../../chain/port.ts';
import { type AccountNonces, createAccountNonces } from '../../../chain/writing/accountNonces.ts';
import { createGapFill } from '../../../chain/writing/gapFill.ts';
import type { Sent } from '../../../chain/writing/submitCall.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';

const ADDRESS = `0x${'11'.repeat(20)}` as const;
const FEES: Fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 1n };
const MINED: MinedTransaction = { hash: '0x', blockNumber: 1, outcome: 'succeeded' };

describe('the gap before a former nonce', () => {
  let nonces: AccountNonces;
  let unmined: Set<Sent>;
  let submitted: { readonly sent: Sent; readonly bid: Bid }[];
  let answer: PromiseWithResolvers<MinedTransaction>;
  let final: PromiseWithResolvers<MinedTransaction>;
  const time = useVirtualTime();
  beforeEach(() => {
    nonces = createAccountNonces();
    unmined = new Set();
    submitted = [];
    answer = Promise.withResolvers();
    final = Promise.withResolvers();
    const submit = async (sent: Sent, bid: Bid): Promise<MinedTransaction> => {
      submitted.push({ sent, bid });
      return answer.promise;
    };
    const fill = createGapFill({
      chain: { awaitFinal: () => final.promise },
      address: ADDRESS,
      nonces,
      unmined,
      submit,
    });
    // A call has moved from 8 to 5, and another one has 9.
    for (const count of [8, 9]) nonces.takeNext(count);
    nonces.moveToFirstFree(8, 5);
    fill(8, FEES, undefined);
  });

  it('is filled with transfers of nothing to the account itself, which its balance covers', () => {
    const transfers = submitted.map(({ sent: { nonce, call }, bid }) => [
      nonce,
      call.to,
      call.data.length,
      call.value,
      bid.fees,
    ]);
    expect(transfers).to.deep.equal([6, 7].map((nonce) => [nonce, ADDRESS, 0, undefined, FEES]));
    expect([...unmined].map(({ gasLimit }) => gasLimit)).to.deep.equal(submitted.map(({ bid }) => bid.gasLimit));
  });

  it('has nonces that no other transaction gets until they are final', async () => {
    answer.resolve(MINED);
    await time.turns();
    expect(unmined.size).to.equal(0);
    expect(nonces.moveToFirstFree(9, 6)).to.equal(8);
    final.resolve(MINED);
    await time.turns();
    expect(nonces.moveToFirstFree(8, 6)).to.equal(6);
  });

  it('stays known while no node answers', async () => {
    answer.resolve(MINED);
    await time.turns();
    const away = final;
    final = Promise.withResolvers();
    away.reject(new LedgerError('CHAIN_UNAVAILABLE'));
    await time.turns();
    await time.pass(1_000);
    expect(nonces.takeNext(6)).to.equal(10);
    final.resolve(MINED);
    await time.turns();
    expect(nonces.moveToFirstFree(10, 6)).to.equal(6);
  });

  it('has nonces that the next calls get when the chain refuses the transfers', async () => {
    answer.reject(new LedgerError('TRANSACTION_REFUSED'));
    await time.turns();
    expect([unmined.size, nonces.takeNext(6), nonces.takeNext(6), nonces.takeNext(6)]).to.deep.equal([0, 6, 7, 10]);
  });
});
