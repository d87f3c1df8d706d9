// Checks the public keys of subjects. A key that is no point of the curve has no private key, so nobody could ever have
// written a record with it.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { fromHex } from '../encoding/hex.ts';
import { LedgerError } from '../errors.ts';
import { isWalletKey } from '../records/subject.ts';

const isOnCurve = (key: string): boolean => {
  try {
    secp256k1.Point.fromBytes(fromHex(`0x${key}`)).assertValidity();
    return true;
  } catch {
    // The library throws for anything but a point of the curve.
    return false;
  }
};

const findProblem = (key: string): string | undefined => {
  if (!isWalletKey(key)) return 'is not 04 and 128 hexadecimal digits';
  return isOnCurve(key) ? undefined : 'is not a point on secp256k1';
};

/**
 * Asserts that public keys are uncompressed points on secp256k1.
 * @throws LedgerError WALLET_KEY_INVALID that names each key that isn't, as `wallet_pub_key/<index>`.
 */
export const assertWalletKeys = (keys: readonly string[]): void => {
  const violations = keys.flatMap((key, at) => {
    const description = findProblem(key);
    return description === undefined ? [] : [{ field: `wallet_pub_key/${at}`, description }];
  });
  if (violations.length === 0) return;
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join('; ');
  throw new LedgerError('WALLET_KEY_INVALID', { message, violations });
};
