// The contract's view function `recordOf`, in the encoding of the Solidity ABI.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import type { StoredRecord } from '../../ledger/evidence/bundle/storedRecord.ts';
import type { RequestRpc } from './jsonRpc.ts';

const SELECTOR = toHex(keccak256(new TextEncoder().encode('recordOf(bytes32,bytes32)')).subarray(0, 4));
/** Two words of 32 bytes: the hash at the beginning of the first one, the sequence at the end of the second. */
const RESULT = /^0x([0-9a-f]{56})0{8}([0-9a-f]{64})$/i;

/** What the contract stores of a record, by the keys of its tenant and its identity. */
export const fetchStored = async (
  request: RequestRpc,
  contract: Hex,
  { tenantKey, recordKey }: { tenantKey: Uint8Array; recordKey: Uint8Array },
): Promise<StoredRecord> => {
  const data = `${SELECTOR}${toHex(tenantKey).slice(2)}${toHex(recordKey).slice(2)}`;
  const result = await request('eth_call', [{ to: contract, data }, 'latest']);
  const [, hash, sequence] = RESULT.exec(String(result)) ?? [];
  if (hash === undefined) throw new Error(`There is no ledger contract at ${contract} on this chain.`);
  return { hash: `0x${hash}`, sequence: Number(`0x${sequence}`) };
};
