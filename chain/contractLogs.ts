// Decodes the contract's logs that the index uses: those of records and attestations.
import { fromHex, type Hex, toHex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { decodeLedgerLog, LEDGER_TOPICS } from '../ledger/evidence/bundle/ledgerLogs.ts';
import type { AttestedLog, ContractLogs } from './port.ts';
import { decodeRecordLog, RECORD_APPENDED_TOPIC, type RpcLog } from './recordLog.ts';

/** First topics of the logs of records and attestations. */
export const CONTRACT_TOPICS: readonly Hex[] = LEDGER_TOPICS.map(toHex);

const TOPICS = new Set<string | undefined>(CONTRACT_TOPICS);

/** Whether a log is one of a record or an attestation, by its first topic. */
export const hasContractTopic = ({ topics }: Pick<RpcLog, 'topics'>): boolean => TOPICS.has(topics[0]);

const refuse = (topic: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_CORRUPT', { message: `A log of an attestation is malformed (topic ${topic})`, cause });

const decodeAttested = ({ topics, data }: RpcLog): ReturnType<typeof decodeLedgerLog> => {
  try {
    return decodeLedgerLog({ address: new Uint8Array(), topics: topics.map(fromText), data: fromText(data) });
  } catch (cause) {
    throw refuse(topics[0]!, cause);
  }
};

const fromText = (text: string): Uint8Array => fromHex(text as Hex);

// A log's address, and the lengths in its encoding.
const LOG_BYTES = 32;
const TOPIC_BYTES = 32;

/** Bytes of the logs of one transaction in its receipt, about. `data` is hexadecimal with 0x, or bytes. */
export const weighLogs = (
  logs: readonly { readonly topics: readonly unknown[]; readonly data: string | Uint8Array }[],
): number =>
  logs.reduce((bytes, { topics, data }) => {
    const dataBytes = typeof data === 'string' ? data.length / 2 - 1 : data.length;
    return bytes + LOG_BYTES + topics.length * TOPIC_BYTES + dataBytes;
  }, 0);

/**
 * Decodes a log of an attestation. `receiptBytes`: of all logs of its transaction.
 * @throws LedgerError CHAIN_CORRUPT for a log that the contract cannot have emitted.
 */
export const decodeAttestedLog = (log: RpcLog, receiptBytes: number): AttestedLog => {
  const decoded = decodeAttested(log);
  if (decoded === undefined || decoded.event === 'RecordAppended') throw refuse(log.topics[0]!);
  const { tenant: tenantKey, ...content } = decoded;
  const place = {
    blockNumber: Number(log.blockNumber),
    transactionIndex: Number(log.transactionIndex),
    logIndex: Number(log.logIndex),
    receiptBytes,
  };
  if (content.event === 'TenantAttested') return { tenantKey, ...place, ...content };
  const { event, key, hash, count } = content;
  return { tenantKey, ...place, event, key, hash, count };
};

/** Creates an empty set of logs, to which those with a topic of `CONTRACT_TOPICS` are added in chain order. */
export const createContractLogs = (): ContractLogs => ({ records: [], attestations: [] });

/**
 * Decodes a log with a topic of `CONTRACT_TOPICS`, and adds it to the others. `weigh` returns the bytes of all logs of
 * its transaction.
 * @throws LedgerError CHAIN_CORRUPT for a log that the contract cannot have emitted.
 */
export const addContractLog = (
  logs: ContractLogs,
  log: RpcLog,
  blockTimestampSeconds: number,
  weigh: () => number,
): void => {
  if (log.topics[0] === RECORD_APPENDED_TOPIC) logs.records.push(decodeRecordLog(log, blockTimestampSeconds));
  else logs.attestations.push(decodeAttestedLog(log, weigh()));
};
