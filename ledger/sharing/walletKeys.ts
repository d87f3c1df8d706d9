// Checks the public keys of subjects. A key that is no point of the curve has no private key, so nobody could ever have
// written a record with it.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { fromHex } from '../encoding/hex.ts';
import { LedgerError, refuseField } from '../errors.ts';
import { isWalletKey, toWalletAddress } from '../records/subject.ts';

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

/**
 * Asserts that addresses, in either case, are those of public keys, in the same order. None state nothing. The address
 * of a text that is no key is not compared.
 * @throws LedgerError REQUEST_INVALID that names the first address that isn't, or `wallet_address` for another number.
 */
export const assertWalletAddresses = (keys: readonly string[], addresses: readonly string[]): void => {
  if (addresses.length === 0) return;
  if (addresses.length !== keys.length)
    throw refuseField('REQUEST_INVALID', 'wallet_address', 'does not have one address for each public key');
  const isContradictory = (key: string, at: number): boolean =>
    isWalletKey(key) && toWalletAddress(key) !== addresses[at]!.toLowerCase();
  const at = keys.findIndex(isContradictory);
  if (at !== -1) throw refuseField('REQUEST_INVALID', `wallet_address/${at}`, 'is not the address of its public key');
};
