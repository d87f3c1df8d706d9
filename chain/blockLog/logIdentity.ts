// What a log is fixed to at its first start: its name and the block of its first entry. The file `log.json`.
import { join } from 'node:path';
import { isKeyName } from '../../ledger/evidence/verifierKey.ts';
import { createDurableFiles } from './durableFiles.ts';
import { readText, refuseLog } from './logFiles.ts';

const NAME = 'log.json';

/** Which log a directory has. */
export interface LogIdentity {
  /** Name of the log, in every checkpoint. */
  readonly origin: string;
  /** Number of the block that is entry 0. */
  readonly firstBlock: number;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * The identity of a directory's log; undefined when it has none.
 * @throws LedgerError LOG_CORRUPT when the file is damaged.
 */
export const readLogIdentity = async (directory: string): Promise<LogIdentity | undefined> => {
  const text = await readText(join(directory, NAME));
  if (text === undefined) return undefined;
  const { origin, first_block: firstBlock } = (parse(text) ?? {}) as Record<string, unknown>;
  const isValid = typeof origin === 'string' && isKeyName(origin) && Number.isSafeInteger(firstBlock);
  if (!isValid) throw refuseLog(`log/${NAME} is damaged`);
  return { origin, firstBlock: firstBlock as number };
};

/** Writes the identity of a new log, synced. */
export const writeLogIdentity = async (directory: string, { origin, firstBlock }: LogIdentity): Promise<void> => {
  const files = createDurableFiles(directory);
  await files.write(NAME, `${JSON.stringify({ origin, first_block: firstBlock }, undefined, 2)}\n`);
  await files.syncNames();
};
