import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { LedgerError } from '../../../ledger/errors.ts';
import { assertWalletKeys } from '../../../ledger/sharing/walletKeys.ts';
import { bytesOf } from '../../support/recordParts.ts';
import { WALLET_KEY } from '../../support/records.ts';

const refusedFields = (keys: readonly string[]): string[] => {
  try {
    assertWalletKeys(keys);
    return [];
  } catch (error) {
    expect((error as LedgerError).code).to.equal('WALLET_KEY_INVALID');
    return (error as LedgerError).violations.map(({ field }) => field);
  }
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
/** A key whose x or y is one more: no point. */
const moved = (key: string): string => {
  const last = Number.parseInt(key.at(-1)!, 16);
  return `${key.slice(0, -1)}${((last + 1) % 16).toString(16)}`;
};

describe('public keys of subjects', () => {
  it('are uncompressed points, in either case', () => {
    const check = fc.property(bytesOf(32), fc.boolean(), (secret, isUpper) => {
      fc.pre(secp256k1.utils.isValidSecretKey(secret));
      const key = hexOf(secp256k1.getPublicKey(secret, false));
      expect(refusedFields([isUpper ? key.toUpperCase() : key])).to.eql([]);
      expect(refusedFields([moved(key)])).to.eql(['wallet_pub_key/0']);
    });
    fc.assert(check, { numRuns: 30 });
  });

  it('are refused, each by its place, where nobody could have signed with them', () => {
    const compressed = hexOf(secp256k1.Point.BASE.toBytes(true));
    const zeros = '0'.repeat(128);
    // x of the field's size, and y of the point whose x is the rest: another form of the same point.
    const [size, { y }] = [secp256k1.Point.CURVE().p, secp256k1.Point.fromHex(`02${'1'.padStart(64, '0')}`).toAffine()];
    const unreduced = `04${(size + 1n).toString(16)}${y.toString(16).padStart(64, '0')}`;
    const wrong = [
      '',
      '04',
      zeros,
      `04${zeros}`,
      `00${zeros}`,
      `06${WALLET_KEY.slice(2)}`,
      compressed,
      `0x${WALLET_KEY}`,
      ` ${WALLET_KEY}`,
      `${WALLET_KEY}\n`,
      `${WALLET_KEY}00`,
      WALLET_KEY.slice(0, -1),
      WALLET_KEY.replace('c1', 'ｃ1'),
      unreduced,
      `04${'f'.repeat(128)}`,
    ];
    expect(refusedFields([WALLET_KEY, ...wrong, WALLET_KEY])).to.eql(wrong.map((_, at) => `wallet_pub_key/${at + 1}`));
  });

  it('are refused by their places even when all texts are random', () => {
    const check = fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), (texts) => {
      expect(refusedFields(texts)).to.have.length(texts.length);
    });
    fc.assert(check);
    expect(() => assertWalletKeys(['x'])).to.throw(LedgerError);
  });
});
