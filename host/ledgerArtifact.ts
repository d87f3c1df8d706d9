// The compiled contract: what `npm run generate` wrote and the repository has, so that the server needs no compiler.
import { readFile } from 'node:fs/promises';
import type { Hex } from '../ledger/encoding/hex.ts';

/** The contract's ABI and creation bytecode, as JSON. */
export const LEDGER_ARTIFACT = new URL('../contracts/artifact/ProvenanceLedger.json', import.meta.url);

/** Returns the creation bytecode of the ledger contract. */
export const readLedgerBytecode = async (): Promise<Hex> =>
  (JSON.parse(await readFile(LEDGER_ARTIFACT, 'utf8')) as { bytecode: Hex }).bytecode;
