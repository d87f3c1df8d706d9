// Besu's IBFT 2.0 and QBFT: the extra data is RLP of vanity, validators, vote, round and committed seals. Three hashes of one header
// (BftBlockHashing and the two ExtraDataCodecs of Besu): the block's hash leaves out seals and round; what the validators sign leaves
// out the seals only; and "leaves out" is to drop the items in IBFT 2.0, and to write 0 and an empty list in QBFT. Which of the two it
// is, the block's hash tells. The proposer is the header's beneficiary, so its key is the one with that address.
import { decodeRlp, encodeRlp, type RlpStructuredData } from 'ethers';
import { fromHex, type Hex } from '../../ledger/hex.ts';
import { type BlockHeader, hashHeader, isHashOf } from './blockHeader.ts';
import { recoverPublicKey, toKeyAddress } from './publicKey.ts';
import type { SealedKey } from './sealedKey.ts';

interface ExtraData {
  readonly vanity: Hex;
  readonly validators: readonly Hex[];
  readonly vote: RlpStructuredData;
  readonly round: Hex;
  readonly seals: readonly Hex[];
}

/** Extra data without seals: as the block's hash has it, without the round too, and as the validators sign it. */
interface Codec {
  toHashed(extraData: ExtraData): RlpStructuredData;
  toSigned(extraData: ExtraData): RlpStructuredData;
}

const CODECS: readonly Codec[] = [
  {
    // IBFT 2.0
    toHashed: ({ vanity, validators, vote }) => [vanity, [...validators], vote],
    toSigned: ({ vanity, validators, vote, round }) => [vanity, [...validators], vote, round],
  },
  {
    // QBFT
    toHashed: ({ vanity, validators, vote }) => [vanity, [...validators], vote, '0x', []],
    toSigned: ({ vanity, validators, vote, round }) => [vanity, [...validators], vote, round, []],
  },
];

const SEALS_MAX = 256;

const tryDecode = (extraData: Hex): unknown => {
  try {
    return decodeRlp(extraData);
  } catch {
    // Extra data may be anything; what isn't RLP is not of these chains.
    return undefined;
  }
};

const isBytes = (value: unknown, length: number): value is Hex =>
  typeof value === 'string' && value.length === 2 + 2 * length;

const isBytesList = (value: unknown, length: number): value is Hex[] =>
  Array.isArray(value) && value.every((item) => isBytes(item, length));

const decodeExtraData = (extraData: Hex): ExtraData | undefined => {
  const items = tryDecode(extraData);
  if (!Array.isArray(items) || items.length !== 5) return undefined;
  const [vanity, validators, vote, round, seals] = items as unknown[];
  const isWhole = isBytes(vanity, 32) && isBytesList(validators, 20) && isBytesList(seals, 65);
  if (!isWhole || typeof round !== 'string' || round.length > 2 + 2 * 4) return undefined;
  return { vanity, validators, vote: vote as RlpStructuredData, round: round as Hex, seals: seals.slice(0, SEALS_MAX) };
};

const encode = (items: RlpStructuredData): Hex => encodeRlp(items) as Hex;

const findProposer = (head: BlockHeader, extraData: ExtraData, codec: Codec): Uint8Array | undefined => {
  const digest = hashHeader(head, encode(codec.toSigned(extraData)));
  const keys = extraData.seals.map((seal) => recoverPublicKey(digest, fromHex(seal)));
  return keys.find((key) => key !== undefined && toKeyAddress(key) === head.miner);
};

/** What the header of a Besu IBFT 2.0 or QBFT chain says; undefined when it is not of such a chain. The genesis block has no seals. */
export const readBftSeals = (head: BlockHeader): SealedKey | undefined => {
  const extraData = decodeExtraData(head.extraData);
  if (extraData === undefined) return undefined;
  const { validators } = extraData;
  if (head.number === '0x0') return isHashOf(head, head.extraData) ? { validators, proposer: undefined } : undefined;
  const codec = CODECS.find(({ toHashed }) => isHashOf(head, encode(toHashed(extraData))));
  return codec && { validators, proposer: findProposer(head, extraData, codec) };
};
