// Transactions of the public methods while the memory that is left is reserved for reads.
import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import type { RpcError } from '../../../../chain/jsonRpc/rpcError.ts';
import { toHex } from '../../../../ledger/encoding/hex.ts';
import { createAccount, createChains, signRaw } from '../fixtures.ts';

describe('public methods without memory for more transactions', () => {
  const chains = createChains();
  let isMemoryReserved = false;
  let chain: EmbeddedChain;
  before(async () => {
    chain = await chains.start(await chains.makeDirectory(), { isMemoryReserved: () => isMemoryReserved });
  });
  after(() => chains.clean());

  it('refuse every transaction, answer reads, and accept transactions again afterwards', async () => {
    const raw = toHex(await signRaw(createAccount(), 0, { gasLimit: 100_000 }));
    isMemoryReserved = true;
    const refusal = (await chain.request('eth_sendRawTransaction', [raw]).catch((error: unknown) => error)) as RpcError;
    expect([refusal.code, refusal.data]).to.deep.equal([
      -32005,
      { reason: 'MEMORY_RESERVED', retryAfterSeconds: null },
    ]);
    expect(await chain.request('eth_chainId', [])).to.be.a('string');
    isMemoryReserved = false;
    expect(await chain.request('eth_sendRawTransaction', [raw])).to.be.a('string');
  });
});
