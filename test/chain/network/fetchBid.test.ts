// Bids on nodes that report no tip or an unusual one.
import { expect } from 'chai';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { fetchBid, fetchFees } from '../../../chain/network/fetchBid.ts';
import { createFakeClient, type FakeClient } from '../../support/fakeClient.ts';

const FROM = `0x${'11'.repeat(20)}` as const;
const GAS_MAX = 1_000_000;

describe('a bid', () => {
  let client: FakeClient;
  // The base fee of the fake node's blocks is 1 wei.
  beforeEach(() => {
    client = createFakeClient('node');
    client.methods.eth_maxPriorityFeePerGas = () => {
      throw new RpcError(-32601, 'no such method');
    };
  });
  const nameGasPrice = (gasPrice: string): void => {
    client.methods.eth_gasPrice = () => gasPrice;
  };
  const fetch = (gasLimit = 21_000) =>
    fetchBid(client, { from: FROM, to: FROM, data: new Uint8Array(), gasLimit }, GAS_MAX);

  it('derives the tip from the gas price where the node reports none', async () => {
    nameGasPrice('0x5');
    expect(await fetchFees(client)).to.deep.equal({ maxFeePerGas: 6n, maxPriorityFeePerGas: 4n });
  });

  it('has no tip below zero where the gas price is below the base fee', async () => {
    nameGasPrice('0x0');
    expect(await fetchFees(client)).to.deep.equal({ maxFeePerGas: 2n, maxPriorityFeePerGas: 0n });
  });

  it('has a quarter more gas than the estimate, at least the given limit and at most the maximum', async () => {
    nameGasPrice('0x1');
    client.methods.eth_getBalance = () => '0xffffffffffff';
    for (const [estimate, gasLimit] of [
      ['0x186a0', 125_000],
      ['0x1', 21_000],
      ['0xf4240', GAS_MAX],
    ] as const) {
      client.methods.eth_estimateGas = () => estimate;
      expect((await fetch()).gasLimit).to.equal(gasLimit);
    }
  });

  it('is refused to an account that lacks one wei, and not to one with just enough', async () => {
    nameGasPrice('0x1');
    client.methods.eth_estimateGas = () => '0x1';
    client.methods.eth_getBalance = () => `0x${(42_000).toString(16)}`;
    expect(await fetch()).to.deep.equal({ gasLimit: 21_000, fees: { maxFeePerGas: 2n, maxPriorityFeePerGas: 0n } });
    client.methods.eth_getBalance = () => `0x${(41_999).toString(16)}`;
    const error = await fetch().catch((cause: unknown) => cause);
    expect(error).to.have.property('code', 'RELAYER_UNFUNDED');
  });
});
