// Appends records of another ledger to this one, in their order and byte for byte, signed by the author that this
// installation has for their tenant.
import type { ChainPort, RecordLog } from '../../chain/port.ts';
import { toSignatureBytes, type Wallet } from '../../chain/wallet.ts';
import { encodeAppendSignedCall, type SignedBatch } from '../../chain/writing/appendCalls.ts';
import { toAppendGasLimit, toBatchLimits } from '../../chain/writing/submission.ts';
import type { TransactionSender } from '../../chain/writing/transactionSender.ts';
import { type RecordContent, toAppendDigest, toDomainSeparator } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { LEDGER_LIMITS } from '../settings/installationLimits.ts';

/** A record by its keys. */
export type CopiedRecord = Pick<RecordLog, 'tenantKey' | 'streamKey' | 'recordKey' | 'payload'>;

/** Appends records in transactions of many. */
export interface RecordCopier {
  append(records: Iterable<CopiedRecord>): Promise<void>;
  /** Appends what still waits for a full transaction. */
  flush(): Promise<void>;
}

interface Target {
  readonly chain: ChainPort;
  readonly contract: Hex;
  readonly relayer: TransactionSender;
  /** Author of each tenant by its key. */
  readonly authors: ReadonlyMap<Hex, Wallet>;
}

// The records of a transaction keep their order: each run of one tenant is a batch.
const toRuns = (records: readonly CopiedRecord[]): CopiedRecord[][] => {
  const runs: CopiedRecord[][] = [];
  for (const record of records) {
    const run = runs.at(-1);
    if (run?.[0]?.tenantKey === record.tenantKey) run.push(record);
    else runs.push([record]);
  }
  return runs;
};

const createSigner = ({ chain, contract, authors }: Target) => {
  const domainSeparator = toDomainSeparator({ chainId: chain.chainId, contract: fromHex(contract) });
  return (run: readonly CopiedRecord[]): SignedBatch => {
    const author = authors.get(run[0]!.tenantKey)!;
    const tenantKey = fromHex(run[0]!.tenantKey);
    const records = run.map(({ streamKey, recordKey, payload }): RecordContent => {
      const keys = { tenantKey, streamKey: fromHex(streamKey), recordKey: fromHex(recordKey) };
      return { ...keys, author: author.addressBytes, payload };
    });
    const signature = toSignatureBytes(author.sign(toAppendDigest(domainSeparator, records)));
    return { tenantKey, author: author.addressBytes, records, signature };
  };
};

/** Appends records to the contract of `target`, whose authors must include each record's tenant. */
export const createRecordCopier = (target: Target): RecordCopier => {
  const { chain, contract, relayer } = target;
  const { batchRecordsMax, batchBytesMax } = toBatchLimits(chain, LEDGER_LIMITS);
  const sign = createSigner(target);
  let waiting: CopiedRecord[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const data = encodeAppendSignedCall(toRuns(waiting).map(sign));
    const gasLimit = toAppendGasLimit(waiting.length, data.length);
    const { hash, outcome } = await relayer.send({ to: contract, data, gasLimit, isIdempotent: true });
    if (outcome !== 'succeeded') {
      throw new LedgerError('TRANSACTION_REFUSED', { message: `the new chain refuses the transaction ${hash}` });
    }
    waiting = [];
    bytes = 0;
  };
  const append = async (records: Iterable<CopiedRecord>): Promise<void> => {
    for (const record of records) {
      const { length } = record.payload;
      if (waiting.length === batchRecordsMax || bytes + length > batchBytesMax) await flush();
      waiting.push(record);
      bytes += length;
    }
  };
  return { append, flush };
};
