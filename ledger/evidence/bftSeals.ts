// Besu's IBFT 2.0 and QBFT: the extra data is RLP of vanity, validators, vote, round and committed seals. A header has
// three hashes (BftBlockHashing and the two ExtraDataCodecs of Besu). The block's hash omits seals and round; the
// validators sign a hash that omits the seals only. IBFT 2.0 omits an item by dropping it, QBFT by writing 0 or an
// empty list. QBFT with certificates (Besu 21.10 to 24.x) has a sixth item, which is hashed and signed unchanged
// (PkiQbftExtraDataCodec).
import { toHex } from '../encoding/hex.ts';
import { type BlockHeader, hashHeader } from './blockHeader.ts';
import { decodeRlp, encodeRlp, isRlpBytes, isRlpList, type RlpItem } from './rlp.ts';
import type { HeaderSeals } from './sealers.ts';
import { UnreadableEvidence } from './unreadableEvidence.ts';

/** How a chain of Besu hashes its blocks. */
export type BftRule = 'qbft' | 'ibft2';

/** How many of so many validators must seal a block. */
export const toBftQuorum = (validators: number): number => Math.ceil((2 * validators) / 3);

const VANITY_BYTES = 32;
const ADDRESS_BYTES = 20;
const SEAL_BYTES = 65;
const ROUND_BYTES_MAX = 4;
const NONE = new Uint8Array();

interface ExtraData {
  readonly vanity: Uint8Array;
  readonly validators: readonly Uint8Array[];
  readonly vote: RlpItem;
  readonly round: Uint8Array;
  readonly seals: readonly Uint8Array[];
  /** The sixth item, if there is one. */
  readonly certificates: readonly RlpItem[];
}

/** Extra data without seals: as it is hashed, also without the round, and as the validators sign it. */
interface Codec {
  toHashed(extraData: ExtraData): RlpItem;
  toSigned(extraData: ExtraData): RlpItem;
}

const CODECS: Readonly<Record<BftRule, Codec>> = {
  ibft2: {
    toHashed: ({ vanity, validators, vote }) => [vanity, validators, vote],
    toSigned: ({ vanity, validators, vote, round }) => [vanity, validators, vote, round],
  },
  qbft: {
    toHashed: ({ vanity, validators, vote, certificates }) => [vanity, validators, vote, NONE, [], ...certificates],
    toSigned: ({ vanity, validators, vote, round, certificates }) => [
      vanity,
      validators,
      vote,
      round,
      [],
      ...certificates,
    ],
  },
};

const tryDecode = (extraData: Uint8Array): RlpItem | undefined => {
  try {
    return decodeRlp(extraData);
  } catch (error) {
    // Extra data may be any bytes; those of these chains are RLP.
    if (error instanceof UnreadableEvidence) return undefined;
    throw error;
  }
};

/** Numbers of items of the extra data: IBFT 2.0 never had certificates. */
const ITEMS: Readonly<Record<BftRule, readonly number[]>> = { ibft2: [5], qbft: [5, 6] };

const isBytesList = (item: RlpItem | undefined, length: number): item is readonly Uint8Array[] =>
  isRlpList(item) && item.every((inner) => isRlpBytes(inner, length));

const decodeExtraData = (bytes: Uint8Array, rule: BftRule): ExtraData | undefined => {
  const items = tryDecode(bytes);
  if (!isRlpList(items) || !ITEMS[rule].includes(items.length)) return undefined;
  const [vanity, validators, vote, round, seals, ...certificates] = items;
  const isNamed = isRlpBytes(vanity, VANITY_BYTES) && isBytesList(validators, ADDRESS_BYTES);
  if (!isNamed || !isRlpBytes(round) || round.length > ROUND_BYTES_MAX) return undefined;
  return isBytesList(seals, SEAL_BYTES) ? { vanity, validators, vote: vote!, round, seals, certificates } : undefined;
};

const isGenesis = ({ number }: BlockHeader): boolean => number.length === 0;

/** The hash of a block by one of these rules; undefined for a header of another kind of chain. */
export const hashBftBlock = (header: BlockHeader, rule: BftRule): Uint8Array | undefined => {
  const extraData = decodeExtraData(header.extraData, rule);
  if (extraData === undefined) return undefined;
  return isGenesis(header) ? hashHeader(header) : hashHeader(header, encodeRlp(CODECS[rule].toHashed(extraData)));
};

/** The round in which a block was made, the first one being 0; undefined for a header of another kind of chain. */
export const readBftRound = (header: BlockHeader, rule: BftRule): number | undefined => {
  const round = decodeExtraData(header.extraData, rule)?.round;
  return round?.reduce((number, byte) => number * 256 + byte, 0);
};

/**
 * The validators and seals of a header by one of these rules; undefined for a header of another kind of chain. The
 * genesis block has no seals. Doesn't check the block's hash.
 */
export const readBftHeaderSeals = (header: BlockHeader, rule: BftRule): HeaderSeals | undefined => {
  const extraData = decodeExtraData(header.extraData, rule);
  if (extraData === undefined) return undefined;
  const validators = extraData.validators.map(toHex);
  if (isGenesis(header)) return { validators, digest: hashHeader(header), seals: [] };
  const digest = hashHeader(header, encodeRlp(CODECS[rule].toSigned(extraData)));
  return { validators, digest, seals: extraData.seals };
};
