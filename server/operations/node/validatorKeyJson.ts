// The key of a validator in its wire form.
import type { components } from '../../openapi/api.gen.ts';

type Schemas = components['schemas'];

const KEY_BYTES = 32;

// RFC 7518 section 6.2.1: base64url without padding of the coordinates at their full length.
/** The wire form of 64 bytes x, y; empty coordinates where the key is unknown. */
export const toValidatorKeyJson = (key: Uint8Array | undefined): Schemas['ValidatorKey'] => {
  const bytes = Buffer.from(key ?? []);
  const x = bytes.subarray(0, KEY_BYTES).toString('base64url');
  const y = bytes.subarray(KEY_BYTES).toString('base64url');
  return { kty: 'EC', crv: 'secp256k1', x, y, d: '' };
};
