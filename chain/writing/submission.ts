// Signs a batch of accepted records and sends it in one transaction: the tenant's wallet (the author) signs each
// tenant's records, the relayer's wallet the transaction. Where authors send, the records of one tenant are in a
// transaction of their author, which is their signature as well: one signature less to make and to recover.
import { type RecordContent, toAppendDigest, toDomainSeparator } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { type LedgerRecord, PAYLOAD_BYTES_MAX } from '../../ledger/records/record.ts';
import { isWriter } from '../isWriter.ts';
import type { AccountNonce, ChainPort } from '../port.ts';
import { toSignatureBytes, type Wallet } from '../wallet.ts';
import { type AuthorBatch, encodeAppendCall, encodeAppendSignedCall, type SignedBatch } from './appendCalls.ts';
import {
  createTransactionSender,
  isRefused,
  type SentCall,
  type SentTransaction,
  type TransactionSender,
} from './transactionSender.ts';

/** A record with everything that its transaction needs. */
export interface SubmittedRecord {
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
  readonly record: LedgerRecord;
  /** `encodePayload(record)`. */
  readonly payload: Uint8Array;
}

/** Puts batches on the chain. */
export interface Submission {
  /**
   * Submits the records, in order, in one transaction; resolves when it is mined, whether it succeeded or reverted.
   * `onNonce` is called before a transaction with this nonce is sent, also by `awaitFinal`; when it rejects, none is.
   */
  submit(
    records: readonly SubmittedRecord[],
    signal?: AbortSignal,
    onNonce?: (account: AccountNonce) => Promise<void>,
  ): Promise<SentTransaction>;
  /**
   * Resolves when the records' transaction is in a final block, with its place and outcome there: they may differ from
   * those of the block in which it was mined first. Rejects with CHAIN_UNAVAILABLE when it must be called again.
   */
  awaitFinal(mined: SentTransaction, signal?: AbortSignal): Promise<SentTransaction>;
  /**
   * Resolves when a transaction whose records are in others by now is in a final block, or the chain will not include
   * it as it is. It gets no other nonce.
   */
  awaitReplaced(mined: SentTransaction, signal?: AbortSignal): Promise<void>;
  /**
   * The address of the tenant's author if it is not one of the tenant's writers now; undefined if it is. Rejects when
   * no node answers.
   */
  findRemovedAuthor(tenantIdentity: string): Promise<Hex | undefined>;
}

// Upper bounds, from docs/measurements/gas.md with a margin; unused gas is not paid for.
const GAS_PER_TRANSACTION = 100_000;
const GAS_PER_RECORD = 90_000;
const GAS_PER_BYTE = 60;

/** A sufficient gas limit for a transaction that appends so many records with so many bytes of calldata. */
export const toAppendGasLimit = (records: number, calldataBytes: number): number =>
  GAS_PER_TRANSACTION + records * GAS_PER_RECORD + calldataBytes * GAS_PER_BYTE;

/** Upper bounds of calldata and of transaction bytes for each record besides its payload. */
const BYTES_PER_RECORD = 224 + 60;
const BYTES_PER_TRANSACTION = 4_096;

/** Gas for the largest record alone: a chain with a lower limit per transaction can't carry the ledger. */
export const GAS_OF_LARGEST_RECORD = toAppendGasLimit(1, PAYLOAD_BYTES_MAX + BYTES_PER_TRANSACTION);

/**
 * The largest batches, within `limits`, that fit into a transaction of the chain; half of the gas is for the payloads.
 */
export const toBatchLimits = (
  { transactionGasMax, transactionBytesMax }: Pick<ChainPort, 'transactionGasMax' | 'transactionBytesMax'>,
  limits: { batchRecordsMax: number; batchBytesMax: number },
): { batchRecordsMax: number; batchBytesMax: number } => {
  const gas = (transactionGasMax - GAS_PER_TRANSACTION) / 2;
  const records = Math.floor(gas / (GAS_PER_RECORD + BYTES_PER_RECORD * GAS_PER_BYTE));
  const batchRecordsMax = Math.max(1, Math.min(limits.batchRecordsMax, records));
  const bytes = transactionBytesMax - BYTES_PER_TRANSACTION - batchRecordsMax * BYTES_PER_RECORD;
  return { batchRecordsMax, batchBytesMax: Math.min(limits.batchBytesMax, bytes, Math.floor(gas / GAS_PER_BYTE)) };
};

const groupByTenant = (records: readonly SubmittedRecord[]): Map<string, SubmittedRecord[]> =>
  Map.groupBy(records, (record) => record.tenantIdentity);

const hasOneTenant = ([first, ...others]: readonly SubmittedRecord[]): boolean =>
  others.every(({ tenantIdentity }) => tenantIdentity === first?.tenantIdentity);

const toContent = (submitted: SubmittedRecord, tenantKey: Uint8Array, author: Uint8Array): RecordContent => ({
  tenantKey,
  streamKey: toKey(submitted.streamIdentity),
  recordKey: toKey(submitted.record.identity),
  author,
  payload: submitted.payload,
});

// One sender for each author, since two of one account would use the same nonces.
const createAuthorSenders = (chain: ChainPort) => {
  const senders = new Map<Hex, TransactionSender>();
  return {
    open: (author: Wallet): TransactionSender => {
      const known = senders.get(author.address);
      if (known !== undefined) return known;
      const sender = createTransactionSender(chain, author);
      senders.set(author.address, sender);
      return sender;
    },
    find: (address: Hex): TransactionSender | undefined => senders.get(address),
  };
};

/**
 * Submission to the contract at `contract` on `chain` in the relayer's transactions. `authorOf` returns the wallet that
 * signs for a tenant. With `hasSendingAuthors`, the records of one tenant are sent by their author: only for a chain
 * where gas is free, and where a transaction that was refused is never mined.
 */
export const createSubmission = (options: {
  chain: ChainPort;
  contract: Hex;
  relayer: TransactionSender;
  authorOf: (tenantIdentity: string) => Wallet;
  hasSendingAuthors?: boolean;
}): Submission => {
  const { chain, contract, relayer, authorOf, hasSendingAuthors = false } = options;
  const domainSeparator = toDomainSeparator({ chainId: chain.chainId, contract: fromHex(contract) });
  const authors = createAuthorSenders(chain);

  const toBatch = (tenantIdentity: string, submitted: readonly SubmittedRecord[]): AuthorBatch => {
    const { addressBytes: author } = authorOf(tenantIdentity);
    const tenantKey = toKey(tenantIdentity);
    return { tenantKey, author, records: submitted.map((record) => toContent(record, tenantKey, author)) };
  };

  const signBatch = (tenantIdentity: string, submitted: readonly SubmittedRecord[]): SignedBatch => {
    const batch = toBatch(tenantIdentity, submitted);
    const digest = toAppendDigest(domainSeparator, batch.records);
    return { ...batch, signature: toSignatureBytes(authorOf(tenantIdentity).sign(digest)) };
  };

  const toCall = (data: Uint8Array, records: number, onNonce: SentCall['onNonce']): SentCall => {
    const gasLimit = toAppendGasLimit(records, data.length);
    // The contract appends each record once.
    return { to: contract, data, gasLimit, isIdempotent: true, ...(onNonce && { onNonce }) };
  };

  const submitSigned: Submission['submit'] = (records, signal, onNonce) => {
    const batches = [...groupByTenant(records)].map(([tenant, submitted]) => signBatch(tenant, submitted));
    return relayer.send(toCall(encodeAppendSignedCall(batches), records.length, onNonce), signal);
  };

  // Another holder of the author's key may take its nonces; it must not delay the records of other tenants.
  const submitAsAuthor: Submission['submit'] = async (records, signal, onNonce) => {
    const { tenantIdentity } = records[0]!;
    const data = encodeAppendCall(toBatch(tenantIdentity, records));
    const sender = authors.open(authorOf(tenantIdentity));
    try {
      return await sender.send(toCall(data, records.length, onNonce), signal);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      return submitSigned(records, signal, onNonce);
    }
  };

  const senderOf = ({ account }: SentTransaction): TransactionSender => authors.find(account.address) ?? relayer;

  return {
    submit: (records, signal, onNonce) => {
      const submit = hasSendingAuthors && hasOneTenant(records) ? submitAsAuthor : submitSigned;
      return submit(records, signal, onNonce);
    },
    awaitFinal: (mined, signal) => senderOf(mined).awaitFinal(mined, signal),
    awaitReplaced: (mined, signal) => senderOf(mined).awaitReplaced(mined, signal),
    findRemovedAuthor: async (tenantIdentity) => {
      const { address } = authorOf(tenantIdentity);
      return (await isWriter(chain, contract, tenantIdentity, address)) ? undefined : address;
    },
  };
};
