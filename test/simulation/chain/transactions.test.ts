import { expect } from 'chai';
import { Transaction } from 'ethers';
import fc from 'fast-check';
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { signTransaction } from '../../../chain/writing/signTransaction.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { runs } from '../../support/propertyRuns.ts';
import { walletOf } from './support/chainPair.ts';
import { decodeTransaction, decodeTransactionText } from './transactions.ts';

const wei = fc.bigInt({ min: 0n, max: 2n ** 70n });
const fields = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.nat(),
  gasLimit: fc.nat(),
  fees: fc.oneof(
    fc.record({ gasPrice: wei }),
    fc.record({ maxFeePerGas: wei, maxPriorityFeePerGas: wei }).filter((f) => f.maxPriorityFeePerGas <= f.maxFeePerGas),
  ),
  to: fc.option(fc.uint8Array({ minLength: 20, maxLength: 20 }), { nil: undefined }),
  value: wei,
  data: fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ minLength: 200, maxLength: 400 })),
});

const refusalOf = (decode: () => unknown): number => {
  try {
    decode();
  } catch (error) {
    if (error instanceof RpcError) return error.code;
    throw error;
  }
  throw new Error('it was decoded');
};

describe('decoded transactions', () => {
  it('have the fields, sender and hash that ethers reads', () => {
    const property = fc.property(fields, fc.integer({ min: 1, max: 50 }), (content, key) => {
      const raw = signTransaction(content, walletOf(key));
      const decoded = decodeTransaction(raw);
      const expected = Transaction.from(toHex(raw));
      expect(decoded).to.deep.include({
        hash: expected.hash,
        type: expected.type,
        chainId: Number(expected.chainId),
        from: expected.from!.toLowerCase(),
        nonce: expected.nonce,
        to: expected.to?.toLowerCase(),
        value: expected.value,
        gasLimit: Number(expected.gasLimit),
        maxFeePerGas: expected.maxFeePerGas ?? expected.gasPrice,
        maxPriorityFeePerGas: expected.maxPriorityFeePerGas ?? expected.gasPrice,
      });
      expect(toHex(decoded.data)).to.equal(expected.data);
      expect(decodeTransactionText(toHex(raw))).to.equal(decoded);
    });
    fc.assert(property, runs(200));
  });

  it('are refused when they are cut off, longer, or of another kind', () => {
    const content = {
      chainId: 1,
      nonce: 3,
      gasLimit: 5,
      fees: { gasPrice: 1n },
      to: undefined,
      data: Buffer.alloc(90, 1),
    };
    for (const fees of [{ gasPrice: 1n }, { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }]) {
      const raw = signTransaction({ ...content, fees }, walletOf(9));
      for (let length = 0; length < raw.length; length += 1)
        expect(refusalOf(() => decodeTransaction(raw.subarray(0, length)))).to.equal(RPC_CODE.INVALID_PARAMS);
      const longer = Buffer.concat([raw, Uint8Array.of(0)]);
      expect(refusalOf(() => decodeTransaction(longer))).to.equal(RPC_CODE.INVALID_PARAMS);
    }
    for (const text of ['0x', '0x01c0', '0x7f', '0xc0', '0x02c0', '0xzz', '0x1', 5])
      expect(
        refusalOf(() => decodeTransactionText(text)),
        `${text}`,
      ).to.equal(RPC_CODE.INVALID_PARAMS);
  });
});
