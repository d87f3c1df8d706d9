// Collects everything about the blocks that can't be restored with their original hash: their transactions, which
// journal or copy may have after a missing block, and their records, which the index may have.
import type { JournalBlock } from '../../chain/embedded/journal/journalBlock.ts';
import type { Salvage } from '../../chain/embedded/journal/salvage.ts';
import { decodeSignedTransaction } from '../../chain/signedTransaction.ts';
import type { Hole, Inventory, InventoryRecord, RecordKeys } from '../../indexer/inventory.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toKey } from '../../ledger/identity.ts';
import { decodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { readBatches } from './repairCalldata.ts';
import type { SalvagedIndex } from './repairIndex.ts';

/** A record of a missing block. */
export interface MissingRecord {
  readonly tenantKey: Hex;
  readonly recordKey: Hex;
  /** Undefined when nothing in the directory names the tenant of the key. */
  readonly tenantIdentity: string | undefined;
  /** Undefined when the payload is no record of this ledger. */
  readonly record: LedgerRecord | undefined;
  readonly payload: Uint8Array;
  /** Lower-case. */
  readonly author: Hex;
  readonly blockNumber: number;
  readonly transactionHash: Hex;
}

/** A signed transaction of a missing block. */
export interface MissingTransaction {
  readonly hash: Hex;
  readonly raw: Uint8Array;
  /** Lower-case; recovered from the signature. */
  readonly from: Hex;
  readonly to: Hex | undefined;
  readonly data: Uint8Array;
  readonly nonce: number;
  readonly gasLimit: number;
  /** Wei. */
  readonly value: bigint;
}

export interface MissingBlock {
  readonly number: number;
  readonly transaction: MissingTransaction | undefined;
  /** Records of the transaction and of the index, each once. */
  readonly records: readonly MissingRecord[];
  /** Whether the index is undamaged and has all records of the block. */
  readonly isIndexed: boolean;
}

/** Blocks of which something is lost, with the reason. */
export interface UnexplainedBlocks {
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly reason: string;
}

export interface Gap {
  readonly blocks: readonly MissingBlock[];
  readonly unexplained: readonly UnexplainedBlocks[];
  /** Why the index can't be trusted completely; undefined when it can. */
  readonly indexDamage: string | undefined;
  /** Every record that a damaged index names: the repaired chain must have it, or it is lost. */
  readonly names: readonly RecordKeys[];
  /**
   * Whether the records of the index can be appended again: they have checksums, or the files of the index are
   * undamaged.
   */
  readonly isTrusted: boolean;
}

/** Identities of tenants by their keys in hexadecimal. */
export type TenantsByKey = ReadonlyMap<Hex, string>;

const decodeMissing = ({ transaction: raw }: JournalBlock): MissingTransaction | undefined => {
  try {
    const { from, data, fields } = decodeSignedTransaction(raw);
    if (from === null) return undefined;
    const { to, nonce, gasLimit, value } = fields;
    return {
      hash: toHex(keccak256(raw)),
      raw,
      from,
      to: (to?.toLowerCase() ?? undefined) as Hex | undefined,
      data,
      nonce,
      gasLimit: Number(gasLimit),
      value,
    };
  } catch (error) {
    // Damaged bytes cause errors of many kinds.
    if (error instanceof Error && !(error instanceof LedgerError)) return undefined;
    throw error;
  }
};

const readTransactionRecords = (
  number: number,
  transaction: MissingTransaction | undefined,
  { contract, tenants }: { contract: Hex; tenants: TenantsByKey },
): MissingRecord[] => {
  if (transaction === undefined || transaction.to !== contract) return [];
  return readBatches(transaction).flatMap(({ tenantKey, author, records }) =>
    records.map(({ recordKey, payload }) => ({
      tenantKey,
      recordKey,
      tenantIdentity: tenants.get(tenantKey),
      record: decodePayload(payload),
      payload,
      author,
      blockNumber: number,
      transactionHash: transaction.hash,
    })),
  );
};

const fromIndex = (
  { tenantKey, tenantIdentity, record, payload, place }: InventoryRecord,
  tenants: TenantsByKey,
): MissingRecord => ({
  tenantKey,
  recordKey: toHex(toKey(record.identity)),
  tenantIdentity: tenantIdentity ?? tenants.get(tenantKey),
  record,
  payload,
  author: place.author,
  blockNumber: place.blockNumber,
  transactionHash: place.transactionHash,
});

/** Name of a record among those of all tenants. */
export const toRecordName = ({ tenantKey, recordKey }: RecordKeys): string => `${tenantKey} ${recordKey}`;

const toBlock = (
  number: number,
  transaction: MissingTransaction | undefined,
  { ofIndex, ofTransaction }: { ofIndex: readonly MissingRecord[]; ofTransaction: readonly MissingRecord[] },
  isIndexed: boolean,
): MissingBlock => {
  // An undamaged index shows which transactions had an effect.
  const isWithoutEffect = isIndexed && ofIndex.length === 0 && ofTransaction.length > 0;
  const all = isIndexed ? ofIndex : [...ofIndex, ...ofTransaction];
  const records = [...new Map(all.toReversed().map((record) => [toRecordName(record), record])).values()].toReversed();
  return { number, transaction: isWithoutEffect ? undefined : transaction, records, isIndexed };
};

const NOTHING_KNOWN = 'nothing is known of it';

const toHoleReason = ({ tenantKey, count }: Hole, tenants: TenantsByKey): string => {
  const owner =
    tenantKey === undefined ? '' : ` of ${tenants.get(tenantKey) ?? `the tenant with the key ${tenantKey}`}`;
  return `the index lacks ${count} records${owner} that were in these blocks`;
};

const findUnexplained = (
  blocks: readonly MissingBlock[],
  holes: readonly Hole[],
  tenants: TenantsByKey,
): UnexplainedBlocks[] => {
  const unexplained: UnexplainedBlocks[] = [];
  for (const { number, transaction, records, isIndexed } of blocks) {
    if (isIndexed || transaction !== undefined || records.length > 0) continue;
    const last = unexplained.at(-1);
    if (last?.lastBlock === number - 1) unexplained.pop();
    const firstBlock = last?.lastBlock === number - 1 ? last.firstBlock : number;
    unexplained.push({ firstBlock, lastBlock: number, reason: NOTHING_KNOWN });
  }
  // Blocks whose transactions are known need no index.
  const isRead = ({ firstBlock, lastBlock }: Hole): boolean =>
    blocks
      .filter(({ number }) => number >= firstBlock && number <= lastBlock)
      .every(({ transaction }) => transaction !== undefined);
  const open = holes.filter((hole) => !isRead(hole));
  return [
    ...unexplained,
    ...open.map((hole) => ({
      firstBlock: hole.firstBlock,
      lastBlock: hole.lastBlock,
      reason: toHoleReason(hole, tenants),
    })),
  ];
};

const toDamage = ({ damage }: SalvagedIndex, { damagedRows }: Inventory): string | undefined => {
  const rows = damagedRows === 0 ? [] : [`${damagedRows} of its rows are damaged`];
  const all = [...(damage === undefined ? [] : [damage]), ...rows];
  return all.length === 0 ? undefined : all.join('; ');
};

export interface GapRange {
  /** Newest block that was restored. */
  readonly afterBlock: number;
  readonly newestKnown: number;
}

/** Collects the gap: everything about the blocks after the restored ones. `contract` is the ledger's address. */
export const readGap = async (
  { salvage, index }: { salvage: Salvage; index: SalvagedIndex },
  { afterBlock, newestKnown }: GapRange,
  ledger: { contract: Hex; tenants: TenantsByKey },
): Promise<Gap> => {
  const inventory = await index.readInventory(afterBlock);
  const indexDamage = toDamage(index, inventory);
  const isUndamaged = indexDamage === undefined;
  const indexed = Map.groupBy(
    inventory.records.map((record) => fromIndex(record, ledger.tenants)),
    ({ blockNumber }) => blockNumber,
  );
  const transactions = new Map<number, MissingTransaction | undefined>();
  for await (const block of salvage.readBlocks(afterBlock + 1, newestKnown)) {
    transactions.set(block.number, decodeMissing(block));
  }
  const blocks = Array.from({ length: newestKnown - afterBlock }, (_, at) => {
    const number = afterBlock + 1 + at;
    const transaction = transactions.get(number);
    const ofTransaction = readTransactionRecords(number, transaction, ledger);
    const isIndexed = isUndamaged && number <= (index.cursor?.blockNumber ?? 0);
    return toBlock(number, transaction, { ofIndex: indexed.get(number) ?? [], ofTransaction }, isIndexed);
  });
  return {
    blocks,
    unexplained: findUnexplained(blocks, isUndamaged ? [] : inventory.holes, ledger.tenants),
    indexDamage,
    names: isUndamaged ? [] : inventory.names,
    isTrusted: isUndamaged || index.isChecked,
  };
};
