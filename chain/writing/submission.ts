// Signs a batch of accepted records and sends it in one transaction: the tenant's wallet (the author) signs each
// tenant's records, the relayer's wallet the transaction. Where authors send, the records of one tenant are in a
// transaction of their author, which is their signature as well: one signature less to make and to recover.
import { type RecordContent, toAppendDigest, toDomainSeparator } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { callView } from '../callView.ts';
import { isWriter } from '../isWriter.ts';
import type { AccountNonce, ChainPort } from '../port.ts';
import { toSignatureBytes, type Wallet } from '../wallet.ts';
import { type AuthorBatch, encodeAppendCall, encodeAppendSignedCall, type SignedBatch } from './appendCalls.ts';
import { type AppendGas, type AppendSize, createAppendGas } from './appendGas.ts';
import {
  createTransactionSender,
  isRefused,
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
   * `isEstimated` asks a node for the gas that it needs.
   */
  submit(
    records: readonly SubmittedRecord[],
    signal?: AbortSignal,
    onNonce?: (account: AccountNonce) => Promise<void>,
    isEstimated?: boolean,
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
  /** Whether the contract has a record of this identity, whatever its content. Rejects when no node answers. */
  isPresent(record: Pick<SubmittedRecord, 'tenantIdentity' | 'record'>): Promise<boolean>;
}

// Generous bounds for tools that send one transaction after the other; unused gas is not paid for.
const GAS_PER_TRANSACTION = 100_000;
const GAS_PER_RECORD = 90_000;
const GAS_PER_BYTE = 60;

/** A sufficient gas limit for a transaction that appends so many records with so many bytes of calldata. */
export const toAppendGasLimit = (records: number, calldataBytes: number): number =>
  GAS_PER_TRANSACTION + records * GAS_PER_RECORD + calldataBytes * GAS_PER_BYTE;

/** Upper bounds of calldata and of transaction bytes for each record besides its payload. */
const BYTES_PER_RECORD = 224 + 60;
const BYTES_PER_TRANSACTION = 4_096;

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

type SubmitRest = Parameters<Submission['submit']> extends [unknown, ...infer Rest] ? Rest : never;

// Sends calls that append records. An estimate that isn't possible, because the call reverts, leaves the double limit.
const createAppendSend =
  (contract: Hex, gas: AppendGas) =>
  async (
    sender: TransactionSender,
    { data, size }: { data: Uint8Array; size: Omit<AppendSize, 'calldataBytes'> },
    [signal, onNonce, isEstimated = false]: SubmitRest,
  ): Promise<SentTransaction> => {
    const appended = { ...size, calldataBytes: data.length };
    const gasLimit = gas.toLimit(appended) * (isEstimated ? 2 : 1);
    // The contract appends each record once.
    const call = { to: contract, data, gasLimit, isMeasured: !isEstimated, isIdempotent: true };
    const mined = await sender.send({ ...call, ...(onNonce && { onNonce }) }, signal);
    if (mined.outcome === 'succeeded') gas.learn(appended, mined.gasUsed);
    return { ...mined, ...(isEstimated && { isEstimated }) };
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
  gas?: AppendGas;
}): Submission => {
  const { chain, contract, relayer, authorOf, hasSendingAuthors = false } = options;
  const { gas = createAppendGas(chain) } = options;
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

  const send = createAppendSend(contract, gas);
  const submitSigned: Submission['submit'] = (records, ...rest) => {
    const byTenant = [...groupByTenant(records)];
    const data = encodeAppendSignedCall(byTenant.map(([tenant, submitted]) => signBatch(tenant, submitted)));
    return send(relayer, { data, size: { tenants: byTenant.length, records: records.length } }, rest);
  };

  // Another holder of the author's key may take its nonces; it must not delay the records of other tenants.
  const submitAsAuthor: Submission['submit'] = async (records, ...rest) => {
    const { tenantIdentity } = records[0]!;
    const data = encodeAppendCall(toBatch(tenantIdentity, records));
    const sender = authors.open(authorOf(tenantIdentity));
    try {
      return await send(sender, { data, size: { tenants: 1, records: records.length } }, rest);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      return submitSigned(records, ...rest);
    }
  };

  const senderOf = ({ account }: SentTransaction): TransactionSender => authors.find(account.address) ?? relayer;

  return {
    submit: (records, ...rest) => {
      const submit = hasSendingAuthors && hasOneTenant(records) ? submitAsAuthor : submitSigned;
      return submit(records, ...rest);
    },
    awaitFinal: (mined, signal) => senderOf(mined).awaitFinal(mined, signal),
    awaitReplaced: (mined, signal) => senderOf(mined).awaitReplaced(mined, signal),
    findRemovedAuthor: async (tenantIdentity) => {
      const { address } = authorOf(tenantIdentity);
      return (await isWriter(chain, contract, tenantIdentity, address)) ? undefined : address;
    },
    isPresent: async ({ tenantIdentity, record: { identity } }) => {
      const args = [toHex(toKey(tenantIdentity)), toHex(toKey(identity))];
      const [, sequence] = await callView(chain.request, contract, { name: 'recordOf', args });
      return Number(sequence) > 0;
    },
  };
};
