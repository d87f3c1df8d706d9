// The code of the contract, by its account in the state after a block: that what logged is the contract that the caller
// knows.
import { type Hex, toHex } from '../../encoding/hex.ts';
import { keccak256 } from '../../encoding/keccak.ts';
import { decodeRlp, isRlpBytes, isRlpList, isRlpNumber } from '../rlp.ts';
import { findProvenValue } from '../trieProof.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import type { Bundle } from './bundle.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';
import type { HashedBlock } from './provenParts.ts';

const HASH_BYTES = 32;
const NUMBER_BYTES = 32;
/** Nonce, balance, root of the storage, hash of the code. */
const ACCOUNT_ITEMS = 4;

/** The code's hash, of an account as the trie has it. @throws UnreadableEvidence when the bytes are no account. */
export const readCodeHash = (account: Uint8Array): Uint8Array => {
  const items = decodeRlp(account);
  assertReadable(isRlpList(items) && items.length === ACCOUNT_ITEMS, 'not an account');
  const [nonce, balance, storageRoot, codeHash] = items;
  const isNumbers = [nonce, balance].every((item) => isRlpBytes(item) && isRlpNumber(item, NUMBER_BYTES));
  const isHashes = isRlpBytes(storageRoot, HASH_BYTES) && isRlpBytes(codeHash, HASH_BYTES);
  assertReadable(isNumbers && isHashes, 'not an account');
  return codeHash;
};

/** The code that a caller knows. */
export interface KnownCode {
  /** Hash that the caller named: another one is refuted. */
  readonly namedHash: Hex | undefined;
  /** Hash of the code that the verifier's own build would have: another one proves nothing. */
  readonly builtHash: Hex | undefined;
}

/**
 * Whether the contract has the code that the caller knows; nothing without a proof of its account.
 * @throws Refuted when the account isn't there, or has other code than the caller named.
 */
export const checkCode = (
  { account, ledger }: Bundle,
  blocks: readonly HashedBlock[],
  { namedHash, builtHash }: KnownCode,
): EvidenceFinding[] => {
  if (account === undefined) return [];
  const { header, number } = blocks[account.block]!;
  const found = findProvenValue(header.stateRoot, keccak256(ledger.contract), account.nodes);
  assertProved(found !== undefined, 'code', `block ${number} has no such account of the contract`);
  const hash = toHex(readCodeHash(found));
  const isOther = namedHash !== undefined && namedHash !== hash;
  assertProved(!isOther, 'code', `the contract has other code at block ${number}, of hash ${hash}`);
  if (namedHash === hash) return [toProved('code', `the contract has the code that you named at block ${number}`)];
  return builtHash === hash ? [toProved('code', `the contract has the code of this build at block ${number}`)] : [];
};
