// What a contract says of itself, by functions that its standards name: who owns it (ERC-173), and in which domain its
// authors sign (ERC-5267).
import { Interface } from 'ethers';
import type { Hex } from '../ledger/encoding/hex.ts';
import { callFunction } from './callView.ts';
import type { RpcRequest } from './jsonRpc/rpcRequest.ts';

const STANDARDS = new Interface([
  'function owner() view returns (address)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
]);

/**
 * Lower-case address of the ledger's administrator. Rejects as `request` does, and with CHAIN_UNAVAILABLE when the
 * answer is no address.
 */
export const fetchOwner = async (request: RpcRequest, contract: Hex): Promise<Hex> => {
  const [owner] = await callFunction(request, contract, STANDARDS, { name: 'owner' });
  return String(owner).toLowerCase() as Hex;
};

/** Name of the domain in which a contract's authors sign; undefined when the contract names none. */
export const findDomainName = async (request: RpcRequest, contract: Hex): Promise<string | undefined> => {
  try {
    const { name } = await callFunction(request, contract, STANDARDS, { name: 'eip712Domain' });
    return String(name);
  } catch {
    return undefined;
  }
};
