// Turns accepted records into one signed transaction: each tenant's records signed by the tenant's wallet (the author),
// the transaction by the relayer.
import { type RecordContent, toAppendDigest, toDomainSeparator } from '../ledger/digest.ts';
import { fromHex, type Hex } from '../ledger/hex.ts';
import { toKey } from '../ledger/identity.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { encodeAppendSignedCall, type SignedBatch } from './appendSignedCall.ts';
import type { ChainPort, MinedTransaction } from './port.ts';
import { signTransaction } from './transaction.ts';
import { toSignatureBytes, type Wallet } from './wallet.ts';

export interface SubmittedRecord {
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
  readonly record: LedgerRecord;
  /** `encodePayload(record)`. */
  readonly payload: Uint8Array;
}

export interface Submission {
  /** Submits the records, in order, in one transaction; resolves when it is mined, whether it succeeded or reverted. */
  submit(records: readonly SubmittedRecord[]): Promise<MinedTransaction>;
}

// Upper bounds, taken from docs/gas.md with a margin; what is not used is not paid.
const GAS_PER_TRANSACTION = 100_000;
const GAS_PER_RECORD = 90_000;
const GAS_PER_BYTE = 60;

const toGasLimit = (records: number, calldataBytes: number): number =>
  GAS_PER_TRANSACTION + records * GAS_PER_RECORD + calldataBytes * GAS_PER_BYTE;

const groupByTenant = (records: readonly SubmittedRecord[]): Map<string, SubmittedRecord[]> =>
  Map.groupBy(records, (record) => record.tenantIdentity);

const toContent = (submitted: SubmittedRecord, tenantKey: Uint8Array, author: Uint8Array): RecordContent => ({
  tenantKey,
  streamKey: toKey(submitted.streamIdentity),
  recordKey: toKey(submitted.record.identity),
  author,
  payload: submitted.payload,
});

/**
 * Submission to the contract at `contract` on `chain`. `authorOf` gives the wallet that writes for a tenant; two
 * submissions must not run at once, since each takes the relayer's next nonce from the chain.
 */
export const createSubmission = (options: {
  chain: ChainPort;
  contract: Hex;
  relayer: Wallet;
  authorOf: (tenantIdentity: string) => Wallet;
}): Submission => {
  const { chain, relayer, authorOf } = options;
  const contract = fromHex(options.contract);
  const domainSeparator = toDomainSeparator({ chainId: chain.chainId, contract });

  const signBatch = (tenantIdentity: string, submitted: readonly SubmittedRecord[]): SignedBatch => {
    const author = authorOf(tenantIdentity);
    const tenantKey = toKey(tenantIdentity);
    const records = submitted.map((record) => toContent(record, tenantKey, author.addressBytes));
    const signature = toSignatureBytes(author.sign(toAppendDigest(domainSeparator, records)));
    return { tenantKey, author: author.addressBytes, records, signature };
  };

  // What the relayer's next nonce is after the transaction that the chain has just mined; asked anew after anything else.
  let nextNonce: number | undefined;
  const takeNonce = async (): Promise<number> => {
    const nonce = nextNonce ?? (await chain.fetchNonce(relayer.address));
    nextNonce = undefined;
    return nonce;
  };

  // The chain looks up the nonce while this thread signs.
  const signBatches = async (records: readonly SubmittedRecord[]): Promise<SignedBatch[]> =>
    [...groupByTenant(records)].map(([tenantIdentity, submitted]) => signBatch(tenantIdentity, submitted));

  return {
    submit: async (records) => {
      const [nonce, batches] = await Promise.all([takeNonce(), signBatches(records)]);
      const data = encodeAppendSignedCall(batches);
      const gasLimit = toGasLimit(records.length, data.length);
      const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
      const mined = await chain.submitTransaction(
        signTransaction({ chainId: chain.chainId, nonce, gasLimit, ...fees, to: contract, data }, relayer),
      );
      nextNonce = nonce + 1;
      return mined;
    },
  };
};
