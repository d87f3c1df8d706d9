// Which attestations share a transaction: its receipt is in every evidence file that they prove.
import { expect } from 'chai';
import { type Attestation, createAttester } from '../../../chain/blockLog/attester.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import type { TransactionSender } from '../../../chain/writing/transactionSender.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';

const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
const keyOf = (number: number): Hex => toHex(Buffer.alloc(32, number));
const named = (tenant: Hex, streams: readonly Hex[] = []): Attestation => ({ tenant, streams, ids: [], accounts: [] });

// Resolves with the tenants and streams of each transaction.
const attestAll = async (requested: readonly Attestation[], tenantsPerTransaction: number) => {
  const sent: { tenant: Hex; streams: Hex[] }[][] = [];
  const sender = {
    send: async ({ data }: { data: Uint8Array }) => {
      const [attestations] = ledgerInterface.decodeFunctionData('attest', toHex(data));
      sent.push([...attestations].map(([tenant, streams]) => ({ tenant, streams: [...streams] })));
      return { hash: keyOf(1) };
    },
    awaitFinal: async (mined: unknown) => mined,
  } as unknown as TransactionSender;
  const chain = {
    fetchFinalHead: async () => ({ number: 1, hash: keyOf(1) }),
    request: async () => ({ status: '0x1', logs: [] }),
  };
  await createAttester({ chain, contract: CONTRACT, sender, tenantsPerTransaction }).attest([], requested);
  return sent;
};

describe('a transaction that attests', () => {
  const [one, other] = [keyOf(1), keyOf(2)];

  it('names each tenant alone where its receipt must not show the trees of others', async () => {
    const sent = await attestAll([named(one), named(other), named(one, [keyOf(3)])], 1);
    expect(sent).to.deep.equal([[{ tenant: one, streams: [keyOf(3)] }], [{ tenant: other, streams: [] }]]);
  });

  it('names several tenants where the chain is slow', async () => {
    expect((await attestAll([named(one), named(other)], 4)).map((attested) => attested.length)).to.deep.equal([2]);
  });

  it('names at most 8 streams, each once', async () => {
    const streams = Array.from({ length: 10 }, (_, at) => keyOf(at + 10));
    const sent = await attestAll([named(one, streams), named(one, streams.slice(5))], 4);
    expect(sent.map((attested) => attested.map((part) => part.streams.length))).to.deep.equal([[8], [2]]);
    expect(sent.flat().flatMap((part) => part.streams)).to.deep.equal(streams);
  });
});
