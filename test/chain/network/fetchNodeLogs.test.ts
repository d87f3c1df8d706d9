// Valid and invalid answers of a node to a query for the ledger's logs.
import { expect } from 'chai';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { fetchNodeLogs } from '../../../chain/network/fetchNodeLogs.ts';
import { RECORD_APPENDED_TOPIC, type RpcLog } from '../../../chain/recordLog.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';
import { toWord } from '../../support/recordLogs.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { aRecord, encodeRecordData } from '../embedded/fixtures.ts';

const ADDRESS = `0x${'c0'.repeat(20)}` as const;
type Answered = RpcLog & { readonly address: string };

const logOf = (blockNumber: number, changed: Partial<Answered> = {}): Answered => {
  const record = aRecord();
  return {
    address: ADDRESS,
    topics: [RECORD_APPENDED_TOPIC, record.tenantKey, record.streamKey, record.recordKey],
    data: encodeRecordData(record),
    blockNumber: `0x${blockNumber.toString(16)}`,
    blockHash: hashOf('one', blockNumber),
    transactionHash: toWord(blockNumber),
    transactionIndex: '0x0',
    logIndex: '0x0',
    ...changed,
  };
};

interface Filter {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

describe("the ledger's logs from a node", () => {
  let client: FakeClient;
  let logs: Answered[];
  let filters: Filter[];
  beforeEach(() => {
    client = createFakeClient('node');
    logs = [logOf(3), logOf(7), logOf(8)];
    filters = [];
    client.methods.eth_getLogs = (filter: Filter) => {
      filters.push(filter);
      if (filter.blockHash !== undefined) return logs.filter(({ blockHash }) => blockHash === filter.blockHash);
      const isWithin = (number: number): boolean =>
        number >= Number(filter.fromBlock) && number <= Number(filter.toBlock);
      return logs.filter(({ blockNumber }) => isWithin(Number(blockNumber)));
    };
  });
  const fetch = (fromBlock: number, toBlock: number) => fetchNodeLogs(client, { address: ADDRESS, fromBlock, toBlock });
  const numbers = async (fromBlock: number, toBlock: number): Promise<number[]> =>
    (await fetch(fromBlock, toBlock)).map(({ blockNumber }) => blockNumber);

  it('are those of the requested blocks, few blocks by hash and many by number', async () => {
    expect(await numbers(7, 9)).to.deep.equal([7, 8]);
    expect(filters.every(({ blockHash }) => blockHash !== undefined)).to.equal(true);
    filters.length = 0;
    expect(await numbers(1, 10)).to.deep.equal([3, 7, 8]);
    expect(filters).to.have.length(1);
    expect((await fetch(1, 10))[0]!.blockTimestampSeconds).to.equal(100);
  });

  it('are not empty because the node lacks one of few blocks', async () => {
    expect(await rejectionOf(fetch(10, 11))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('are not empty where the receipts of a block that may have some show them', async () => {
    client.methods.eth_getLogs = () => [];
    expect(await numbers(6, 8)).to.deep.equal([]);
    client.methods.eth_getTransactionReceipt = (hash: string) => ({
      logs: hash === hashOf('transaction', 7) ? [logOf(7)] : [],
    });
    expect(await rejectionOf(fetch(6, 8))).to.equal('CHAIN_UNAVAILABLE');
    expect(await numbers(8, 9)).to.deep.equal([]);
    client.methods.eth_getTransactionReceipt = () => ({ logs: [logOf(7, { address: `0x${'c1'.repeat(20)}` })] });
    expect(await numbers(6, 8)).to.deep.equal([]);
  });

  it('are requested in halves where the node refuses the range', async () => {
    const { eth_getLogs: answer } = client.methods;
    client.methods.eth_getLogs = (filter: Filter) => {
      if (Number(filter.toBlock) - Number(filter.fromBlock) > 2) throw new RpcError(-32_005, 'too many');
      return answer!(filter as never);
    };
    expect(await numbers(1, 10)).to.deep.equal([3, 7, 8]);
  });

  const invalidAnswers: Record<string, () => unknown> = {
    'of another block': () => [logOf(7, { blockHash: hashOf('two', 7) })],
    'of blocks that were not requested': () => [logOf(3), logOf(10)],
    'of another contract': () => [logOf(7, { address: `0x${'c1'.repeat(20)}` })],
    'that are duplicated': () => [logOf(7), logOf(7)],
    'out of order': () => [logOf(8), logOf(7)],
    'that are truncated': () => [logOf(7, { data: '0x' })],
    'of another event': () => [logOf(7, { topics: [toWord(1)] })],
    'of a replaced block': () => [{ ...logOf(7), removed: true }],
    'that are not a list': () => ({}),
    'that are texts': () => ['log'],
  };
  for (const [name, answer] of Object.entries(invalidAnswers)) {
    it(`are refused when the node returns logs ${name}`, async () => {
      client.methods.eth_getLogs = answer;
      expect(await rejectionOf(fetch(4, 9))).to.equal('CHAIN_UNAVAILABLE');
    });
  }
});
