// Which records of a transaction are proven to be their author's. A log is only the contract's word, and a chain of
// nodes that lie has any contract: the author's own signature of a batch, or of the transaction that appends it, is
// what nobody else can make.
import { mapInSteps, type Steps } from '../../../ledger/compliance/steps.ts';
import { type RecordContent, toBatchDigests } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKeyAddress } from '../../../ledger/evidence/sealers.ts';
import { toBytes } from '../../jsonRpc/headerFields.ts';
import { recoverPublicKey } from '../../nodeReport/consensus/publicKey.ts';
import { decodeSignedTransaction } from '../../signedTransaction.ts';
import type { SignedBatch } from '../../writing/appendCalls.ts';
import { encodeTransaction } from '../encodeTransaction.ts';
import { isDirectAppend, readSentRecords, readSignedBatches } from './appendBatches.ts';

/** Whose records must be proven, on which ledger. */
export interface AuthorCheck {
  /** Lower-case addresses. */
  readonly accounts: ReadonlySet<Hex>;
  readonly chainId: number;
  /** Lower-case address of the ledger. */
  readonly contract: Hex;
  /** The contract's EIP-712 domain separator. */
  readonly domain: Uint8Array;
}

/** A transaction as a node answered with it, whose fields are proven. */
export type ProvenTransaction = Readonly<Record<string, unknown>>;

const RECOVERY_ID_START = 27;

// The recovery id of EIP-712 signatures begins at 27, that of seals at 0.
const toSeal = (signature: Uint8Array): Uint8Array =>
  Uint8Array.from(signature, (byte, at) => (at === signature.length - 1 ? byte - RECOVERY_ID_START : byte));

const isSignedBy = (author: Hex, digest: Uint8Array, signature: Uint8Array): boolean => {
  const key = recoverPublicKey(digest, toSeal(signature));
  return key !== undefined && toKeyAddress(key) === author;
};

const toDigests = ({ domain }: AuthorCheck, records: readonly RecordContent[]): Hex[] =>
  toBatchDigests(domain, records).records.map(toHex);

const proveSigned = ({ accounts, domain }: AuthorCheck, batch: SignedBatch): Hex[] => {
  const author = toHex(batch.author);
  if (!accounts.has(author)) return [];
  const { append, records } = toBatchDigests(domain, batch.records);
  return isSignedBy(author, append, batch.signature) ? records.map(toHex) : [];
};

const isSentTo = (contract: Hex, { to }: ProvenTransaction): boolean =>
  typeof to === 'string' && to.toLowerCase() === contract;

// The account that sent a transaction to the ledger on this chain. To recover it is slow; servers send `appendSigned`
// on networks, so there is little to do.
const recoverSender = ({ chainId, contract }: AuthorCheck, transaction: ProvenTransaction): Hex | undefined => {
  if (!isSentTo(contract, transaction)) return undefined;
  try {
    const { fields, from } = decodeSignedTransaction(encodeTransaction(transaction)!);
    // A transaction from before EIP-155 is for every chain.
    const isHere = fields.chainId === BigInt(chainId) || fields.chainId === 0n;
    return isHere ? (from ?? undefined) : undefined;
  } catch {
    // A transaction that no account can have signed.
    return undefined;
  }
};

const proveSent = (check: AuthorCheck, transaction: ProvenTransaction, input: Buffer): Hex[] => {
  const sender = recoverSender(check, transaction);
  if (sender === undefined || !check.accounts.has(sender)) return [];
  return toDigests(check, readSentRecords(input, fromHex(sender)));
};

/**
 * Digests of the records that a transaction proves to be those of the accounts that are checked: their own signatures
 * are in its calldata, also within a call of another contract, or one of them has sent it to the ledger. A digest
 * commits to the author. The transaction need not have succeeded. Each step checks one signature.
 */
export function* readProvenDigests(check: AuthorCheck, transaction: ProvenTransaction): Steps<Hex[]> {
  const bytes = toBytes(transaction.input);
  if (bytes === undefined) return [];
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sent = isDirectAppend(input) ? proveSent(check, transaction, input) : [];
  const signed = yield* mapInSteps(readSignedBatches(input), (batch) => proveSigned(check, batch));
  return [...sent, ...signed.flat()];
}
