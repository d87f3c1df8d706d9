import { expect } from 'chai';
import { fetchPublicLogs, LOG_BLOCKS_MAX, LOG_BYTES_MAX } from '../../../../chain/embedded/rpc/fetchPublicLogs.ts';
import { RpcError } from '../../../../chain/jsonRpc/rpcError.ts';

describe('fetchPublicLogs, on a long chain', () => {
  const HEAD = 25_000;

  it('reads every block of the range once', async () => {
    const requested: number[] = [];
    const read = async (filter: { readonly fromBlock?: unknown; readonly toBlock?: unknown }): Promise<string> => {
      for (let number = Number(filter.fromBlock); number <= Number(filter.toBlock); number += 1) requested.push(number);
      return `[${Number(filter.fromBlock)}]`;
    };
    const range = { fromBlock: '0x64', toBlock: `0x${(99 + LOG_BLOCKS_MAX).toString(16)}` };
    const logs = JSON.parse(await fetchPublicLogs(range, HEAD, read)) as number[];
    expect(requested).to.deep.equal(Array.from({ length: LOG_BLOCKS_MAX }, (_, index) => index + 100));
    expect(logs).to.deep.equal(requested.filter((_, index) => index % 32 === 0));
  });

  it('refuses more blocks than the limit', async () => {
    for (const range of [
      { fromBlock: '0x64', toBlock: `0x${(100 + LOG_BLOCKS_MAX).toString(16)}` },
      { fromBlock: '0x0' },
    ]) {
      const error = await fetchPublicLogs(range, HEAD, async () => '[]').catch((error: unknown) => error);
      expect(error).to.be.instanceOf(RpcError).with.property('code', -32005);
    }
  });

  it('refuses an answer that is too large before it has read all of it', async () => {
    let reads = 0;
    const read = async (): Promise<string> => {
      reads += 1;
      return `["${'a'.repeat(LOG_BYTES_MAX / 2)}"]`;
    };
    const error = await fetchPublicLogs({ fromBlock: '0x1', toBlock: '0x2000' }, HEAD, read).catch(
      (error: unknown) => error,
    );
    expect(error).to.be.instanceOf(RpcError).with.property('code', -32005);
    expect(reads).to.equal(2);
  });

  it('limits the range of a filter whose block hash is null', async () => {
    const whole = { fromBlock: '0x0', blockHash: null };
    const error = await fetchPublicLogs(whole, HEAD, async () => '[]').catch((error: unknown) => error);
    expect(error).to.be.instanceOf(RpcError).with.property('code', -32005);
    const ranges: unknown[] = [];
    const read = async (filter: object): Promise<string> => {
      ranges.push(filter);
      return '[]';
    };
    await fetchPublicLogs({ toBlock: '0xffffffff', blockHash: null }, HEAD, read);
    expect(ranges).to.deep.equal([{ fromBlock: '0x61a8', toBlock: '0x61a8' }]);
  });

  it('refuses a block hash that is none, or that has a range beside it', async () => {
    const blockHash = `0x${'11'.repeat(32)}`;
    for (const filter of [{ blockHash: '0x' }, { blockHash: 5 }, { blockHash, toBlock: '0xffffffff' }]) {
      const error = await fetchPublicLogs(filter, HEAD, async () => '[]').catch((error: unknown) => error);
      expect(error).to.be.instanceOf(RpcError).with.property('code', -32602);
    }
    expect(await fetchPublicLogs({ blockHash, fromBlock: null }, HEAD, async () => '[1]')).to.equal('[1]');
  });
});
