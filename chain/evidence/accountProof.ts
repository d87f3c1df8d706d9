// The proof of the contract's account in the state after a block, which shows the contract's code.
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import type { BlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { findProvenValue } from '../../ledger/evidence/trieProof.ts';
import type { RpcRequest } from '../jsonRpc/rpcRequest.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';

const HEX_BYTES = /^0x(?:[0-9a-f]{2})+$/;

const isNode = (node: unknown): node is Hex => typeof node === 'string' && HEX_BYTES.test(node);

/**
 * Fetches the nodes of the trie from the state root to the account of a contract. Nodes keep the states of their newest
 * blocks alone.
 * @throws Error when the answer isn't a list of nodes that proves it; as `request` when the node refuses.
 */
export const fetchAccountNodes = async (
  request: RpcRequest,
  contract: Hex,
  { number, header }: { readonly number: number; readonly header: Pick<BlockHeader, 'stateRoot'> },
): Promise<Uint8Array[]> => {
  const answer = await request('eth_getProof', [contract, [], toQuantity(number)]);
  const { accountProof } = (answer ?? {}) as { accountProof?: unknown };
  if (!Array.isArray(accountProof) || !accountProof.every(isNode)) throw new Error('the node answers no proof');
  const nodes = accountProof.map(fromHex);
  if (findProvenValue(header.stateRoot, keccak256(fromHex(contract)), nodes) === undefined)
    throw new Error(`the node's proof doesn't lead to the state of block ${number}`);
  return nodes;
};
