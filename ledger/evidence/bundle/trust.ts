// The roots of trust that a caller names (`trust.json`): what the caller knows from a source other than the file.
import type { Hex } from '../../encoding/hex.ts';
import { toHex } from '../../encoding/hex.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import { decodeVerifierKey, SIGNATURE_TYPE, type VerifierKey } from '../verifierKey.ts';
import { readHex, readInteger, readList, readObject, readString } from './jsonParts.ts';
import { parseStrictJson } from './strictJson.ts';

const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;
const ROOTS_MAX = 1_024;

/** What a caller trusts. */
export interface Trust {
  readonly chainId: number;
  readonly contract: Uint8Array;
  /** Hashes of blocks that the caller noted. */
  readonly blocks: ReadonlySet<Hex>;
  /** Keys of logs of blocks. */
  readonly logs: readonly VerifierKey[];
  readonly witnesses: readonly VerifierKey[];
  /** How many of the witnesses must have signed. */
  readonly quorum: number;
  /** Addresses of a chain's validators; empty where the caller knows none. */
  readonly validators: readonly Hex[];
  /** Hash of the contract's code. */
  readonly codeHash: Hex | undefined;
  /** Path of a PEM file with certificates of time stamping authorities. */
  readonly tsaCaFile: string | undefined;
}

const LISTS = ['blocks', 'logs', 'witnesses', 'validators'];

const OTHERS = ['quorum', 'tsa_ca_file', 'code_hash'];
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

/**
 * The roots in a `trust.json`.
 * @throws UnreadableEvidence for another form, or a quorum that isn't from 1 to the number of witnesses.
 */
export const parseTrust = (text: string): Trust => {
  const given = readObject(parseStrictJson(text), 'trust', ['chain_id', 'contract'], [...LISTS, ...OTHERS]);
  const value: typeof given = { ...Object.fromEntries(LISTS.map((name) => [name, []])), ...given };
  const witnesses = readKeys(value.witnesses, 'trust.witnesses', SIGNATURE_TYPE.cosignature);
  const quorum = value.quorum === undefined ? witnesses.length : readInteger(value.quorum, 'trust.quorum', 1);
  assertReadable(quorum <= witnesses.length, 'trust.quorum is more than there are witnesses');
  return {
    chainId: readInteger(value.chain_id, 'trust.chain_id', 1),
    contract: readHex(value.contract, 'trust.contract', ADDRESS_BYTES),
    blocks: new Set(readHexes(value.blocks, 'trust.blocks', HASH_BYTES)),
    codeHash:
      value.code_hash === undefined ? undefined : toHex(readHex(value.code_hash, 'trust.code_hash', HASH_BYTES)),
    tsaCaFile: value.tsa_ca_file === undefined ? undefined : readPath(value.tsa_ca_file, 'trust.tsa_ca_file'),
    logs: readKeys(value.logs, 'trust.logs', SIGNATURE_TYPE.note),
    witnesses,
    quorum,
    validators: readHexes(value.validators, 'trust.validators', ADDRESS_BYTES),
  };
};
