// Reads the complete history of one stream from a node's logs and compares it with the contract: the digests of the
// logs' payloads must lead to the head that the contract stores, so a list with a record removed, added, changed or
// moved is rejected.
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { callView } from '../callView.ts';
import type { RpcRequest } from '../jsonRpc/rpcRequest.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { RecordLog } from '../port.ts';
import { decodeRecordLog, RECORD_APPENDED_TOPIC, type RpcLog } from '../recordLog.ts';

/** Identifies a stream on its contract. */
export interface StreamName {
  readonly contract: Hex;
  readonly tenantKey: Hex;
  readonly streamKey: Hex;
}

/** A record of a history; its index in the list is its position in the stream. */
export type HistoryEntry = Pick<RecordLog, 'streamKey' | 'recordKey' | 'payload'>;

// Nodes limit a query by its blocks or by the size of its answer; the smaller pages are for the latter.
const PAGES_BLOCKS = [10_000, 1_000, 100, 10, 1] as const;

const fetchLogs = async (request: RpcRequest, name: StreamName, from: number, to: number): Promise<RpcLog[]> => {
  const topics = [RECORD_APPENDED_TOPIC, name.tenantKey, name.streamKey];
  const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  return (await request('eth_getLogs', [{ address: name.contract, topics, ...range }])) as RpcLog[];
};

const fetchAllLogs = async (request: RpcRequest, name: StreamName, newest: number): Promise<RpcLog[]> => {
  const found: RpcLog[] = [];
  let size = 0;
  for (let from = 0; from <= newest; ) {
    const to = Math.min(from + PAGES_BLOCKS[size]! - 1, newest);
    try {
      found.push(...(await fetchLogs(request, name, from, to)));
      from = to + 1;
    } catch (error) {
      size += 1;
      if (size === PAGES_BLOCKS.length) throw error;
    }
  }
  return found;
};

const toHead = (separator: Uint8Array, name: StreamName, logs: readonly RecordLog[]): Hex => {
  const tenantKey = fromHex(name.tenantKey);
  const streamKey = fromHex(name.streamKey);
  const digests = logs.map(({ recordKey, author, payload }) =>
    toRecordDigest(separator, {
      tenantKey,
      streamKey,
      recordKey: fromHex(recordKey),
      author: fromHex(author),
      payload,
    }),
  );
  return toHex(digests.reduce(advanceHead, EMPTY_HEAD));
};

const fetchHead = async (request: RpcRequest, name: StreamName, block: number): Promise<Hex> => {
  const args = [name.tenantKey, name.streamKey];
  const [head] = await callView(request, name.contract, { name: 'streamOf', args, block: toQuantity(block) });
  return head as Hex;
};

/**
 * Every record of the stream at the node's newest block, in order.
 * @throws LedgerError CHAIN_UNAVAILABLE when the node doesn't answer, CHAIN_CORRUPT when its logs don't lead to the
 * head that the contract stores.
 */
export const fetchStreamHistory = async (request: RpcRequest, name: StreamName): Promise<HistoryEntry[]> => {
  const newest = Number(await request('eth_blockNumber', []));
  // At once: nodes keep the state of the newest blocks alone.
  const storedHead = await fetchHead(request, name, newest);
  const chainId = Number(await request('eth_chainId', []));
  const separator = toDomainSeparator({ chainId, contract: fromHex(name.contract) });
  const logs = (await fetchAllLogs(request, name, newest)).map((log) => decodeRecordLog(log, 0));
  if (toHead(separator, name, logs) !== storedHead) {
    const message = "the node's logs of this asset do not lead to the head that the contract stores";
    throw new LedgerError('CHAIN_CORRUPT', { message });
  }
  return logs.map(({ recordKey, payload }) => ({ streamKey: name.streamKey, recordKey, payload }));
};
