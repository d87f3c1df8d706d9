// The compiled contract, as `hardhat build` leaves it.
import { readFile } from 'node:fs/promises';
import type { Hex } from '../ledger/encoding/hex.ts';

const ARTIFACT = new URL('../artifacts/contracts/ProvenanceLedger.sol/ProvenanceLedger.json', import.meta.url);

/** Creation bytecode of the ledger contract. */
export const readLedgerBytecode = async (): Promise<Hex> =>
  (JSON.parse(await readFile(ARTIFACT, 'utf8')) as { bytecode: Hex }).bytecode;
