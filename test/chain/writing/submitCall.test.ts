// The fees of replacement transactions.
import { expect } from 'chai';
import type { Fees } from '../../../chain/port.ts';
import { raiseFees } from '../../../chain/writing/submitCall.ts';

const MARKET: Fees = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n };

describe('a replacement transaction', () => {
  it('raises the bid to the current price, and has no higher bid where gas is free', () => {
    expect(raiseFees({ gasPrice: 100n }, { gasPrice: 90n })).to.deep.equal({ gasPrice: 125n });
    expect(raiseFees({ gasPrice: 100n }, { gasPrice: 200n })).to.deep.equal({ gasPrice: 200n });
    const dear = { maxFeePerGas: 900n, maxPriorityFeePerGas: 11n };
    expect(raiseFees(MARKET, dear)).to.deep.equal({ maxFeePerGas: 900n, maxPriorityFeePerGas: 12n });
    const tipped = { maxFeePerGas: 90n, maxPriorityFeePerGas: 40n };
    expect(raiseFees(MARKET, tipped)).to.deep.equal({ maxFeePerGas: 125n, maxPriorityFeePerGas: 40n });
    expect(raiseFees({ gasPrice: 0n }, { gasPrice: 0n })).to.equal(undefined);
    expect(raiseFees({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, MARKET)).to.equal(undefined);
  });
});
