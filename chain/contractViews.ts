// What a contract says of itself, by functions that its standards name: who owns it (ERC-173), and in which domain its
// authors sign (ERC-5267).
import { Interface } from 'ethers';
import type { Hex } from '../ledger/encoding/hex.ts';
import type { RpcRequest } from './jsonRpc/rpcRequest.ts';

const STANDARDS = new Interface([
  'function owner() view returns (address)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
]);

const call = async (request: RpcRequest, contract: Hex, name: string): Promise<Hex> =>
  (await request('eth_call', [{ to: contract, data: STANDARDS.encodeFunctionData(name) }, 'latest'])) as Hex;

/** Lower-case address of the ledger's administrator. Rejects as `request` does. */
export const fetchOwner = async (request: RpcRequest, contract: Hex): Promise<Hex> => {
  const [owner] = STANDARDS.decodeFunctionResult('owner', await call(request, contract, 'owner'));
  return String(owner).toLowerCase() as Hex;
};

/** Name of the domain in which a contract's authors sign; undefined when the contract names none. */
export const findDomainName = async (request: RpcRequest, contract: Hex): Promise<string | undefined> => {
  try {
    const [, name] = STANDARDS.decodeFunctionResult('eip712Domain', await call(request, contract, 'eip712Domain'));
    return String(name);
  } catch {
    return undefined;
  }
};
