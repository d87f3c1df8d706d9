// Clique (EIP-225): a block's extra data ends with the signer's 65-byte seal over the hash of the header without that
// seal. Other chains have headers of the same shape and sign something else, so a recovered key counts only if the
// chain names it.
import { type Hex, toHex } from '../encoding/hex.ts';
import { type BlockHeader, hashHeader } from './blockHeader.ts';
import type { HeaderSeals } from './sealers.ts';

const VANITY_BYTES = 32;
const SEAL_BYTES = 65;
const ADDRESS_BYTES = 20;

/**
 * Addresses between vanity and seal, in the genesis block and the first block of each epoch. Undefined for another
 * shape.
 */
export const readCliqueSigners = ({ extraData }: BlockHeader): Hex[] | undefined => {
  const bytes = extraData.length - VANITY_BYTES - SEAL_BYTES;
  if (bytes < 0 || bytes % ADDRESS_BYTES !== 0) return undefined;
  const toStart = (at: number): number => VANITY_BYTES + at * ADDRESS_BYTES;
  return Array.from({ length: bytes / ADDRESS_BYTES }, (_, at) =>
    toHex(extraData.subarray(toStart(at), toStart(at + 1))),
  );
};

const isClique = ({ difficulty, mixHash }: BlockHeader): boolean =>
  difficulty.length === 1 && difficulty[0]! <= 2 && mixHash.every((byte) => byte === 0);

/**
 * The seal of a clique header, and the signers that it names itself: none, unless it begins an epoch. Undefined for a
 * header of another kind of chain.
 */
export const readCliqueHeaderSeal = (header: BlockHeader): HeaderSeals | undefined => {
  const validators = readCliqueSigners(header);
  if (validators === undefined || !isClique(header)) return undefined;
  const { extraData } = header;
  const digest = hashHeader(header, extraData.subarray(0, -SEAL_BYTES));
  return { validators, digest, seals: [extraData.subarray(-SEAL_BYTES)] };
};
