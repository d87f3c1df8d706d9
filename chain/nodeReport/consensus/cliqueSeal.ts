// Clique (EIP-225): a block's extra data ends with the signer's 65-byte seal over the hash of the header without that
// seal. Other chains have headers of the same shape and sign something else, so a recovered key counts only if the
// chain names it.
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import { type BlockHeader, hashHeader, isHashOf } from './blockHeader.ts';
import type { BlockSeals } from './blockSeals.ts';

const VANITY_DIGITS = 2 * 32;
const SEAL_DIGITS = 2 * 65;
const ADDRESS_DIGITS = 2 * 20;
const ZERO_HASH = `0x${'0'.repeat(64)}`;

/**
 * Addresses between vanity and seal, in the genesis block and the first block of each epoch. Undefined for another
 * shape.
 */
const decodeSigners = ({ extraData }: BlockHeader): Hex[] | undefined => {
  const list = extraData.slice(2 + VANITY_DIGITS, -SEAL_DIGITS);
  const isShape = extraData.length >= 2 + VANITY_DIGITS + SEAL_DIGITS && list.length % ADDRESS_DIGITS === 0;
  if (!isShape) return undefined;
  return (list.match(/.{40}/g) ?? []).map((digits): Hex => `0x${digits}`);
};

const isClique = ({ difficulty, mixHash }: BlockHeader): boolean =>
  (difficulty === '0x1' || difficulty === '0x2') && mixHash === ZERO_HASH;

/**
 * The signers and the seal of a clique header; undefined for other chains. `signers` are the addresses that the node
 * itself names (`clique_getSigners`). Without them, the signers are those of the header if it begins an epoch, else
 * those of the genesis block.
 */
export const readCliqueSeal = (
  head: BlockHeader,
  genesis: BlockHeader,
  signers: readonly Hex[],
): BlockSeals | undefined => {
  const first = decodeSigners(genesis);
  const own = decodeSigners(head);
  if (first === undefined || own === undefined || !isClique(head) || !isHashOf(head, head.extraData)) return undefined;
  const current = signers.length > 0 ? signers : own;
  const isListCurrent = current.length > 0;
  const digest = hashHeader(head, head.extraData.slice(0, -SEAL_DIGITS) as Hex);
  const seals = [fromHex(`0x${head.extraData.slice(-SEAL_DIGITS)}`)];
  return { validators: isListCurrent ? current : first, isListCurrent, digest, seals };
};
