// This project's transactions and calldata against ethers', byte for byte, on random input.
import { expect } from 'chai';
import { Wallet as EthersWallet, Interface, Transaction } from 'ethers';
import fc from 'fast-check';
import { createWallet } from '../../../chain/wallet.ts';
import { encodeAppendCall, encodeAppendSignedCall } from '../../../chain/writing/appendCalls.ts';
import { signTransaction } from '../../../chain/writing/signTransaction.ts';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { runs } from '../../support/propertyRuns.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const upTo = (length: number) => fc.uint8Array({ maxLength: length });
const privateKeys = bytes(32).map((key) =>
  Uint8Array.from(key, (byte, index) => (index === 0 ? byte & 0x7f : byte | 1)),
);

const marketFees = fc
  .record({ priority: fc.bigInt({ min: 0n, max: 2n ** 100n }), base: fc.bigInt({ min: 0n, max: 2n ** 100n }) })
  .map(({ priority, base }) => ({ maxPriorityFeePerGas: priority, maxFeePerGas: base + priority }));
const fees = fc.oneof(marketFees, fc.record({ gasPrice: fc.bigInt({ min: 0n, max: 2n ** 100n }) }));
const others = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 50 }),
  nonce: fc.integer({ min: 0, max: 2 ** 40 }),
  gasLimit: fc.integer({ min: 0, max: 2 ** 40 }),
  to: fc.option(bytes(20), { nil: undefined }),
  value: fc.bigInt({ min: 0n, max: 2n ** 100n }),
  data: upTo(600),
});
const fields = fc.tuple(others, fees).map(([other, fee]) => ({ ...other, fees: fee }));

describe('signTransaction', () => {
  it('writes the same bytes as ethers', () => {
    fc.assert(
      fc.property(fields, privateKeys, (transaction, privateKey) => {
        const raw = signTransaction(transaction, createWallet(privateKey));
        const { fees: bid, ...plain } = transaction;
        const expected = Transaction.from({
          ...plain,
          ...bid,
          type: 'gasPrice' in bid ? 0 : 2,
          gasLimit: BigInt(transaction.gasLimit),
          to: transaction.to === undefined ? null : toHex(transaction.to),
          data: toHex(transaction.data),
        });
        expected.signature = new EthersWallet(toHex(privateKey)).signingKey.sign(expected.unsignedHash);
        expect(toHex(raw)).to.equal(expected.serialized);
        expect(toHex(keccak256(raw))).to.equal(expected.hash);
      }),
      runs(200),
    );
  });

  for (const [kind, bid] of [
    ['an EIP-1559', { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }],
    ['an older', { gasPrice: 0n }],
  ] as const) {
    it(`omits leading zeros of r and s in the encoding of ${kind} transaction`, () => {
      const signature = { r: new Uint8Array(32).fill(7, 2), s: new Uint8Array(32).fill(9, 1), yParity: 0 as const };
      const wallet = { ...createWallet(fromHex(`0x${'11'.repeat(32)}`)), sign: () => signature };
      const plain = { chainId: 1, nonce: 0, gasLimit: 0, data: new Uint8Array() };
      const raw = signTransaction({ ...plain, to: undefined, fees: bid }, wallet);
      const expected = Transaction.from({ ...plain, ...bid, type: 'gasPrice' in bid ? 0 : 2, data: '0x' });
      expected.signature = { r: toHex(signature.r), s: toHex(signature.s), yParity: 0 };
      expect(toHex(raw)).to.equal(expected.serialized);
    });
  }
});

const LEDGER = new Interface([
  'function append(bytes32 tenant,(bytes32 stream,bytes32 id,bytes payload)[] records)',
  'function appendSigned((bytes32 tenant,address author,(bytes32 stream,bytes32 id,bytes payload)[] records,bytes signature)[] batches)',
]);

const batches = fc.array(
  fc.record({
    tenantKey: bytes(32),
    author: bytes(20),
    records: fc.array(fc.record({ streamKey: bytes(32), recordKey: bytes(32), payload: upTo(100) }), { maxLength: 5 }),
    signature: upTo(70),
  }),
  { maxLength: 4 },
);

describe('encodeAppendSignedCall', () => {
  it('writes the same bytes as ethers', () => {
    fc.assert(
      fc.property(batches, (list) => {
        const signed = list.map((batch) => ({
          ...batch,
          records: batch.records.map((record) => ({ ...record, tenantKey: batch.tenantKey, author: batch.author })),
        }));
        const expected = LEDGER.encodeFunctionData('appendSigned', [
          list.map((batch) => [
            batch.tenantKey,
            toHex(batch.author),
            batch.records.map((record) => [record.streamKey, record.recordKey, record.payload]),
            batch.signature,
          ]),
        ]);
        expect(toHex(encodeAppendSignedCall(signed))).to.equal(expected);
      }),
    );
  });
});

describe('encodeAppendCall', () => {
  it('writes the same bytes as ethers', () => {
    fc.assert(
      fc.property(batches, (list) => {
        for (const { tenantKey, author, records } of list) {
          const batch = { tenantKey, author, records: records.map((record) => ({ ...record, tenantKey, author })) };
          const tuples = records.map(({ streamKey, recordKey, payload }) => [streamKey, recordKey, payload]);
          const expected = LEDGER.encodeFunctionData('append', [tenantKey, tuples]);
          expect(toHex(encodeAppendCall(batch))).to.equal(expected);
        }
      }),
    );
  });
});
