// Finds the key that is shown for a node: its own, if it is a validator's. Another node's key, such as that of the
// newest block's proposer, is never shown in its place; an unknown key is omitted.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toKeyAddress } from '../../ledger/evidence/sealers.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { readBftSeals } from './consensus/bftSeals.ts';
import { type BlockSeals, findSealer, mayValidate } from './consensus/blockSeals.ts';
import { readCliqueSeal } from './consensus/cliqueSeal.ts';
import { decodeHeader, type ReportedHeader } from './consensus/reportedHeader.ts';
import { toAddress, toNodeKey, toSigners } from './decodeNodeAnswers.ts';

/** Sends a request; undefined when the node doesn't answer in time. */
export type NodeQuery = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** The node's answers, not decoded. */
export interface KeyAnswers {
  readonly head: unknown;
  readonly genesis: unknown;
  readonly nodeInfo: unknown;
  readonly coinbase: unknown;
  readonly signers: unknown;
}

/** Blocks to read, the newest included: most validators have sealed one of so many. */
const BLOCKS_MAX = 16;
/** Blocks before the newest to read when the number of validators is unknown. */
const BLOCKS_BEFORE_UNKNOWN = 8;

type ReadSeals = (header: ReportedHeader | undefined) => BlockSeals | undefined;

/** The signers of a clique chain; undefined for another chain. */
export const readSigners = (answers: Pick<KeyAnswers, 'head' | 'genesis' | 'signers'>): readonly Hex[] | undefined => {
  const head = decodeHeader(answers.head);
  const genesis = decodeHeader(answers.genesis);
  if (head === undefined || genesis === undefined || readBftSeals(head) !== undefined) return undefined;
  return readCliqueSeal(head, genesis, toSigners(answers.signers))?.validators;
};

const createReader =
  (genesis: ReportedHeader | undefined, signers: readonly Hex[]): ReadSeals =>
  (header) =>
    header && (readBftSeals(header) ?? (genesis && readCliqueSeal(header, genesis, signers)));

const fetchBlocksBefore = (query: NodeQuery, head: ReportedHeader, { validators }: BlockSeals): Promise<unknown[]> => {
  const wanted = validators.length === 0 ? BLOCKS_BEFORE_UNKNOWN : Math.min(validators.length, BLOCKS_MAX) - 1;
  const newest = BigInt(head.number);
  const numbers = Array.from({ length: wanted }, (_, at) => newest - 1n - BigInt(at)).filter((number) => number > 0n);
  return Promise.all(numbers.map((number) => query('eth_getBlockByNumber', [toQuantity(number), false])));
};

// A block has the seals of a quorum only, in clique of one signer; so earlier blocks are looked at as well.
const fetchSealer = async (
  query: NodeQuery,
  head: ReportedHeader,
  newest: BlockSeals,
  { address, genesis }: { address: Hex; genesis: ReportedHeader | undefined },
): Promise<Uint8Array | undefined> => {
  const found = findSealer([newest], address);
  if (found !== undefined) return found;
  const readSeals = createReader(genesis, newest.validators);
  const blocks = await fetchBlocksBefore(query, head, newest);
  const before = blocks.map((block) => readSeals(decodeHeader(block)));
  return findSealer(
    before.filter((block) => block !== undefined),
    address,
  );
};

const findSoleValidator = (newest: BlockSeals): Uint8Array | undefined => {
  const { validators, isListCurrent } = newest;
  return isListCurrent && validators.length === 1 ? findSealer([newest], validators[0]!) : undefined;
};

/**
 * The key of the node's validator, 64 bytes x, y; undefined when it has none or doesn't reveal it. In this order: the
 * node's own key, unless the chain names validators without it; the key that made a seal and has the node's own address
 * (`eth_coinbase`); and for a node that doesn't report its key, the key of the only validator.
 */
export const fetchValidatorKey = async (query: NodeQuery, answers: KeyAnswers): Promise<Uint8Array | undefined> => {
  const ownKey = toNodeKey(answers.nodeInfo);
  const head = decodeHeader(answers.head);
  const genesis = decodeHeader(answers.genesis);
  const newest = createReader(genesis, toSigners(answers.signers))(head);
  if (head === undefined || newest === undefined) return ownKey;
  if (ownKey !== undefined && mayValidate(newest, toKeyAddress(ownKey))) return ownKey;
  const address = toAddress(answers.coinbase);
  const sealer =
    address && mayValidate(newest, address) ? await fetchSealer(query, head, newest, { address, genesis }) : undefined;
  return sealer ?? (ownKey === undefined ? findSoleValidator(newest) : undefined);
};
