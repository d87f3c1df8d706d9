import { expect } from 'chai';
import { concat, encodeRlp, keccak256, SigningKey, toBeArray, Wallet } from 'ethers';
import fc from 'fast-check';
import { decodeTransaction } from '../../../../chain/embedded/rpc/publicTransaction.ts';
import { RPC_CODE, RpcError } from '../../../../chain/jsonRpc/rpcError.ts';
import { fromHex, type Hex } from '../../../../ledger/encoding/hex.ts';
import { countCopiedItems } from '../../../support/copiedItems.ts';
import { runs } from '../../../support/propertyRuns.ts';

const BYTES_MAX = 131_072;
const KEY = new SigningKey(`0x${'11'.repeat(32)}`);
const ADDRESS = new Wallet(KEY).address.toLowerCase();
const TO = `0x${'00'.repeat(19)}ff`;
const ENTRY = { address: TO, storageKeys: [] };

type Fields = readonly (string | readonly unknown[])[];
const toField = (value: bigint): string => `0x${Buffer.from(toBeArray(value)).toString('hex')}`;

// ethers refuses to build what no wallet would sign.
const sign = (type: number, fields: Fields): Uint8Array => {
  const prefix = `0x0${type}`;
  const { v, r, s } = KEY.sign(keccak256(concat([prefix, encodeRlp(fields as never)])));
  const signature = [toField(BigInt(v - 27)), toField(BigInt(r)), toField(BigInt(s))];
  return fromHex(concat([prefix, encodeRlp([...fields, ...signature] as never)]) as Hex);
};

const decode = (raw: Uint8Array) => {
  try {
    return decodeTransaction(raw, BYTES_MAX);
  } catch (error) {
    return error;
  }
};

const isRefusal = (value: unknown): boolean => value instanceof RpcError && value.code === RPC_CODE.REFUSED;

const toFeeMarket = (tip: bigint, cap: bigint, accessList: readonly unknown[] = []): Uint8Array => {
  const numbers = [424_242n, 0n, tip, cap, 100_000n].map(toField);
  return sign(2, [...numbers, TO, '0x', '0x', accessList]);
};

describe('a transaction of a third party', () => {
  it('is decoded with the account that signed it', () => {
    expect(decode(toFeeMarket(0n, 0n))).to.deep.include({ from: ADDRESS, gasLimit: 100_000, value: 0n });
  });

  it('is refused when its fee cap is below its tip', () => {
    expect(isRefusal(decode(toFeeMarket(1n, 0n)))).to.equal(true);
  });

  it('is decoded without copying its access list for each entry', () => {
    const entries = Array.from({ length: 500 }, () => [TO, []]);
    const raw = toFeeMarket(0n, 0n, entries);
    const copied = countCopiedItems(() => {
      expect(decode(raw)).to.deep.include({ from: ADDRESS, accessList: entries.map(() => ENTRY) });
    });
    expect(copied).to.be.lessThan(raw.length);
  });

  it('is decoded or refused, whatever its fields are', () => {
    const word = fc.oneof(
      fc.constantFrom(0n, 1n, 2n ** 64n, 2n ** 256n - 1n),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    );
    const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => `0x${Buffer.from(value).toString('hex')}`);
    const list = fc.array(fc.oneof(bytes, fc.array(bytes, { maxLength: 3 })), { maxLength: 3 });
    const field = fc.oneof(word.map(toField), bytes, fc.constant(TO), list);
    const transaction = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.array(field, { minLength: 7, maxLength: 12 }));
    fc.assert(
      fc.property(transaction, ([type, fields]) => {
        const decoded = decode(sign(type, fields));
        expect(isRefusal(decoded) || (decoded as { from?: string }).from === ADDRESS).to.equal(true);
      }),
      runs(500),
    );
  });

  it('is decoded or refused, whichever of its bytes is changed', () => {
    const raw = toFeeMarket(0n, 1n);
    for (let at = 0; at < raw.length; at += 1) {
      const changed = Uint8Array.from(raw);
      changed[at]! ^= 1 << (at % 8);
      const decoded = decode(changed);
      expect(isRefusal(decoded) || 'from' in (decoded as object), `${at}`).to.equal(true);
    }
  });
});
