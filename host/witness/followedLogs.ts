// The logs that a witness follows: verifier keys as texts, in options and in a file with one a line.
import { readFile } from 'node:fs/promises';
import { decodeVerifierKey, SIGNATURE_TYPE, type VerifierKey } from '../../ledger/evidence/verifierKey.ts';

const LOGS_MAX = 1_000;

const toLogKey = (text: string): VerifierKey => {
  try {
    const key = decodeVerifierKey(text);
    if (key.type === SIGNATURE_TYPE.note) return key;
  } catch (cause) {
    throw new Error(`${JSON.stringify(text)} is not the verifier key of a log`, { cause });
  }
  throw new Error(`${JSON.stringify(text)} is a key for cosignatures; the log has another one for its signatures`);
};

const readKeys = async (path: string): Promise<string[]> => {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
};

/**
 * The keys of the logs that a witness follows. The name of a key is the origin of its log, which may have several.
 * @param file has a key in each line; empty lines and those that begin with `#` are ignored.
 * @throws Error for anything that isn't the key of a log, and beyond 1,000 keys.
 */
export const readFollowedLogs = async (texts: readonly string[], file: string | undefined): Promise<VerifierKey[]> => {
  const all = new Set([...texts, ...(file === undefined ? [] : await readKeys(file))]);
  if (all.size > LOGS_MAX) throw new Error(`a witness follows at most ${LOGS_MAX} logs`);
  return [...all].map(toLogKey);
};
