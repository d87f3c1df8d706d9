// What a log is fixed to at its first start: its name and the block of its first entry. The file `log.json`.
import { join } from 'node:path';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { isKeyName } from '../../ledger/evidence/verifierKey.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { createDurableFiles } from './durableFiles.ts';
import { readText, refuseLog } from './logFiles.ts';

const NAME = 'log.json';

/** The log before one with a next number, and when and as which record its end is stated. */
export interface PreviousLog {
  readonly origin: string;
  /** Size of its newest checkpoint that was left. */
  readonly size: number;
  /** Root of that checkpoint. */
  readonly root: Hex;
  /** Identity of the record that states it. */
  readonly record: string;
  /** When the new log began, as records have times. */
  readonly begunAt: string;
}

/** Which log a directory has. */
export interface LogIdentity {
  /** Name of the log, in every checkpoint. */
  readonly origin: string;
  /** Number of the block that is entry 0. */
  readonly firstBlock: number;
  /** Undefined for a log that continues no other. */
  readonly previous?: PreviousLog;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const isPrevious = (value: unknown): value is PreviousLog | undefined => {
  if (value === undefined) return true;
  if (!isJsonObject(value)) return false;
  const { origin, root, record, begunAt, size } = value;
  return [origin, root, record, begunAt].every((text) => typeof text === 'string') && Number.isSafeInteger(size);
};

/**
 * The identity of a directory's log; undefined when it has none.
 * @throws LedgerError LOG_CORRUPT when the file is damaged.
 */
export const readLogIdentity = async (directory: string): Promise<LogIdentity | undefined> => {
  const text = await readText(join(directory, NAME));
  if (text === undefined) return undefined;
  const { origin, first_block: firstBlock, previous } = (parse(text) ?? {}) as Record<string, unknown>;
  const isValid = typeof origin === 'string' && isKeyName(origin) && Number.isSafeInteger(firstBlock);
  if (!isValid || !isPrevious(previous)) throw refuseLog(`log/${NAME} is damaged`);
  return { origin, firstBlock: firstBlock as number, ...(previous && { previous }) };
};

/** Writes the identity of a new log, synced. */
export const writeLogIdentity = async (directory: string, identity: LogIdentity): Promise<void> => {
  const { origin, firstBlock, previous } = identity;
  const files = createDurableFiles(directory);
  await files.write(NAME, `${JSON.stringify({ origin, first_block: firstBlock, previous }, undefined, 2)}\n`);
  await files.syncNames();
};
