// A node's answers about a transaction, and when they prove something.
import { expect } from 'chai';
import type { NodeSet } from '../../../chain/network/nodeSet.ts';
import { createTransactionSubmitter } from '../../../chain/network/transactionSubmitter.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { BLOCK_OUTCOMES } from '../../support/blockOutcomes.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';
import { createAccount, signRaw } from '../embedded/fixtures.ts';

const HEAD = { number: 10, hash: hashOf('one', 10) };

describe('transactions on a network', () => {
  let client: FakeClient;
  let raw: Uint8Array;
  beforeEach(async () => {
    client = createFakeClient('node');
    raw = await signRaw(createAccount(), 0);
    client.methods.eth_sendRawTransaction = () => toHex(keccak256(raw));
  });

  const create = () => {
    const nodes = {
      use: (task: (of: FakeClient) => unknown) => task(client),
      useFinal: (task: (of: FakeClient, final: typeof HEAD) => unknown) => task(client, HEAD),
      fetchFinal: async () => HEAD,
      distrust: () => undefined,
      headNumber: 10,
    } as unknown as NodeSet;
    return createTransactionSubmitter({
      nodes,
      outcomes: BLOCK_OUTCOMES,
      elapsedMs: () => 0,
      pollMs: 1,
      onProblem: () => undefined,
    });
  };
  // Answers with the receipts in turn, and then always with the last.
  const answerWith = (...blocks: readonly (readonly [chain: string, number: number])[]): void => {
    const left = [...blocks];
    client.methods.eth_getTransactionReceipt = () => {
      const [chain, number] = left.length > 1 ? left.shift()! : left[0]!;
      return {
        transactionHash: toHex(keccak256(raw)),
        blockNumber: `0x${number.toString(16)}`,
        blockHash: hashOf(chain, number),
        status: '0x1',
      };
    };
  };

  it('are final in a block of the chain only, whatever an old receipt contains', async () => {
    answerWith(['two', 5], ['two', 5], ['two', 5], ['one', 6]);
    const transactions = create();
    const mined = await transactions.submit(raw);
    expect(await transactions.awaitFinal(mined)).to.deep.include({ blockNumber: 6, outcome: 'succeeded' });
  });

  it('are not final above the newest final block', async () => {
    answerWith(['one', 11], ['one', 11], ['one', 11], ['one', 7]);
    const transactions = create();
    const mined = await transactions.submit(raw);
    expect(mined.blockNumber).to.equal(11);
    expect((await transactions.awaitFinal(mined)).blockNumber).to.equal(7);
  });
});
