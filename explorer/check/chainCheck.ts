// Checks an event's JSON against the ledger contract: the browser computes the digest of what it shows, and asks a node
// for the hash that the contract stores.
import type { Hex } from '../../ledger/encoding/hex.ts';
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
import type { EventClaim } from '../../ledger/verification.ts';
import type { RequestRpc } from './jsonRpc.ts';
import { fetchStored } from './recordOf.ts';

/** What a check against the contract found. */
export interface ChainVerdict {
  /** Whether nothing is refuted: the contract has exactly this event. */
  readonly isVerified: boolean;
  readonly findings: readonly EvidenceFinding[];
  /** Members of the event's JSON that this check doesn't reach: they may be wrong. */
  readonly uncovered: readonly string[];
}

/** Where the contract is. */
export interface NamedLedger {
  readonly contract: Hex;
  /** Decimal. */
  readonly chain_id: string;
}

interface EventPosition {
  readonly block_number?: unknown;
  readonly timestamp_committed?: unknown;
}

/** The last second of the year 9999. */
const SECONDS_MAX = 253_402_300_799;
/** The place in the block is in the receipt of the transaction, which is not asked for. */
const PLACE = ['transaction_id', 'transaction_index', 'log_index'];

const listUncovered = ({ shownAttachments, unknownFields }: EventClaim): string[] => [
  ...PLACE,
  ...(shownAttachments === undefined ? [] : ['asset_attributes/arc_attachments']),
  ...unknownFields,
];

const findPosition = async (request: RequestRpc, event: EventPosition, sequence: number): Promise<EvidenceFinding> => {
  const { block_number: number } = event;
  assertProved(Number.isSafeInteger(number), 'position', 'block_number is not a block number');
  const params = [`0x${Number(number).toString(16)}`, false];
  const block = (await request('eth_getBlockByNumber', params)) as { timestamp?: unknown } | null;
  assertProved(block !== null, 'position', `the chain has no block ${number}`);
  const seconds = Number(block.timestamp);
  if (!(seconds >= 0 && seconds <= SECONDS_MAX)) throw new Error(`The node’s answer has no time of block ${number}.`);
  const time = toBlockTimestamp(seconds);
  assertProved(event.timestamp_committed === time, 'position', `block ${number} is of ${time}`);
  const text = `record ${sequence} of its asset; block ${number} has the time that the event names, and the event’s
    evidence proves that it is in this block`;
  return toUnanswered('position', text.replace(/\s+/g, ' '));
};

const check = async (
  request: RequestRpc,
  { contract, chain_id }: NamedLedger,
  event: unknown,
): Promise<ChainVerdict> => {
  const claim = requireEventClaim(event);
  const answered = Number(await request('eth_chainId', []));
  assertProved(
    answered === Number(chain_id),
    'chain',
    `the node is of chain ${answered}, and not of chain ${chain_id}`,
  );
  const stored = await fetchStored(request, contract, claim.content);
  const digest = requireStored(claim, { chainId: answered, contract }, stored);
  const findings = answerAll([
    toProved('content', `what is shown leads to the digest ${digest}, which the contract stores`),
    toProved('author', `the digest binds the author ${claim.from}, the tenant and the asset`),
    await findPosition(request, event as EventPosition, stored.sequence),
    toProved('chain', `by the word of this node alone: chain ${chain_id}, contract ${contract}`),
  ]);
  return { isVerified: true, findings, uncovered: listUncovered(claim) };
};

/**
 * Checks an event's JSON. Rejects as `request` does, with Error where the chain has no such contract, and with
 * UnreadableEvidence where the JSON is no event or lacks what the ledger commits to.
 */
export const checkOnChain = async (request: RequestRpc, ledger: NamedLedger, event: unknown): Promise<ChainVerdict> => {
  try {
    return await check(request, ledger, event);
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    assertWhole(event);
    const { question, message } = error;
    return { isVerified: false, findings: answerAll([{ question, answer: 'refuted', text: message }]), uncovered: [] };
  }
};
