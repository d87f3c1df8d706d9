// The code that the compiled contract has after its deployment at an address, as a proof of its account shows it.
import { readFile } from 'node:fs/promises';
import { toDomainSeparator } from '../../ledger/encoding/digest.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { LEDGER_ARTIFACT } from './ledgerArtifact.ts';

const WORD = 32;
/** Name of the EIP-712 domain. */
export const DOMAIN_NAME = 'ProvenanceLedger';
const VERSION = '1';

interface Artifact {
  readonly bytecode: Hex;
  /** Where the code begins in the creation bytecode, and in the code the places of each value of the constructor. */
  readonly runtime: { readonly start: number; readonly length: number; readonly immutables: readonly number[][] };
}

const toWord = (bytes: Uint8Array): Uint8Array => {
  const word = new Uint8Array(WORD);
  word.set(bytes, WORD - bytes.length);
  return word;
};

const toNumberWord = (value: number): Uint8Array => {
  const word = Buffer.alloc(WORD);
  word.writeBigUInt64BE(BigInt(value), WORD - 8);
  return word;
};

// A text of less than 32 bytes, followed by zeros and its length.
const toShortString = (text: string): Uint8Array => {
  const word = Buffer.alloc(WORD);
  word.write(text);
  word[WORD - 1] = text.length;
  return word;
};

const hashText = (text: string): Uint8Array => keccak256(Buffer.from(text));

/** What the constructor of OpenZeppelin's EIP712 sets, in the order of the declarations. */
const toImmutables = (ledger: { readonly chainId: number; readonly contract: Uint8Array }): Uint8Array[] => [
  toDomainSeparator(ledger),
  toNumberWord(ledger.chainId),
  toWord(ledger.contract),
  hashText(DOMAIN_NAME),
  hashText(VERSION),
  toShortString(DOMAIN_NAME),
  toShortString(VERSION),
];

/**
 * Keccak-256 of the code that the compiled contract has on a chain at an address.
 * @throws Error when the artifact is missing or damaged.
 */
export const toLedgerCodeHash = async (ledger: {
  readonly chainId: number;
  readonly contract: Uint8Array;
}): Promise<Hex> => {
  const { bytecode, runtime } = JSON.parse(await readFile(LEDGER_ARTIFACT, 'utf8')) as Artifact;
  const { start, length, immutables } = runtime;
  const code = Buffer.from(bytecode.slice('0x'.length), 'hex').subarray(start, start + length);
  const words = toImmutables(ledger);
  if (words.length !== immutables.length)
    throw new Error('the compiled contract has other values than its constructor');
  for (const [at, places] of immutables.entries()) for (const place of places) code.set(words[at]!, place);
  return toHex(keccak256(code));
};
