// Besu's IBFT 2.0 and QBFT: the extra data is RLP of vanity, validators, vote, round and committed seals. A header has
// three hashes (BftBlockHashing and the two ExtraDataCodecs of Besu). The block's hash omits seals and round; the
// validators sign a hash that omits the seals only. IBFT 2.0 omits an item by dropping it, QBFT by writing 0 or an
// empty list. The block's hash shows which of the two engines it is; the beneficiary doesn't, since a chain may name
// any. QBFT with certificates (Besu 21.10 to 24.x) has a sixth item, which is hashed and signed unchanged
// (PkiQbftExtraDataCodec).
import { decodeRlp, encodeRlp, type RlpStructuredData } from 'ethers';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import { type BlockHeader, hashHeader, isHashOf } from './blockHeader.ts';
import type { BlockSeals } from './blockSeals.ts';

interface ExtraData {
  readonly vanity: Hex;
  readonly validators: readonly Hex[];
  readonly vote: RlpStructuredData;
  readonly round: Hex;
  readonly seals: readonly Hex[];
  /** The sixth item, if there is one. */
  readonly certificates: readonly RlpStructuredData[];
}

/** Extra data without seals: as it is hashed, also without the round, and as the validators sign it. */
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
    toHashed: ({ vanity, validators, vote, certificates }) => [
      vanity,
      [...validators],
      vote,
      '0x',
      [],
      ...certificates,
    ],
    toSigned: ({ vanity, validators, vote, round, certificates }) => [
      vanity,
      [...validators],
      vote,
      round,
      [],
      ...certificates,
    ],
  },
];

const tryDecode = (extraData: Hex): unknown => {
  try {
    return decodeRlp(extraData);
  } catch {
    // Extra data may be any bytes; those of these chains are RLP.
    return undefined;
  }
};

const isBytes = (value: unknown, length: number): value is Hex =>
  typeof value === 'string' && value.length === 2 + 2 * length;

const isBytesList = (value: unknown, length: number): value is Hex[] =>
  Array.isArray(value) && value.every((item) => isBytes(item, length));

const decodeExtraData = (extraData: Hex): ExtraData | undefined => {
  const items = tryDecode(extraData);
  if (!Array.isArray(items) || (items.length !== 5 && items.length !== 6)) return undefined;
  const [vanity, validators, vote, round, seals, ...certificates] = items as RlpStructuredData[];
  const isComplete = isBytes(vanity, 32) && isBytesList(validators, 20) && isBytesList(seals, 65);
  if (!isComplete || typeof round !== 'string' || round.length > 2 + 2 * 4) return undefined;
  return { vanity, validators, vote: vote!, round: round as Hex, seals, certificates };
};

const encode = (items: RlpStructuredData): Hex => encodeRlp(items) as Hex;

/**
 * The validators and seals of a Besu IBFT 2.0 or QBFT header; undefined for other chains. The genesis block has no
 * seals.
 */
export const readBftSeals = (head: BlockHeader): BlockSeals | undefined => {
  const extraData = decodeExtraData(head.extraData);
  if (extraData === undefined) return undefined;
  const { validators } = extraData;
  const named = { validators, isListCurrent: true };
  if (head.number === '0x0') {
    return isHashOf(head, head.extraData) ? { ...named, digest: fromHex(head.hash), seals: [] } : undefined;
  }
  const codec = CODECS.find(({ toHashed }) => isHashOf(head, encode(toHashed(extraData))));
  if (codec === undefined) return undefined;
  const digest = hashHeader(head, encode(codec.toSigned(extraData)));
  return { ...named, digest, seals: extraData.seals.map((seal) => fromHex(seal)) };
};
