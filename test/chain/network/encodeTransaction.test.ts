// Compared byte for byte with ethers.
import { expect } from 'chai';
import { hexlify, randomBytes, Transaction, type TransactionLike, toQuantity, Wallet } from 'ethers';
import { encodeTransaction } from '../../../chain/network/encodeTransaction.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';

const wallet = new Wallet(`0x${'11'.repeat(32)}`);
const TO = `0x${'22'.repeat(20)}`;
const WORD = `0x${'33'.repeat(32)}`;

const BASE: TransactionLike = { chainId: 424_242, nonce: 7, gasLimit: 100_000, to: TO, value: 5n, data: '0x00ff' };
const FEES = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n };
const ACCESS = { accessList: [{ address: TO, storageKeys: [WORD, WORD] }] };

const TRANSACTIONS: Readonly<Record<string, TransactionLike>> = {
  'a legacy one': { ...BASE, type: 0, gasPrice: 128n },
  'a legacy one that creates a contract': { ...BASE, type: 0, gasPrice: 0n, to: null, nonce: 0, value: 0n },
  'one with an access list': { ...BASE, type: 1, gasPrice: 9n, ...ACCESS },
  'one of EIP-1559': { ...BASE, type: 2, ...FEES, accessList: [] },
  'one of EIP-1559 with much data': { ...BASE, type: 2, ...FEES, ...ACCESS, data: hexlify(randomBytes(70_000)) },
  'one with blobs': {
    ...BASE,
    type: 3,
    ...FEES,
    maxFeePerBlobGas: 77n,
    blobVersionedHashes: [`0x01${'44'.repeat(31)}`],
  },
  'one with delegations': {
    ...BASE,
    type: 4,
    ...FEES,
    authorizationList: [
      { address: TO, nonce: 0n, chainId: 1n, signature: { r: WORD, s: `0x${'04'.repeat(32)}`, yParity: 1 } as never },
    ],
  },
};

// As nodes answer with it.
const toJson = (transaction: Transaction): Record<string, unknown> => {
  const { type, chainId, nonce, gasLimit, to, value, data, signature, accessList } = transaction;
  const { r, s, yParity, networkV } = signature!;
  const toNumber = (number: bigint | number | null): string | undefined =>
    number === null ? undefined : toQuantity(number);
  const isLegacy = type === 0;
  return {
    hash: transaction.hash,
    type: toQuantity(type!),
    chainId: toQuantity(chainId),
    nonce: toQuantity(nonce),
    gas: toQuantity(gasLimit),
    to,
    value: toQuantity(value),
    input: data,
    gasPrice: toNumber(transaction.gasPrice ?? 1n),
    maxFeePerGas: toNumber(transaction.maxFeePerGas),
    maxPriorityFeePerGas: toNumber(transaction.maxPriorityFeePerGas),
    maxFeePerBlobGas: toNumber(transaction.maxFeePerBlobGas),
    blobVersionedHashes: transaction.blobVersionedHashes,
    accessList,
    authorizationList: transaction.authorizationList?.map((one) => ({
      chainId: toQuantity(one.chainId),
      address: one.address,
      nonce: toQuantity(one.nonce),
      yParity: toQuantity(one.signature.yParity),
      r: toQuantity(one.signature.r),
      s: toQuantity(one.signature.s),
    })),
    v: toQuantity(isLegacy ? networkV! : yParity),
    ...(isLegacy ? {} : { yParity: toQuantity(yParity) }),
    r: toQuantity(r),
    s: toQuantity(s),
  };
};

describe('the bytes of a transaction', () => {
  for (const [name, fields] of Object.entries(TRANSACTIONS)) {
    it(`are those of ${name}`, async () => {
      const signed = Transaction.from(await wallet.signTransaction(fields));
      const json = toJson(signed);
      const expected = signed.serialized;
      expect(toHex(encodeTransaction(json)!)).to.equal(expected);
      // Some nodes leave out `yParity`.
      expect(toHex(encodeTransaction({ ...json, yParity: undefined })!)).to.equal(expected);
    });
  }

  it('are unknown for a malformed one and for other types', () => {
    const json = { type: '0x0', nonce: '0x0', gasPrice: '0x1', gas: '0x1', to: null, value: '0x0', input: '0x' };
    const signed = { ...json, v: '0x1b', r: '0x1', s: '0x1' };
    expect(encodeTransaction(signed)).not.to.equal(undefined);
    const wrong = [{ type: '0x7e' }, { type: '0x1.5' }, { nonce: undefined }, { gas: 5 }, { input: '0x0' }, { to: 5 }];
    for (const field of wrong) expect(encodeTransaction({ ...signed, ...field })).to.equal(undefined);
    for (const none of [null, 'text', `0x${'00'.repeat(32)}`, [], {}])
      expect(encodeTransaction(none)).to.equal(undefined);
  });
});
