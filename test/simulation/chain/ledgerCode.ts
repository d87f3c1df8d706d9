// The bytes of the ledger contract: what creates it, and what is then at its address.
import { readFileSync } from 'node:fs';
import { LEDGER_ARTIFACT } from '../../../host/files/ledgerArtifact.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { Reverted, WORD } from './calldata.ts';

const { bytecode } = JSON.parse(readFileSync(LEDGER_ARTIFACT, 'utf8')) as { bytecode: Hex };
const CREATION_CODE = fromHex(bytecode);

// The creation code ends with RETURN and INVALID; the runtime code follows, and begins as all of Solidity's.
const RUNTIME_MARK = 'f3fe60806040';
const RUNTIME_CODE: Hex = `0x${bytecode.slice(bytecode.indexOf(RUNTIME_MARK) + 4)}`;

/** The code at the contract's address: the compiled one, with zeros for the values that the constructor computes. */
export const LEDGER_CODE = { bytes: RUNTIME_CODE, isLedger: true } as const;

/** Whether the data of a creation creates the ledger contract. */
export const isLedgerCreation = (data: Uint8Array): boolean =>
  Buffer.compare(data.subarray(0, CREATION_CODE.length), CREATION_CODE) === 0;

/**
 * The account that the data of a creation names as the ledger's administrator.
 * @throws Reverted when it names none.
 */
export const readConstructorArgument = (data: Uint8Array): Hex => {
  const word = data.subarray(CREATION_CODE.length, CREATION_CODE.length + WORD);
  if (word.length < WORD || word.subarray(0, 12).some((byte) => byte !== 0)) throw new Reverted();
  return toHex(word.subarray(12));
};
