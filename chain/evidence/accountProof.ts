// The proof of a contract's account in the state after a block, which shows the contract's code.
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { readCodeHash } from '../../ledger/evidence/bundle/accountProof.ts';
import { findProvenValue } from '../../ledger/evidence/trieProof.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import { decodeObject, refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { RPC_CODE, RpcError } from '../jsonRpc/rpcError.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { BlockRef } from '../port.ts';
import { type EvidenceBlock, fetchEvidenceBlock } from './evidenceBlock.ts';

/**
 * Fetches the nodes of the trie from the state root of a block to the account of a contract. Rejects as the request
 * when no node has that state: nodes keep those of their newest blocks alone.
 */
export type FetchAccountNodes = (contract: Hex, block: BlockRef) => Promise<Uint8Array[]>;

const HEX_BYTES = /^0x(?:[0-9a-f]{2})+$/;

const isNode = (node: unknown): node is Hex => typeof node === 'string' && HEX_BYTES.test(node);

/** Whether nodes of a trie prove that the state after a block has an account of this address. */
export const isProvenAccount = (
  { header }: Pick<EvidenceBlock, 'header'>,
  contract: Hex,
  nodes: readonly Uint8Array[],
): boolean => {
  try {
    return findProvenValue(header.stateRoot, keccak256(fromHex(contract)), nodes) !== undefined;
  } catch (error) {
    if (error instanceof UnreadableEvidence) return false;
    throw error;
  }
};

/** Hash of the code that such nodes prove of a contract. @throws UnreadableEvidence when they don't. */
export const findProvenCodeHash = (
  { header }: Pick<EvidenceBlock, 'header'>,
  contract: Hex,
  nodes: readonly Uint8Array[],
): Hex => {
  const account = findProvenValue(header.stateRoot, keccak256(fromHex(contract)), nodes);
  return toHex(readCodeHash(account ?? new Uint8Array(0)));
};

/**
 * Fetches the nodes from one node of the network.
 * @throws RpcError when they don't lead from the state root of the block to the account: a node without that state may
 * prove another one, as development nodes do, and is used for all else.
 */
export const fetchAccountNodes = async (
  client: JsonRpcClient,
  contract: Hex,
  block: BlockRef,
): Promise<Uint8Array[]> => {
  const proven = await fetchEvidenceBlock(client, block);
  const answer = await client.request('eth_getProof', [contract, [], toQuantity(block.number)]);
  const { accountProof } = decodeObject(client, answer, 'a proof of an account');
  if (!Array.isArray(accountProof) || !accountProof.every(isNode)) throw refuseAnswer(client, 'no nodes of a proof');
  const nodes = accountProof.map(fromHex);
  if (!isProvenAccount(proven, contract, nodes))
    throw new RpcError(RPC_CODE.REFUSED, `${client.name} has no proof of ${contract} at block ${block.number}`);
  return nodes;
};
