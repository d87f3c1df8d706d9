// What distinguishes the ledger's chain from others: its id, its first block, and its checkpoint. A node with anything
// else belongs to another chain, whatever its URL.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { fetchBlock } from '../jsonRpc/chainQueries.ts';
import { decodeBytes, decodeNumber, refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import type { BlockRef } from '../port.ts';
import { fetchHashedHeader } from './decodeHeader.ts';

/** Identifies a chain. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly genesisHash: Hex;
}

/** The ledger contract, and a final block at or after its deployment. */
export interface ChainCheckpoint {
  readonly contract: Hex;
  readonly block: BlockRef;
}

type Difference = 'CHAIN_MISMATCH' | 'CHAIN_REPLACED';

const mismatch = ({ name }: JsonRpcClient, problem: string, code: Difference = 'CHAIN_MISMATCH'): LedgerError =>
  new LedgerError(code, { message: `${name} does not have the ledger's chain: ${problem}` });

/** Whether a node has another chain, or another block than one that was final. */
export const isOtherChain = ({ code }: LedgerError): boolean => code === 'CHAIN_MISMATCH' || code === 'CHAIN_REPLACED';

/** Chain id and genesis hash of the node's chain. */
export const fetchIdentity = async (client: JsonRpcClient): Promise<ChainIdentity> => {
  const [id, genesis] = await Promise.all([client.request('eth_chainId', []), fetchBlock(client, 0)]);
  if (genesis === undefined) throw refuseAnswer(client, 'no block 0');
  return { chainId: decodeNumber(client, id, 'the chain id'), genesisHash: genesis.hash };
};

/** @throws LedgerError CHAIN_MISMATCH that names the node. */
export const assertIdentity = (client: JsonRpcClient, found: ChainIdentity, known: ChainIdentity): void => {
  if (found.chainId !== known.chainId) {
    throw mismatch(client, `its chain id is ${found.chainId}, not ${known.chainId}`);
  }
  if (found.genesisHash !== known.genesisHash) {
    throw mismatch(client, `its block 0 is ${found.genesisHash}, not ${known.genesisHash}`);
  }
};

/** What a node must have a block for. */
interface RequiredBlock extends BlockRef {
  /** Ends the message. */
  readonly why: string;
  /** Of the refusal of a node that has another block. */
  readonly code?: Difference;
}

/**
 * The node must have the block. If it has none of this number, `onMissing` runs first and may throw a more precise
 * error.
 * @throws LedgerError with the code of `block` when it has another one in its place, CHAIN_UNAVAILABLE when it has
 * none.
 */
const assertBlock = async (
  client: JsonRpcClient,
  block: RequiredBlock,
  onMissing: () => Promise<void> = async () => undefined,
): Promise<void> => {
  const found = await fetchHashedHeader(client, block.number);
  if (found === undefined) {
    await onMissing();
    const message = `${client.name} has no block ${block.number}, ${block.why}: it is behind, or was reset`;
    throw new LedgerError('CHAIN_UNAVAILABLE', { message });
  }
  if (found.hash !== block.hash) {
    throw mismatch(client, `its block ${block.number} is ${found.hash}, not ${block.hash}, ${block.why}`, block.code);
  }
};

/**
 * The node must have a block that was final.
 * @throws LedgerError CHAIN_REPLACED when it has another one in its place, CHAIN_UNAVAILABLE when it has none.
 */
export const assertFinalBlock = (
  client: JsonRpcClient,
  block: BlockRef,
  onMissing: () => Promise<void>,
): Promise<void> => assertBlock(client, { ...block, why: 'which was final', code: 'CHAIN_REPLACED' }, onMissing);

/**
 * The node must have the contract and the block of the checkpoint.
 * @throws LedgerError CHAIN_MISMATCH when it hasn't.
 */
export const assertCheckpoint = async (client: JsonRpcClient, { contract, block }: ChainCheckpoint): Promise<void> => {
  const code = decodeBytes(client, await client.request('eth_getCode', [contract, 'latest']), 'code');
  // A node that has lost its newest blocks looks the same until it has caught up.
  if (code === '0x') throw mismatch(client, `it has no contract at ${contract}: it was reset, or hasn't caught up yet`);
  await assertBlock(client, { ...block, why: 'after which the ledger was deployed' });
};
