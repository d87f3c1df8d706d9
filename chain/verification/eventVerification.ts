// Verifies one event as a third party: queries only the contract, never the server that returned the event.

import { isDeepStrictEqual } from 'node:util';
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import { toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { COMMITTED_FIELDS, isAttach } from '../../ledger/records/event.ts';
import { decodeKeyedPayload } from '../../ledger/records/record.ts';
import { COMMITMENT_FIELDS, type EventClaim, foldAttachments, parseEventClaim } from '../../ledger/verification.ts';
import { callView } from '../callView.ts';
import type { RpcRequest } from '../jsonRpc/rpcRequest.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../ledgerAbi.ts';
import { fetchStreamHistory } from './streamHistory.ts';

/** The result of one check. `ok` false means that the event differs from the ledger's. */
export interface Finding {
  readonly ok: boolean;
  readonly text: string;
}

interface ReceiptLog {
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly logIndex: Hex;
  readonly blockHash: Hex;
  readonly removed?: boolean;
}

const ATTACHMENTS = 'asset_attributes/arc_attachments';
const DIGEST_HEX_CHARACTERS = 2 + 28 * 2;

const hasValidChecksum = (address: string): boolean => toChecksumAddress(address.toLowerCase()) === address;

const toKeys = ({ content }: EventClaim) => ({
  tenant: toHex(content.tenantKey),
  stream: toHex(content.streamKey),
  id: toHex(content.recordKey),
});

const checkDigest = async (request: RpcRequest, contract: Hex, claim: EventClaim): Promise<Finding> => {
  const { tenant, stream, id } = toKeys(claim);
  const recordOf = { name: 'recordOf', args: [tenant, id] };
  const [hash, sequence] = (await callView(request, contract, recordOf)) as unknown as [Hex, bigint];
  if (sequence === 0n) return { ok: false, text: 'the contract has no record of this identity for this tenant' };
  const chainId = Number(await request('eth_chainId', []));
  const domainSeparator = toDomainSeparator({ chainId, contract: fromHex(contract) });
  const digest = toHex(toRecordDigest(domainSeparator, claim.content));
  const args = [tenant, stream, id, claim.from, sequence, claim.content.payload];
  const [isThere] = await callView(request, contract, { name: 'verifyRecord', args });
  if (digest.slice(0, DIGEST_HEX_CHARACTERS) !== hash || isThere !== true) {
    return { ok: false, text: 'the contract has a record of this identity, with other content, author or asset' };
  }
  return { ok: true, text: `digest ${digest}: record ${sequence} of its asset, on chain ${chainId} at ${contract}` };
};

const fetchLog = async (
  request: RpcRequest,
  contract: Hex,
  claim: EventClaim,
  blockNumber: number,
): Promise<ReceiptLog | undefined> => {
  // A claim about a missing block is wrong; some nodes answer a query about it with an error.
  if (blockNumber > Number(await request('eth_blockNumber', []))) return undefined;
  const { tenant, stream, id } = toKeys(claim);
  const block = toQuantity(blockNumber);
  const topics = [ledgerInterface.getEvent('RecordAppended')!.topicHash, tenant, stream, id];
  const logs = await request('eth_getLogs', [{ address: contract, fromBlock: block, toBlock: block, topics }]);
  return (logs as ReceiptLog[])[0];
};

const checkCommitment = async (
  request: RpcRequest,
  contract: Hex,
  claim: EventClaim,
  event: Readonly<Record<string, unknown>>,
): Promise<Finding> => {
  const blockNumber = event.block_number;
  if (typeof blockNumber !== 'number' || !Number.isSafeInteger(blockNumber) || blockNumber < 0) {
    return { ok: false, text: 'block_number is not a block number' };
  }
  const log = await fetchLog(request, contract, claim, blockNumber);
  if (log === undefined) return { ok: false, text: `block ${blockNumber} has no log of this record` };
  const block = (await request('eth_getBlockByHash', [log.blockHash, false])) as { timestamp: Hex };
  const found: Record<(typeof COMMITMENT_FIELDS)[number], unknown> = {
    block_number: blockNumber,
    transaction_index: Number(log.transactionIndex),
    log_index: Number(log.logIndex),
    transaction_id: log.transactionHash,
    timestamp_committed: toBlockTimestamp(Number(block.timestamp)),
  };
  const wrong = COMMITMENT_FIELDS.filter((field) => event[field] !== found[field]);
  return wrong.length === 0
    ? { ok: true, text: `${COMMITMENT_FIELDS.join(', ')}: as on the chain` }
    : { ok: false, text: wrong.map((name) => `${name} is ${String(found[name])} on the chain`).join('; ') };
};

// Earlier attachments are covered by the digests of other events, so the asset's history must contain them.
const checkAttachments = async (request: RpcRequest, contract: Hex, claim: EventClaim): Promise<Finding> => {
  const { tenant: tenantKey, stream: streamKey, id } = toKeys(claim);
  const entries = await fetchStreamHistory(request, { contract, tenantKey, streamKey });
  const count = entries.findIndex(({ recordKey }) => recordKey === id) + 1;
  const records = entries.slice(0, count).map((entry) => decodeKeyedPayload(entry.payload, entry));
  const expected = foldAttachments(records.filter((record) => record !== undefined));
  return isDeepStrictEqual(claim.shownAttachments, expected)
    ? {
        ok: true,
        text: `${ATTACHMENTS}: what the first ${count} records of the asset add up to; its history is complete`,
      }
    : { ok: false, text: `${ATTACHMENTS} is not what the first ${count} records of the asset add up to` };
};

const listCovered = (claim: EventClaim): Finding[] => {
  const fields = COMMITTED_FIELDS.join(', ');
  const exception = isAttach(claim.record) ? ` (save ${ATTACHMENTS})` : '';
  return [
    { ok: true, text: `${fields}: every character of them is under that digest${exception}` },
    { ok: true, text: `asset_identity, tenant_identity and from (the author ${claim.from}): bound by the same digest` },
  ];
};

/**
 * Checks an event's JSON against the contract. Each finding states what was checked; the event is verified when all are
 * ok.
 * @throws LedgerError CHAIN_UNAVAILABLE when the node doesn't answer, CHAIN_CORRUPT when its answers contradict each
 * other.
 */
export const verifyEvent = async (request: RpcRequest, contract: Hex, event: unknown): Promise<Finding[]> => {
  const claim = parseEventClaim(event);
  if (typeof claim === 'string') return [{ ok: false, text: `this is not an event as the API returns it: ${claim}` }];
  if (!hasValidChecksum(claim.from)) return [{ ok: false, text: 'from is not an address with a right checksum' }];
  if ((await request('eth_getCode', [contract, 'latest'])) === '0x') {
    return [{ ok: false, text: `there is no contract at ${contract} on this chain` }];
  }
  const digest = await checkDigest(request, contract, claim);
  if (!digest.ok) return [digest];
  return [
    digest,
    ...listCovered(claim),
    ...(isAttach(claim.record) ? [await checkAttachments(request, contract, claim)] : []),
    await checkCommitment(request, contract, claim, event as Readonly<Record<string, unknown>>),
  ];
};

/** What the check of this event doesn't prove. */
export const listUnchecked = (event: unknown): string[] => {
  const claim = parseEventClaim(event);
  const unknown = typeof claim === 'string' ? [] : claim.unknownFields;
  const isHistoryChecked = typeof claim !== 'string' && isAttach(claim.record);
  const history = 'whether the history of the asset is complete: that is verifyHistory on the contract';
  return [
    'whether the content of the record is true: the ledger proves who wrote what, and when the chain included it',
    'whether the node answers truthfully: use one that you trust, or your own',
    ...(isHistoryChecked ? [] : [history]),
    ...(unknown.length === 0 ? [] : [`members of the JSON that the ledger doesn't cover: ${unknown.join(', ')}`]),
  ];
};
