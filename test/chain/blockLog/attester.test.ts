// Which attestations share a transaction, as its receipt is in every evidence file that they prove, and which are sent.
import { expect } from 'chai';
import { type Attestation, attestTree, createAttester, type IndexedTrees } from '../../../chain/blockLog/attester.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import type { TransactionSender } from '../../../chain/writing/transactionSender.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { rejectionOf } from '../../support/refusals.ts';

const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
const keyOf = (number: number): Hex => toHex(Buffer.alloc(32, number));
const [ONE, OTHER, THIRD] = [keyOf(1), keyOf(2), keyOf(3)];
const named = (tenant: Hex, streams: readonly Hex[]): Attestation => ({ ...attestTree(tenant), streams });

interface Given {
  readonly tenantsPerTransaction?: number;
  readonly outcome?: 'succeeded' | 'reverted';
  /** Number of records of each tenant. */
  readonly sizes?: ReadonlyMap<Hex, number>;
}

// An index that learns of an attestation when it catches up with its block, and what the attester sends.
const start = ({ tenantsPerTransaction = 4, outcome = 'succeeded', sizes = new Map() }: Given) => {
  const sent: { tenant: Hex; streams: Hex[] }[][] = [];
  const attested = new Map<string, { size: number; blockNumber: number }>();
  let isLying = false;
  const sender = {
    send: async ({ data }: { data: Uint8Array }) => {
      const [attestations] = ledgerInterface.decodeFunctionData('attest', toHex(data));
      sent.push([...attestations].map(([tenant, streams]) => ({ tenant, streams: [...streams] })));
      return { hash: keyOf(1) };
    },
    awaitFinal: async () => ({ hash: keyOf(1), outcome, blockNumber: sent.length }),
  } as unknown as TransactionSender;
  const trees: IndexedTrees = {
    readTreeSize: async (key) => sizes.get(toHex(key)) ?? 0,
    readAttestedTree: async (key) => attested.get(toHex(key)),
  };
  const catchUpTo = async (blockNumber: number): Promise<void> => {
    if (isLying) return;
    for (const { tenant } of sent[blockNumber - 1]!)
      attested.set(tenant, { size: sizes.get(tenant) ?? 0, blockNumber });
  };
  const { attest } = createAttester({ trees, catchUpTo, contract: CONTRACT, sender, tenantsPerTransaction });
  const setLying = (isNow: boolean): void => {
    isLying = isNow;
  };
  return { attest, sent, setLying };
};

describe('a transaction that attests', () => {
  const attestAll = async (requested: readonly Attestation[], tenantsPerTransaction: number) => {
    const { attest, sent } = start({ tenantsPerTransaction });
    await attest([], requested);
    return sent;
  };

  it('has the tree of one tenant where its receipt must not show those of others', async () => {
    const sent = await attestAll([attestTree(ONE), attestTree(OTHER)], 1);
    expect(sent.map((attested) => attested.map(({ tenant }) => tenant))).to.deep.equal([[ONE], [OTHER]]);
  });

  it('has the trees of several tenants where the chain is slow', async () => {
    expect((await attestAll([attestTree(ONE), attestTree(OTHER)], 4)).map(({ length }) => length)).to.deep.equal([2]);
  });

  it('shows the names of one tenant alone', async () => {
    const sent = await attestAll([attestTree(ONE), named(OTHER, [keyOf(9)]), named(ONE, [keyOf(8)])], 4);
    expect(sent).to.have.deep.members([
      [{ tenant: ONE, streams: [keyOf(8)] }],
      [{ tenant: OTHER, streams: [keyOf(9)] }],
    ]);
  });

  it('names at most 8 streams, each once', async () => {
    const streams = Array.from({ length: 10 }, (_, at) => keyOf(at + 10));
    const sent = await attestAll([named(ONE, streams), named(ONE, streams.slice(5))], 4);
    expect(sent.map((attested) => attested.map((part) => part.streams.length))).to.deep.equal([[8], [2]]);
    expect(sent.flat().flatMap((part) => part.streams)).to.deep.equal(streams);
  });
});

describe('the trees that are attested', () => {
  const sizes = new Map([
    [ONE, 5],
    [OTHER, 1],
  ]);

  it('are those with records that no attestation in the index covers, each once', async () => {
    const { attest, sent } = start({ sizes });
    expect(await attest([ONE, OTHER, THIRD], [])).to.equal(1);
    expect(sent[0]!.map(({ tenant }) => tenant)).to.deep.equal([ONE, OTHER]);
    expect(await attest([ONE, OTHER, THIRD], [])).to.equal(1);
    expect(sent).to.have.length(1);
  });

  it('are sent again when a node only claimed that they were attested', async () => {
    const { attest, sent, setLying } = start({ sizes });
    setLying(true);
    expect(await attest([ONE], [])).to.equal(undefined);
    setLying(false);
    expect(await attest([ONE], [])).to.equal(2);
    expect(sent).to.have.length(2);
  });

  it('are refused with the transaction', async () => {
    expect(await rejectionOf(start({ sizes, outcome: 'reverted' }).attest([ONE], []))).to.equal('TRANSACTION_REFUSED');
  });
});
