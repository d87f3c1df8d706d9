// Block headers as nodes answer with them. A block's hash is computed from its header, by the rule of the chain.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { type HashRule, toBlockHash } from '../../ledger/evidence/blockHash.ts';
import type { BlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { decodeHash, decodeNumber, decodeObject, decodeSeconds } from '../jsonRpc/decodeAnswer.ts';
import { FalseAnswer, InvalidAnswer } from '../jsonRpc/falseAnswer.ts';
import { readHeader } from '../jsonRpc/headerFields.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { BlockRef } from '../port.ts';

/** A block whose fields have its hash. */
export interface HashedHeader extends BlockRef {
  readonly parentHash: Hex;
  readonly timestampSeconds: number;
  readonly header: BlockHeader;
  readonly rule: HashRule;
}

// Clique hashes its blocks as Ethereum does.
const RULES: readonly HashRule[] = ['ethereum', 'qbft', 'ibft2'];
/** Every rule hashes block 0 as Ethereum does. */
const GENESIS_RULES: readonly HashRule[] = ['ethereum'];

/**
 * Decodes a block and computes its hash by one of these rules; without any, by the one that fits.
 * Without a number it may be any block.
 * @throws FalseAnswer when its fields have another hash than it claims, or it isn't the block of this number.
 */
export const decodeHashedHeader = (
  client: JsonRpcClient,
  answer: unknown,
  number: number | undefined,
  rule: HashRule | undefined,
): HashedHeader => {
  const block = decodeObject(client, answer, 'a block');
  const claimed = decodeHash(client, block.hash, "a block's hash");
  const header = readHeader(block);
  if (typeof header === 'string') throw new InvalidAnswer(client, header);
  const found = decodeNumber(client, block.number, "a block's number");
  if (number !== undefined && found !== number)
    throw new FalseAnswer(client, `block ${found} in the place of block ${number}`);
  const rules = found === 0 ? GENESIS_RULES : rule === undefined ? RULES : [rule];
  const fitting = rules.find((one) => {
    const hash = toBlockHash(header, one);
    return hash !== undefined && toHex(hash) === claimed;
  });
  if (fitting === undefined) throw new FalseAnswer(client, `the header of block ${found} has another hash`);
  return {
    number: found,
    hash: claimed,
    parentHash: toHex(header.parentHash),
    timestampSeconds: decodeSeconds(client, block.timestamp, "a block's timestamp"),
    header,
    rule: fitting,
  };
};

/**
 * A block by number or tag, with the hash that its fields have; undefined when the node doesn't have it.
 * @throws FalseAnswer as `decodeHashedHeader`.
 */
export const fetchHashedHeader = async (
  client: JsonRpcClient,
  block: number | 'latest' | 'finalized',
): Promise<HashedHeader | undefined> => {
  const number = typeof block === 'number' ? block : undefined;
  const tag = typeof block === 'number' ? toQuantity(block) : block;
  const answer = await client.request('eth_getBlockByNumber', [tag, false]);
  return answer === null ? undefined : decodeHashedHeader(client, answer, number, undefined);
};
