// The contract's storage: its layout, and the words that a transaction wrote.
import { AbiCoder, keccak256, toBeHex } from 'ethers';
import hre from 'hardhat';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { LedgerContract } from './ledgerContract.ts';
import { connection } from './ledgerFixture.ts';

const TENANTS_SLOT = 4n;
const STREAMS_OFFSET = 4n;

const slotInMapping = (key: Hex, slot: bigint): bigint =>
  BigInt(keccak256(AbiCoder.defaultAbiCoder().encode(['bytes32', 'uint256'], [key, slot])));

/** Sets a stream's count, with a head of zero, as if that many records had been appended. */
export const forceStreamCount = async (ledger: LedgerContract, tenant: Hex, stream: Hex, count: bigint) => {
  const slot = slotInMapping(stream, slotInMapping(tenant, TENANTS_SLOT) + STREAMS_OFFSET);
  const params = [await ledger.getAddress(), toBeHex(slot), toBeHex(count << 224n, 32)];
  await connection.provider.request({ method: 'hardhat_setStorageAt', params });
};

interface Trace {
  readonly structLogs: readonly { readonly op: string; readonly stack: readonly string[] }[];
}

// The word that an SSTORE writes is on top of the stack.
const fetchWrittenWords = async (hash: string): Promise<(string | undefined)[]> => {
  const options = { disableMemory: true, disableStorage: true };
  const trace = await connection.provider.request({ method: 'debug_traceTransaction', params: [hash, options] });
  return (trace as Trace).structLogs.filter(({ op }) => op === 'SSTORE').map(({ stack }) => stack.at(-1));
};

/**
 * Number of times that the transaction wrote a word of storage. The instrumentation for coverage keeps the optimiser
 * from making one write of the two halves of a word, so that there two writes of one word in a row count as one.
 */
export const countStorageWrites = async (transaction: { hash: string }): Promise<number> => {
  const words = await fetchWrittenWords(transaction.hash);
  const isInstrumented = hre.globalOptions.coverage;
  return words.filter((word, at) => !isInstrumented || word !== words[at - 1]).length;
};
