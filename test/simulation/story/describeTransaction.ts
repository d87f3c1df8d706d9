// What transactions and records are, in a few words of a story.
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { decodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { count } from '../../support/count.ts';
import type { SimulatedBlock, SimulatedReceipt } from '../chain/blocks.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import { labelOf } from '../clients/recordLabel.ts';

type RecordTuple = readonly [stream: Hex, id: Hex, payload: Hex];

/** The label of the request that a record belongs to; the identity of a record that belongs to none. */
export const nameRecord = (record: LedgerRecord): string => {
  const label = labelOf(record);
  return label === '' || label === 'undefined' ? record.identity : label;
};

/** So many records, with their names. */
export const describeRecords = (names: readonly string[], noun = 'record'): string =>
  `${count(names.length, noun)} (${names.join(', ')})`;

const namePayload = (payload: Hex): string => {
  const record = decodePayload(fromHex(payload));
  return record === undefined ? 'not a record' : nameRecord(record);
};

const describeTuples = (records: readonly RecordTuple[]): string =>
  describeRecords(records.map(([, , payload]) => namePayload(payload)));

/** What a transaction does. */
export const describeCall = ({ to, data }: Pick<DecodedTransaction, 'to' | 'data'>): string => {
  if (to === undefined) return 'the deployment of a contract';
  if (data.length === 0) return 'a transfer';
  const call = ledgerInterface.parseTransaction({ data: toHex(data) });
  if (call === null) return 'an unknown call';
  const { name, args } = call;
  if (name === 'append') return `${describeTuples(args[1])}, sent by their author`;
  if (name !== 'appendSigned') return name;
  return describeTuples(args[0].flatMap(([, , records]: [Hex, Hex, readonly RecordTuple[]]) => [...records]));
};

const FAILURES = { reverted: 'reverted', outOfGas: 'out of gas' } as const;

const describeReceipt = ({ transaction, status }: SimulatedReceipt): string =>
  `transaction ${transaction.hash}: ${describeCall(transaction)}${status === 'succeeded' ? '' : `, ${FAILURES[status]}`}`;

/** What a block contains; undefined for an empty block. */
export const describeBlock = ({ number, receipts }: SimulatedBlock): string | undefined =>
  receipts.length === 0 ? undefined : `block ${number} contains ${receipts.map(describeReceipt).join('; ')}`;
