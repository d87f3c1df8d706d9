// Blocks of two chains with their receipts, and tries, as another program encodes them.
import { readFileSync } from 'node:fs';
import type { Hex } from '../../ledger/encoding/hex.ts';

interface ReceiptVector {
  readonly type: number;
  readonly status: number;
  readonly cumulative_gas_used: number;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
  readonly encoded: Hex;
}

export interface BlockVector {
  readonly chain: string;
  readonly number: number;
  /** Seconds. */
  readonly time: number;
  readonly hash: Hex;
  readonly header: Hex;
  readonly receipts_root: Hex;
  readonly receipts: readonly ReceiptVector[];
  readonly nodes: readonly Hex[];
  readonly proofs: readonly (readonly number[])[];
}

interface TrieVectors {
  readonly blocks: readonly BlockVector[];
  readonly lists: readonly { readonly count: number; readonly root: Hex; readonly proofs: Hex }[];
  readonly maps: readonly {
    readonly root: Hex;
    readonly entries: readonly { readonly key: string; readonly value: string; readonly nodes: readonly Hex[] }[];
  }[];
}

/** Reads test/vectors/receiptTries.json. */
export const readTrieVectors = (): TrieVectors =>
  JSON.parse(readFileSync(new URL('../vectors/receiptTries.json', import.meta.url), 'utf8')) as TrieVectors;

/** Item `index` of the lists in the vectors. */
export const listItem = (index: number): Uint8Array =>
  Uint8Array.from({ length: 1 + ((index * 37) % 70) }, (_, at) => index + at);
