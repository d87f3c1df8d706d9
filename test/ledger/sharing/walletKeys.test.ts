import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { LedgerError } from '../../../ledger/errors.ts';
import { toWalletAddress } from '../../../ledger/records/subject.ts';
import { assertWalletAddresses, assertWalletKeys } from '../../../ledger/sharing/walletKeys.ts';
import { runs } from '../../support/propertyRuns.ts';
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
    fc.assert(check, runs(30));
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

describe('addresses of subjects', () => {
  const keyOf = (secret: number): string => hexOf(secp256k1.getPublicKey(Buffer.alloc(32, secret), false));
  const [keys, addresses] = [[keyOf(1), keyOf(2)], [keyOf(1), keyOf(2)].map(toWalletAddress)];
  const refusalOf = (stated: readonly string[], of = keys): unknown => {
    try {
      assertWalletAddresses(of, stated);
      return undefined;
    } catch (error) {
      const { code, violations } = error as LedgerError;
      return [code, ...violations.map(({ field }) => field)];
    }
  };

  it('are those of the keys, in their order and in either case, or not stated', () => {
    for (const stated of [addresses, addresses.map((address) => `0x${address.slice(2).toUpperCase()}`), []])
      expect(refusalOf(stated)).to.equal(undefined);
  });

  it('are refused by the place of the first that is not', () => {
    for (const [stated, field] of [
      [[...addresses].reverse(), 'wallet_address/0'],
      [[addresses[0]!, `${addresses[1]}0`], 'wallet_address/1'],
      [[addresses[0]!, ''], 'wallet_address/1'],
      [addresses.slice(1), 'wallet_address'],
      [[...addresses, addresses[0]!], 'wallet_address'],
    ] as const)
      expect(refusalOf(stated)).to.eql(['REQUEST_INVALID', field]);
  });

  it('of texts that are no keys are not compared', () => {
    expect(refusalOf(['0x', addresses[1]!], ['04', keys[1]!])).to.equal(undefined);
    expect(refusalOf(['0x', '0x'], ['04', keys[1]!])).to.eql(['REQUEST_INVALID', 'wallet_address/1']);
  });
});
