// The configuration of a chain before its first block. It is written once, at the first start, and read at every later
// one: a new default must not change an existing chain. Both formats have one transaction in each block. Format 1 is
// that of version 0.1, whose contract has no Merkle tree.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { LedgerError } from '../../ledger/errors.ts';

/** The refusal of a chain of format 1. */
export class OutdatedLedger extends Error {
  constructor() {
    super(
      'the ledger of this directory is of version 0.1, whose contract has no Merkle tree. Copy it into a new ' +
        'directory: npm run migrate -- OLD NEW',
    );
    this.name = 'OutdatedLedger';
  }
}

/** Parameters that stay the same for the life of a chain. */
export interface GenesisConfig {
  readonly formatVersion: 1 | 2;
  readonly chainId: number;
  readonly genesisTimeSeconds: number;
  readonly hardfork: 'cancun';
  readonly blockGasLimit: number;
  /** Largest gas limit of a transaction: far below half a block's, so that the base fee stays zero. */
  readonly transactionGasMax: number;
  /** Lower-case address that every block names as its beneficiary. Chains from before this field name `NOBODY`. */
  readonly coinbase?: Hex;
}

/** Beneficiary of a chain that records none: an address without a known key. */
export const NOBODY: Hex = '0x00000000000000000000000000000000000c0ffe';

/** The journal's genesis entry: the configuration, and the hash of the block 0 that it produced. */
export interface Genesis {
  readonly config: GenesisConfig;
  readonly hash: Hex;
}

const FIELDS: Record<Exclude<keyof GenesisConfig, 'coinbase'>, (value: unknown) => boolean> = {
  formatVersion: (value) => value === 1 || value === 2,
  chainId: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  genesisTimeSeconds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  hardfork: (value) => value === 'cancun',
  blockGasLimit: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  transactionGasMax: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};

/** Configuration of a new chain with this genesis time, in seconds since 1970. */
export const createGenesisConfig = (chainId: number, genesisTimeSeconds: number, coinbase?: Hex): GenesisConfig => ({
  formatVersion: 2,
  chainId,
  genesisTimeSeconds,
  hardfork: 'cancun',
  blockGasLimit: 1_000_000_000,
  transactionGasMax: 2 ** 26,
  ...(coinbase === undefined ? {} : { coinbase }),
});

// The genesis block's hash doesn't cover every field, so the entry has a checksum.
const toChecksum = (config: unknown): Hex => toHex(keccak256(Buffer.from(JSON.stringify(config), 'utf8')));

/** Encodes the genesis entry: JSON with a checksum. */
export const encodeGenesis = ({ config, hash }: Genesis): Uint8Array =>
  Buffer.from(JSON.stringify({ config, hash, checksum: toChecksum(config) }), 'utf8');

const isConfig = (value: unknown): value is GenesisConfig => {
  if (typeof value !== 'object' || value === null) return false;
  const { coinbase, ...fields } = value as Record<string, unknown>;
  const hasAll = Object.entries(FIELDS).every(([name, isValid]) => isValid(fields[name]));
  const isCoinbase = coinbase === undefined || (typeof coinbase === 'string' && /^0x[0-9a-f]{40}$/.test(coinbase));
  return hasAll && isCoinbase && Object.keys(fields).length === Object.keys(FIELDS).length;
};

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new LedgerError('CHAIN_CORRUPT', { message: 'The journal: the genesis entry is damaged', cause });
  }
};

/**
 * Decodes the genesis entry.
 * @throws LedgerError CHAIN_CORRUPT for a damaged entry, or one in a format that this version does not support.
 */
export const decodeGenesis = (bytes: Uint8Array): Genesis => {
  const { config, hash, checksum } = (parse(bytes) ?? {}) as Record<string, unknown>;
  const isHash = typeof hash === 'string' && /^0x[0-9a-f]{64}$/.test(hash);
  if (!isConfig(config) || !isHash || checksum !== toChecksum(config)) {
    throw new LedgerError('CHAIN_CORRUPT', {
      message: 'The journal: the genesis entry is damaged or of another version',
    });
  }
  return { config, hash: hash as Hex };
};
