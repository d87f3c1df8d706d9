// Verifies one event as a third party: queries only the contract, never the server that returned the event, and answers
// the questions of evidence files.
import { isDeepStrictEqual } from 'node:util';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { assertWhole, requireEventClaim } from '../../ledger/evidence/bundle/claimChecks.ts';
import {
  answerAll,
  assertProved,
  type EvidenceFinding,
  Refuted,
  toProved,
  toUnanswered,
} from '../../ledger/evidence/bundle/findings.ts';
import { requireStored } from '../../ledger/evidence/bundle/storedRecord.ts';
import { COMMITTED_FIELDS, isAttach } from '../../ledger/records/event.ts';
import { decodeKeyedPayload } from '../../ledger/records/record.ts';
import { COMMITMENT_FIELDS, type EventClaim, foldAttachments } from '../../ledger/verification.ts';
import { callView } from '../callView.ts';
import type { RpcRequest } from '../jsonRpc/rpcRequest.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../ledgerAbi.ts';
import { fetchStreamHistory, type HistoryEntry } from './streamHistory.ts';

/** What a check of an event found. */
export interface EventVerdict {
  /** Whether nothing is refuted: the ledger has exactly this event. */
  readonly isVerified: boolean;
  /** One for each question, in their order. */
  readonly findings: readonly EvidenceFinding[];
  /** Members of the event's JSON that the ledger doesn't cover: they may be wrong. */
  readonly uncovered: readonly string[];
}

/** What to check of an event, besides the event itself. */
export interface EventChecks {
  /** Whether to check that the history of its asset is complete, too. An Attach needs that anyway. */
  readonly withHistory?: boolean;
}

interface ReceiptLog {
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly logIndex: Hex;
  readonly blockHash: Hex;
  readonly removed?: boolean;
}

const ATTACHMENTS = 'asset_attributes/arc_attachments';
const WITHOUT_HISTORY = toUnanswered('completeness', "the asset's other records were not read; --history reads them");
const OF_OTHER_TENANT = toUnanswered(
  'completeness',
  "whether it is an event of the owner's asset follows from policies of the owner, which were not read",
);

// What is found of an event that is refuted.
const refuseEvent = ({ question, message }: Refuted): EventVerdict => ({
  isVerified: false,
  findings: answerAll([{ question, answer: 'refuted', text: message }]),
  uncovered: [],
});

const toKeys = ({ content }: EventClaim) => ({
  tenant: toHex(content.tenantKey),
  stream: toHex(content.streamKey),
  id: toHex(content.recordKey),
});

interface Ledger {
  readonly request: RpcRequest;
  readonly contract: Hex;
  readonly chainId: number;
}

const openLedger = async (request: RpcRequest, contract: Hex): Promise<Ledger> => {
  const hasCode = (await request('eth_getCode', [contract, 'latest'])) !== '0x';
  assertProved(hasCode, 'chain', `there is no contract at ${contract} on this chain`);
  return { request, contract, chainId: Number(await request('eth_chainId', [])) };
};

// The record's digest and its position in the stream.
const proveRecord = async (ledger: Ledger, claim: EventClaim) => {
  const { request, contract } = ledger;
  const { tenant, stream, id } = toKeys(claim);
  const recordOf = { name: 'recordOf', args: [tenant, id] };
  const [hash, sequence] = (await callView(request, contract, recordOf)) as unknown as [Hex, bigint];
  const digest = requireStored(claim, ledger, { hash, sequence: Number(sequence) });
  const args = [tenant, stream, id, claim.from, sequence, claim.content.payload];
  const [isThere] = await callView(request, contract, { name: 'verifyRecord', args });
  assertProved(isThere === true, 'content', 'the contract has a record of this identity at another place');
  return { digest, sequence };
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

const proveCommitment = async (
  { request, contract }: Ledger,
  claim: EventClaim,
  event: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const blockNumber = event.block_number;
  const isNumber = typeof blockNumber === 'number' && Number.isSafeInteger(blockNumber) && blockNumber >= 0;
  assertProved(isNumber, 'position', 'block_number is not a block number');
  const log = await fetchLog(request, contract, claim, blockNumber);
  assertProved(log !== undefined, 'position', `block ${blockNumber} has no log of this record`);
  const block = (await request('eth_getBlockByHash', [log.blockHash, false])) as { timestamp: Hex };
  const found: Record<(typeof COMMITMENT_FIELDS)[number], unknown> = {
    block_number: blockNumber,
    transaction_index: Number(log.transactionIndex),
    log_index: Number(log.logIndex),
    transaction_id: log.transactionHash,
    timestamp_committed: toBlockTimestamp(Number(block.timestamp)),
  };
  const wrong = COMMITMENT_FIELDS.filter((field) => event[field] !== found[field]);
  const text = wrong.map((name) => `${name} is ${String(found[name])} on the chain`).join('; ');
  assertProved(wrong.length === 0, 'position', text);
};

// Earlier attachments are covered by the digests of other events, so the asset's history must contain them.
const proveAttachments = (claim: EventClaim, entries: readonly HistoryEntry[]): void => {
  const { id } = toKeys(claim);
  const count = entries.findIndex(({ recordKey }) => recordKey === id) + 1;
  const records = entries.slice(0, count).map((entry) => decodeKeyedPayload(entry.payload, entry));
  const expected = foldAttachments(records.filter((record) => record !== undefined));
  const isSame = isDeepStrictEqual(claim.shownAttachments, expected);
  assertProved(
    isSame,
    'content',
    `${ATTACHMENTS} is not what the first ${count} records of the asset's own tenant add up to`,
  );
};

const proveHistory = async ({ request, contract }: Ledger, claim: EventClaim): Promise<EvidenceFinding> => {
  const { tenant: tenantKey, stream: streamKey } = toKeys(claim);
  const entries = await fetchStreamHistory(request, { contract, tenantKey, streamKey });
  if (isAttach(claim.record)) proveAttachments(claim, entries);
  return toProved(
    'completeness',
    `the asset's own tenant has ${entries.length} records of it, whose digests lead to the head of their stream`,
  );
};

const findCompleteness = async (
  ledger: Ledger,
  claim: EventClaim,
  { withHistory = false }: EventChecks,
): Promise<EvidenceFinding> => {
  if (claim.record.type === 'contribution') return OF_OTHER_TENANT;
  return withHistory || isAttach(claim.record) ? proveHistory(ledger, claim) : WITHOUT_HISTORY;
};

const findAnswers = async (
  ledger: Ledger,
  claim: EventClaim,
  event: unknown,
  checks: EventChecks,
): Promise<EvidenceFinding[]> => {
  const { digest, sequence } = await proveRecord(ledger, claim);
  await proveCommitment(ledger, claim, event as Readonly<Record<string, unknown>>);
  return [
    toProved('content', `every character of ${COMMITTED_FIELDS.join(', ')} leads to the digest ${digest}`),
    toProved('author', `the digest binds the author ${claim.from}, the tenant and the asset`),
    toProved('position', `record ${sequence} of its asset; ${COMMITMENT_FIELDS.join(', ')} are as on the chain`),
    await findCompleteness(ledger, claim, checks),
    toProved('chain', `by the word of your node alone: chain ${ledger.chainId}, contract ${ledger.contract}`),
  ];
};

// The list after a contributed Attach follows from records of several tenants.
const listUncovered = ({ record, shownAttachments, unknownFields }: EventClaim): readonly string[] =>
  record.type === 'contribution' && shownAttachments !== undefined ? [ATTACHMENTS, ...unknownFields] : unknownFields;

/**
 * Checks an event's JSON against the contract of a node, and answers the questions of evidence.
 * @throws LedgerError CHAIN_UNAVAILABLE when the node doesn't answer, CHAIN_CORRUPT when its answers contradict each
 * other; UnreadableEvidence when this can't be checked: it is no event, or lacks what the ledger commits to.
 */
export const verifyEvent = async (
  request: RpcRequest,
  contract: Hex,
  event: unknown,
  checks: EventChecks = {},
): Promise<EventVerdict> => {
  try {
    const claim = requireEventClaim(event);
    const ledger = await openLedger(request, contract);
    const findings = answerAll(await findAnswers(ledger, claim, event, checks));
    return { isVerified: true, findings, uncovered: listUncovered(claim) };
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    assertWhole(event);
    return refuseEvent(error);
  }
};
