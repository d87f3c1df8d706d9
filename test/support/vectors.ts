// Reads test/vectors/records.json.
import { readFileSync } from 'node:fs';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';

/** One record with its encoding, keys and digests. */
export interface RecordVector {
  readonly name: string;
  readonly record: LedgerRecord;
  readonly payload: Hex;
  readonly stream_identity: string;
  readonly stream_key: Hex;
  readonly record_key: Hex;
  readonly digest: Hex;
  readonly head_after: Hex;
  readonly append_digest_alone: Hex;
}

/** The content of test/vectors/records.json. */
export interface RecordVectors {
  readonly chain_id: number;
  readonly ledger_administrator_private_key: Hex;
  readonly contract: Hex;
  readonly author_private_key: Hex;
  readonly author: Hex;
  readonly tenant_identity: string;
  readonly tenant_key: Hex;
  readonly records: readonly RecordVector[];
}

/** Reads the test vectors of records. */
export const readVectors = (): RecordVectors =>
  JSON.parse(readFileSync(new URL('../vectors/records.json', import.meta.url), 'utf8')) as RecordVectors;
