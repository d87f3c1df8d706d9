// `eth_getProof` with storage keys as geth takes them: up to 32 bytes, also of an odd number of digits, as quantities
// are. The engine takes 32 bytes alone.
import type { Hex } from '../../../../ledger/encoding/hex.ts';
import { refuseParams } from '../../../jsonRpc/rpcError.ts';
import { boundState, type PublicChain } from '../publicChain.ts';
import { assertParamCount } from '../publicParams.ts';

const KEYS_MAX = 64;
const BLOCK_AT = 2;
const KEY = /^(?:0x)?([0-9a-f]{0,64})$/i;
const WORD_DIGITS = 64;

interface Proof {
  readonly storageProof: readonly { readonly key: Hex }[];
}

const toDigits = (key: unknown): string => {
  const digits = typeof key === 'string' ? KEY.exec(key)?.[1] : undefined;
  if (digits === undefined) throw refuseParams('a storage key is not hexadecimal, of at most 32 bytes');
  return digits;
};

// Keys of less than 32 bytes come back as quantities.
const toAnswered = (digits: string): string =>
  digits.length > WORD_DIGITS - 2
    ? `0x${digits.toLowerCase().padStart(WORD_DIGITS, '0')}`
    : `0x${BigInt(`0x0${digits}`).toString(16)}`;

const decodeKeys = (keys: unknown): string[] => {
  if (!Array.isArray(keys)) throw refuseParams('the storage keys are not a list');
  if (keys.length > KEYS_MAX) throw refuseParams(`more than ${KEYS_MAX} storage keys`);
  return keys.map(toDigits);
};

/** @throws RpcError INVALID_PARAMS for malformed storage keys, and for too many. */
export const assertProofParams = (params: readonly unknown[]): void => {
  assertParamCount(params, BLOCK_AT + 1);
  decodeKeys(params[1]);
};

/** Answers `eth_getProof` with JSON text, for parameters that were asserted. To be called within `read`. */
export const fetchProof = async (chain: PublicChain, params: readonly unknown[]): Promise<string> => {
  const keys = decodeKeys(params[1]);
  const words = keys.map((digits) => `0x${digits.padStart(WORD_DIGITS, '0')}`);
  const bounded = await boundState(chain, params.with(1, words), BLOCK_AT);
  const text = await chain.request('eth_getProof', bounded);
  if (keys.length === 0) return text;
  const proof = JSON.parse(text) as Proof;
  const storageProof = proof.storageProof.map((entry, at) => ({ ...entry, key: toAnswered(keys[at]!) }));
  return JSON.stringify({ ...proof, storageProof });
};
