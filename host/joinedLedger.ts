// A ledger on a network that another installation deployed. Its address is all that is known of it: a contract with
// other code is never used, and no key of its administrator is needed.
import { type Deployment, findFinalContract } from '../chain/administration.ts';
import { findDomainName } from '../chain/contractViews.ts';
import { findProvenCodeHash } from '../chain/evidence/accountProof.ts';
import { ANY_NODE, decodeBytes } from '../chain/jsonRpc/decodeAnswer.ts';
import { toQuantity } from '../chain/jsonRpc/toQuantity.ts';
import type { RpcChain } from '../chain/network/rpcChain.ts';
import { fromHex, type Hex, toHex } from '../ledger/encoding/hex.ts';
import { keccak256 } from '../ledger/encoding/keccak.ts';
import { LedgerError } from '../ledger/errors.ts';
import { DOMAIN_NAME, toLedgerCodeHash } from './files/ledgerCode.ts';

const refuseMissing = ({ chainId }: RpcChain, contract: Hex): LedgerError =>
  new LedgerError('CONTRACT_NOT_FOUND', {
    message:
      `there is no contract at ${contract} on chain ${chainId}; compare LEDGER_CONTRACT, and the chain of ` +
      "CHAIN_RPC_URL, with the line that `npm run deploy` printed for the ledger's founder",
  });

const refusePending = (contract: Hex): LedgerError =>
  new LedgerError('CONTRACT_PENDING', {
    message: `the block with the contract ${contract} is not final yet; start again when it is`,
  });

const findContract = async (chain: RpcChain, contract: Hex): Promise<Deployment> => {
  try {
    return await findFinalContract(chain, contract);
  } catch (error) {
    const code = error instanceof LedgerError ? error.code : undefined;
    if (code === 'CONTRACT_NOT_FOUND') throw refuseMissing(chain, contract);
    if (code === 'CONTRACT_PENDING') throw refusePending(contract);
    throw error;
  }
};

const refuseCode = async ({ request }: RpcChain, contract: Hex, hash: Hex): Promise<LedgerError> => {
  const isLedger = (await findDomainName(request, contract)) === DOMAIN_NAME;
  const what = isLedger ? 'a ledger of another version' : 'no ledger';
  const remedy = isLedger
    ? "run the version of this program that the ledger's founder runs"
    : 'correct LEDGER_CONTRACT';
  const message = `the contract at ${contract} is ${what} (its code has the hash ${hash}); ${remedy}`;
  return new LedgerError('CONTRACT_UNKNOWN', { message });
};

// A proof leads from the hash of a final block to the code. A node that gives a wrong one is used all the same: a
// development node proves the state after its newest block, not the one in its header.
const proveCodeHash = async (chain: RpcChain, contract: Hex, number: number): Promise<Hex> => {
  const hash = await chain.fetchBlockHash(number);
  if (hash === undefined) throw new LedgerError('CHAIN_UNAVAILABLE', { message: `no block ${number}` });
  const answer = await chain.request('eth_getProof', [contract, [], toQuantity(number)]);
  const { accountProof } = answer as { accountProof: Hex[] };
  return findProvenCodeHash(await chain.fetchEvidenceBlock({ number, hash }), contract, accountProof.map(fromHex));
};

// The state of the deployment, and where nodes don't keep it, the newest one. Undefined where no node has a proof.
const findProven = async (chain: RpcChain, { address, deploymentBlock }: Deployment): Promise<Hex | undefined> => {
  const { number: final } = await chain.fetchFinalHead();
  for (const number of [deploymentBlock, final]) {
    const hash = await proveCodeHash(chain, address, number).catch(() => undefined);
    if (hash !== undefined) return hash;
  }
  return undefined;
};

const fetchCodeHash = async (chain: RpcChain, contract: Hex): Promise<Hex> => {
  const code = decodeBytes(ANY_NODE, await chain.request('eth_getCode', [contract, 'latest']), 'code');
  return toHex(keccak256(fromHex(code)));
};

const assertCode = async (
  chain: RpcChain,
  deployment: Deployment,
  onProblem: (message: string) => void,
): Promise<void> => {
  const contract = deployment.address;
  const expected = await toLedgerCodeHash({ chainId: chain.chainId, contract: fromHex(contract) });
  const proven = await findProven(chain, deployment);
  const hash = proven ?? (await fetchCodeHash(chain, contract));
  if (hash !== expected) throw await refuseCode(chain, contract, hash);
  if (proven === undefined) onProblem(`no node proves the code of ${contract}: that it is a ledger is a node's word`);
};

/**
 * Finds the ledger that another installation deployed, once: its contract has, in a final block, the code that this
 * version of the program deploys on this chain at this address.
 * @throws LedgerError CONTRACT_NOT_FOUND, CONTRACT_PENDING or CONTRACT_UNKNOWN, with what to do.
 */
export const findJoinedLedger = async (
  chain: RpcChain,
  contract: Hex,
  onProblem: (message: string) => void,
): Promise<Deployment> => {
  const deployment = await findContract(chain, contract);
  await assertCode(chain, deployment, onProblem);
  return deployment;
};
