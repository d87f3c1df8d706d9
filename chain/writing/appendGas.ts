// How much gas a transaction that appends records may need: measured (docs/measurements/gas.md), so that no node is
// asked for an estimate. Chains can count gas differently, so the receipts correct it.
import { PAYLOAD_BYTES_MAX } from '../../ledger/records/record.ts';
import type { ChainPort } from '../port.ts';

// Upper bounds on a chain with Ethereum's gas costs: 21,000 and the check of the call; a tenant's signature, and the
// levels that its tree may get; a record in a new stream; a byte of calldata and of the log.
const GAS_PER_TRANSACTION = 60_000;
const GAS_PER_TENANT = 100_000;
const GAS_PER_RECORD = 54_000;
const GAS_PER_BYTE = 27;
/** EIP-7623: what a transaction costs at least, besides 21,000. */
const FLOOR_PER_BYTE = 40;

/** Contents of a transaction that appends records. */
export interface AppendSize {
  readonly tenants: number;
  readonly records: number;
  readonly calldataBytes: number;
}

const toMeasuredGas = ({ tenants, records, calldataBytes }: AppendSize): number =>
  Math.max(
    GAS_PER_TRANSACTION + tenants * GAS_PER_TENANT + records * GAS_PER_RECORD + calldataBytes * GAS_PER_BYTE,
    GAS_PER_TRANSACTION + calldataBytes * FLOOR_PER_BYTE,
  );

/** Upper bounds of calldata and of transaction bytes for each record besides its payload, and for each tenant. */
const BYTES_PER_RECORD = 224 + 60;
const BYTES_PER_TENANT = 512;
const BYTES_PER_TRANSACTION = 1_024;

/** Gas for the largest record alone: a chain with a lower limit per transaction can't carry the ledger. */
export const GAS_OF_LARGEST_RECORD = toMeasuredGas({
  tenants: 1,
  records: 1,
  calldataBytes: PAYLOAD_BYTES_MAX + BYTES_PER_RECORD + BYTES_PER_TENANT,
});

/** Percent of the used gas that a limit has at least. */
const MARGIN_PERCENT = 110;
/** A chain whose gas costs many times as much is another one; a receipt may be a lie. */
const PERCENT_MAX = 1_000;

/** What counts of a record. */
export interface MeasuredRecord {
  readonly tenantIdentity: string;
  /** `encodePayload(record)`. */
  readonly payload: Uint8Array;
}

/** Gas limits of one chain. */
export interface AppendGas {
  /** A sufficient gas limit. */
  toLimit(size: AppendSize): number;
  /** Learns from a transaction that succeeded. `gasUsed` is undefined where it isn't known. */
  learn(size: AppendSize, gasUsed: number | undefined): void;
  /** Returns a function that counts the records of one transaction: whether the next one still fits the chain. */
  measureTransaction(): (record: MeasuredRecord) => boolean;
}

/** Gas limits on a chain, `percent` of what was measured at first. */
export const createAppendGas = (
  { batchGasMax, transactionBytesMax }: Pick<ChainPort, 'batchGasMax' | 'transactionBytesMax'>,
  percent = 100,
): AppendGas => {
  let learned = percent;
  const toLimit = (size: AppendSize): number => Math.ceil((toMeasuredGas(size) * learned) / 100);
  return {
    toLimit,
    learn: (size, gasUsed = 0) => {
      const needed = Math.ceil((gasUsed * MARGIN_PERCENT) / toMeasuredGas(size));
      learned = Math.min(Math.max(learned, needed), PERCENT_MAX);
    },
    measureTransaction: () => {
      const tenants = new Set<string>();
      let records = 0;
      let calldataBytes = 0;
      return ({ tenantIdentity, payload }) => {
        if (!tenants.has(tenantIdentity)) calldataBytes += BYTES_PER_TENANT;
        tenants.add(tenantIdentity);
        records += 1;
        calldataBytes += payload.length + BYTES_PER_RECORD;
        const fitsBytes = calldataBytes + BYTES_PER_TRANSACTION <= transactionBytesMax;
        return fitsBytes && toLimit({ tenants: tenants.size, records, calldataBytes }) <= batchGasMax;
      };
    },
  };
};
