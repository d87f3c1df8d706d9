// The roots of trust that a caller names (`trust.json`): what the caller knows from a source other than the file.
import type { Hex } from '../../encoding/hex.ts';
import { toHex } from '../../encoding/hex.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import { decodeVerifierKey, SIGNATURE_TYPE, type VerifierKey } from '../verifierKey.ts';
import { type LedgerName, readLedgerName } from './blocks.ts';
import { type JsonObject, readHex, readInteger, readList, readObject, readString } from './jsonParts.ts';
import { parseStrictJson } from './strictJson.ts';

const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;
const ROOTS_MAX = 1_024;

/** What a caller trusts of one ledger. */
export interface LedgerTrust extends LedgerName {
  /** Hashes of blocks that the caller noted. */
  readonly blocks: ReadonlySet<Hex>;
  /** Keys of logs of blocks. */
  readonly logs: readonly VerifierKey[];
  readonly witnesses: readonly VerifierKey[];
  /** How many of the witnesses must have signed. */
  readonly quorum: number;
  /** Addresses of a chain's validators; empty where the caller knows none. */
  readonly validators: readonly Hex[];
}

/** What a caller trusts. */
export interface Trust extends LedgerTrust {
  /** Other ledgers, which may have records of checkpoints. */
  readonly elsewhere: readonly LedgerTrust[];
  /** Hash of the contract's code. */
  readonly codeHash: Hex | undefined;
  /** Path of a PEM file with certificates of time stamping authorities. */
  readonly tsaCaFile: string | undefined;
}

const LISTS = ['blocks', 'logs', 'witnesses', 'validators'];
const OF_LEDGER = [...LISTS, 'quorum'];
const OTHERS = ['tsa_ca_file', 'code_hash', 'elsewhere'];
const LEDGERS_MAX = 16;
const PATH_MAX = 1_024;

const readPath = (value: unknown, where: string): string => {
  const path = readString(value, where);
  assertReadable(path !== '' && path.length <= PATH_MAX, `${where} is no path`);
  return path;
};

const readKeys = (value: unknown, where: string, type: VerifierKey['type']): VerifierKey[] =>
  readList(value, where, ROOTS_MAX).map((text) => {
    const key = decodeVerifierKey(readString(text, where));
    assertReadable(key.type === type, `${where} has a key of another type`);
    return key;
  });

const readHexes = (value: unknown, where: string, length: number): Hex[] =>
  readList(value, where, ROOTS_MAX).map((text) => toHex(readHex(text, where, length)));

const readLedgerTrust = (given: JsonObject, where: string): LedgerTrust => {
  const value: JsonObject = { ...Object.fromEntries(LISTS.map((name) => [name, []])), ...given };
  const witnesses = readKeys(value.witnesses, `${where}.witnesses`, SIGNATURE_TYPE.cosignature);
  const quorum = value.quorum === undefined ? witnesses.length : readInteger(value.quorum, `${where}.quorum`, 1);
  assertReadable(quorum <= witnesses.length, `${where}.quorum is more than there are witnesses`);
  return {
    ...readLedgerName({ chain_id: value.chain_id, contract: value.contract }, where),
    blocks: new Set(readHexes(value.blocks, `${where}.blocks`, HASH_BYTES)),
    logs: readKeys(value.logs, `${where}.logs`, SIGNATURE_TYPE.note),
    witnesses,
    quorum,
    validators: readHexes(value.validators, `${where}.validators`, ADDRESS_BYTES),
  };
};

const readOptional = <T>(value: unknown, where: string, read: (value: unknown, where: string) => T): T | undefined =>
  value === undefined ? undefined : read(value, where);

const NAMES = ['chain_id', 'contract'];

const readElsewhere = (value: unknown, where: string): LedgerTrust[] =>
  readList(value, where, LEDGERS_MAX).map((one) => readLedgerTrust(readObject(one, where, NAMES, OF_LEDGER), where));

/**
 * The roots in a `trust.json`.
 * @throws UnreadableEvidence for another form, or a quorum that isn't from 1 to the number of witnesses.
 */
export const parseTrust = (text: string): Trust => {
  const value = readObject(parseStrictJson(text), 'trust', NAMES, [...OF_LEDGER, ...OTHERS]);
  const readCode = (code: unknown, where: string): Hex => toHex(readHex(code, where, HASH_BYTES));
  return {
    ...readLedgerTrust(value, 'trust'),
    elsewhere: readOptional(value.elsewhere, 'trust.elsewhere', readElsewhere) ?? [],
    codeHash: readOptional(value.code_hash, 'trust.code_hash', readCode),
    tsaCaFile: readOptional(value.tsa_ca_file, 'trust.tsa_ca_file', readPath),
  };
};
