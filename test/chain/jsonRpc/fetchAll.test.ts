import { expect } from 'chai';
import { fetchAll } from '../../../chain/jsonRpc/fetchAll.ts';
import type { JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('many calls of one node', () => {
  let sizes: number[];
  const clientOf = (callsMax: number): JsonRpcClient => {
    sizes = [];
    return {
      name: 'node',
      request: async (_method, [number]) => {
        sizes.push(1);
        if (number === 13) throw new RpcError(-32_000, 'none');
        return Number(number) * 2;
      },
      requestBatch: async (calls) => {
        sizes.push(calls.length);
        if (calls.length > callsMax) throw new RpcError(-32_600, 'too many');
        return calls.map(({ params: [number] }) => Number(number) * 2);
      },
    };
  };
  const callsOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ method: 'double', params: [from + at] }));

  it('are sent in few batches and answered in order', async () => {
    const answers = await fetchAll(clientOf(1_000), callsOf(100, 150));
    expect(answers).to.deep.equal(Array.from({ length: 150 }, (_, at) => 2 * (100 + at)));
    expect(sizes).to.deep.equal([64, 64, 22]);
    expect(await fetchAll(clientOf(1_000), [])).to.deep.equal([]);
  });

  it('are sent in halves where the node refuses a batch, and in such batches from then on', async () => {
    const client = clientOf(20);
    expect(await fetchAll(client, callsOf(100, 100))).to.have.length(100);
    expect(sizes.slice(0, 3)).to.deep.equal([64, 32, 16]);
    sizes.length = 0;
    await fetchAll(client, callsOf(100, 32));
    expect(sizes).to.deep.equal([16, 16]);
  });

  it('are sent alone where the node refuses all batches, and reject as one alone does', async () => {
    const client = clientOf(0);
    expect(await fetchAll(client, callsOf(20, 4))).to.deep.equal([40, 42, 44, 46]);
    expect(await fetchAll(client, callsOf(10, 4)).catch(({ message }) => message)).to.equal('none');
  });

  it('reject when the node does not answer', async () => {
    const client = { ...clientOf(9), requestBatch: () => Promise.reject(new LedgerError('CHAIN_UNAVAILABLE')) };
    expect(await rejectionOf(fetchAll(client, callsOf(0, 9)))).to.equal('CHAIN_UNAVAILABLE');
  });
});
