// The compiled contract: what `npm run generate` wrote and the repository has, so that the server needs no compiler.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Hex } from '../../ledger/encoding/hex.ts';

/** The contract's ABI and creation bytecode, as JSON. */
export const LEDGER_ARTIFACT = new URL('../../contracts/artifact/ProvenanceLedger.json', import.meta.url);

const REMEDY = 'restore it with `git checkout contracts/artifact`, or compile it with `npm run generate`';

const isBytecode = (value: unknown): value is Hex => typeof value === 'string' && /^0x(?:[0-9a-f]{2})+$/.test(value);

const parseBytecode = (text: string): Hex => {
  const { bytecode } = JSON.parse(text) as { bytecode?: unknown };
  if (!isBytecode(bytecode)) throw new Error('it has no bytecode');
  return bytecode;
};

/**
 * Returns the creation bytecode of the ledger contract.
 * @throws Error that names the file and the remedy when it is missing or damaged
 */
export const readLedgerBytecode = async (artifact = LEDGER_ARTIFACT): Promise<Hex> => {
  try {
    return parseBytecode(await readFile(artifact, 'utf8'));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const state = code === 'ENOENT' ? 'is missing' : `is unusable (${message})`;
    throw new Error(`the compiled contract ${fileURLToPath(artifact)} ${state}: ${REMEDY}`, { cause });
  }
};
