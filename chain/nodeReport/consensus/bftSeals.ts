// Besu's IBFT 2.0 and QBFT: the extra data is RLP of vanity, validators, vote, round and committed seals. Three hashes of one header
// (BftBlockHashing and the two ExtraDataCodecs of Besu): the block's hash leaves out seals and round; what the validators sign leaves
// out the seals only; and "leaves out" is to drop the items in IBFT 2.0, and to write 0 and an empty list in QBFT. Which of the two it
// is, the block's hash tells. The beneficiary tells nothing: a chain may name any. QBFT with certificates (Besu 21.10 to 24.x) has a
// sixth item, which is hashed and signed as it is (PkiQbftExtraDataCodec).
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
  /** The sixth item where there is one. */
  readonly certificates: readonly RlpStructuredData[];
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
  if (!Array.isArray(items) || (items.length !== 5 && items.length !== 6)) return undefined;
  const [vanity, validators, vote, round, seals, ...certificates] = items as RlpStructuredData[];
  const isWhole = isBytes(vanity, 32) && isBytesList(validators, 20) && isBytesList(seals, 65);
  if (!isWhole || typeof round !== 'string' || round.length > 2 + 2 * 4) return undefined;
  return { vanity, validators, vote: vote!, round: round as Hex, seals, certificates };
};

const encode = (items: RlpStructuredData): Hex => encodeRlp(items) as Hex;

/** What the header of a Besu IBFT 2.0 or QBFT chain says; undefined when it is not of such a chain. The genesis block has no seals. */
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
