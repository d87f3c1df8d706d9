// Bounds reads of the state. The node keeps the states of the newest blocks alone, which is most of what a block costs
// in memory. An older one it computes from all blocks since the genesis, and a proof reads the complete storage of its
// account: both would occupy the chain's one thread for as long as the ledger is large.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { RPC_CODE, RpcError, refuseParams } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import { decodeObjectParam, decodeQuantityParam } from './publicParams.ts';

/** States that the node keeps in memory. The host sets it before the chain is opened. */
export const CACHED_STATES = 128;
/**
 * How many blocks before the newest one a state may be. Less than half of `CACHED_STATES`: the node evicts the state
 * that was read least recently, so a client that reads the oldest ones evicts others as if as many blocks were newer.
 */
export const STATE_AGE_MAX = 60;
/**
 * Gas that all transactions may have used when the storage of a contract is proven: that of about 20,000 records of
 * 600 bytes, whose proof takes 60 to 100 ms (docs/measurements/performance.md).
 */
export const PROOF_GAS_MAX = 1_000_000_000;

/** `data.reason` of the refusals; part of the interface. */
const REASON = { age: 'STATE_TOO_OLD', proof: 'STORAGE_TOO_LARGE' } as const;

const NEWEST_TAGS = new Set<unknown>([undefined, null, 'latest', 'safe', 'finalized']);
const HASH = /^0x[0-9a-f]{64}$/i;

/** What the bounds depend on. */
export interface StateReads {
  /** Number of the newest block; no other is produced before the read ends. */
  readonly head: number;
  /** Number of the block with this hash; undefined when there is none. */
  fetchNumber(hash: Hex): Promise<number | undefined>;
}

const decodeHash = async (hash: unknown, { fetchNumber }: StateReads): Promise<number> => {
  if (typeof hash !== 'string' || !HASH.test(hash)) throw refuseParams('blockHash is not a hash');
  const number = await fetchNumber(hash as Hex);
  if (number === undefined) throw new RpcError(RPC_CODE.REFUSED, `there is no block ${hash}`);
  return number;
};

// A number, or an object with the number or the hash (EIP-1898).
const decodeBlock = async (value: unknown, reads: StateReads): Promise<number> => {
  if (value === 'earliest') return 0;
  if (typeof value !== 'object') return decodeQuantityParam(value, 'the block');
  const { blockNumber, blockHash } = decodeObjectParam(value, 'the block');
  if ((blockNumber === undefined) === (blockHash === undefined))
    throw refuseParams('the block has either blockNumber or blockHash');
  return blockHash === undefined ? decodeQuantityParam(blockNumber, 'blockNumber') : decodeHash(blockHash, reads);
};

const refuseAge = (number: number, oldest: number): RpcError => {
  const message =
    `the state of block ${number} is not kept: send the request for "latest", or for a block from ${oldest} on, which ` +
    `are the newest and the ${STATE_AGE_MAX} before it. Blocks, transactions, receipts and logs of all blocks are kept`;
  return new RpcError(RPC_CODE.LIMIT_EXCEEDED, message, { reason: REASON.age, oldestBlock: toQuantity(oldest) });
};

/** Whether an embedded chain refused to read the state of a block because the block is too old. */
export const isStateTooOld = (error: unknown): boolean =>
  error instanceof RpcError && (error.data as { reason?: unknown } | undefined)?.reason === REASON.age;

/**
 * The parameter that names the block of a state, as the node decodes it.
 * @throws RpcError LIMIT_EXCEEDED for a block that is more than `STATE_AGE_MAX` before the newest; INVALID_PARAMS for a
 * malformed parameter; REFUSED for a hash that no block has.
 */
export const boundStateBlock = async (value: unknown, reads: StateReads): Promise<string> => {
  if (NEWEST_TAGS.has(value)) return 'latest';
  if (value === 'pending') return value;
  const number = await decodeBlock(value, reads);
  const oldest = Math.max(0, reads.head - STATE_AGE_MAX);
  if (number < oldest) throw refuseAge(number, oldest);
  return toQuantity(number);
};

/** The refusal of a proof about a contract on a chain whose transactions have used `gasUsed` gas. */
export const refuseProof = (gasUsed: number): RpcError => {
  const message =
    `a proof reads the complete storage of a contract, and this chain proves it up to ${PROOF_GAS_MAX} gas: its ` +
    `transactions have used ${gasUsed}. Use eth_call and eth_getStorageAt, or prove an account without code`;
  const data = { reason: REASON.proof, gasMax: PROOF_GAS_MAX };
  return new RpcError(RPC_CODE.LIMIT_EXCEEDED, message, data);
};
