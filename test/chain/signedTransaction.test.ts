// Compared with ethers.
import { expect } from 'chai';
import { concat, decodeRlp, encodeRlp, Transaction } from 'ethers';
import fc from 'fast-check';
import { decodeSignedTransaction } from '../../chain/signedTransaction.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { type TransactionFields, toRawTransaction } from '../fuzz/rpc/rawTransactions.ts';
import { runs } from '../support/propertyRuns.ts';

const TO: Hex = `0x${'00'.repeat(19)}ff`;
const WORD: Hex = `0x${'01'.repeat(32)}`;

const PLAIN: TransactionFields = {
  sender: 0,
  type: 2,
  to: TO,
  nonce: 7n,
  gasLimit: 100_000n,
  price: 9n,
  tip: 1n,
  value: 5n,
  data: '0x00ff',
  chainId: 424_242,
  accessList: [{ address: TO, storageKeys: [WORD, WORD] }],
  blobHashes: [WORD],
  authorizations: [{ address: TO, nonce: 1n }],
  flippedBit: undefined,
};

const toHexOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);
const bytes = fc.uint8Array({ maxLength: 70 }).map(toHex);
const amount = fc.bigInt({ min: 0n, max: 2n ** 70n });
const FIELDS: fc.Arbitrary<TransactionFields> = fc.record({
  sender: fc.nat(50),
  type: fc.integer({ min: 0, max: 4 }),
  to: fc.option(toHexOf(20)),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 50n }),
  gasLimit: amount,
  price: amount,
  tip: fc.oneof(fc.constant(0n), amount),
  value: amount,
  data: bytes,
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  accessList: fc.array(fc.record({ address: toHexOf(20), storageKeys: fc.array(toHexOf(32), { maxLength: 3 }) }), {
    maxLength: 4,
  }),
  blobHashes: fc.array(toHexOf(32), { maxLength: 2 }),
  authorizations: fc.array(fc.record({ address: toHexOf(20), nonce: fc.bigInt({ min: 0n, max: 99n }) }), {
    maxLength: 2,
  }),
  flippedBit: fc.constant(undefined),
});

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const readWithEthers = (raw: Hex) =>
  attempt(() => {
    const { from, to, nonce, gasLimit, gasPrice, maxFeePerGas, value, chainId, data, accessList } =
      Transaction.from(raw);
    const entries = (accessList ?? []).map((entry) => ({ ...entry, address: entry.address.toLowerCase() }));
    const sender = from?.toLowerCase() ?? null;
    return { from: sender, to, nonce, gasLimit, gasPrice, maxFeePerGas, value, chainId, data, accessList: entries };
  });

const read = (raw: Hex): ReturnType<typeof readWithEthers> =>
  attempt(() => {
    const { fields, from, data, accessList } = decodeSignedTransaction(fromHex(raw));
    const { to, nonce, gasLimit, gasPrice, maxFeePerGas, value, chainId } = fields;
    const entries = [...accessList];
    return {
      from,
      to,
      nonce,
      gasLimit,
      gasPrice,
      maxFeePerGas,
      value,
      chainId,
      data: toHex(data),
      accessList: entries,
    };
  });

// ethers also accepts other encodings than the only one that chains accept.
const isCanonical = (raw: Hex): boolean => attempt(() => Transaction.from(raw).serialized) === raw;

describe('a signed transaction', () => {
  it('is decoded as by ethers, whatever its type and its fields are', () => {
    fc.assert(
      fc.property(FIELDS, (fields) => {
        const raw = toRawTransaction(fields);
        expect(read(raw)).to.deep.equal(readWithEthers(raw));
      }),
      runs(300),
    );
  });

  it('is refused as by ethers when a bit of it is changed', () => {
    const changed = fc.tuple(FIELDS, fc.integer({ min: 0, max: 2 }), fc.nat());
    fc.assert(
      fc.property(changed, ([fields, type, flippedBit]) => {
        const raw = toRawTransaction({ ...fields, type, flippedBit });
        const expected = readWithEthers(raw);
        if (expected === undefined || isCanonical(raw)) expect(read(raw)).to.deep.equal(expected);
      }),
      runs(300),
    );
  });

  for (const type of [0, 1, 2, 3, 4])
    it(`of type ${type} has a sender`, () => {
      const raw = toRawTransaction({ ...PLAIN, type });
      expect(read(raw)).to.deep.equal(readWithEthers(raw)).and.to.have.property('from').that.is.a('string');
    });

  it('has the sender of its own part when blobs come along', () => {
    const raw = toRawTransaction({ ...PLAIN, type: 3, blobHashes: [] });
    const whole = concat(['0x03', encodeRlp([decodeRlp(`0x${raw.slice(4)}`), [], [], []])]) as Hex;
    expect(read(whole)).to.deep.equal(read(raw)).and.not.to.equal(undefined);
  });
});
