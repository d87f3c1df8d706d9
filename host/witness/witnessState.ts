// What a witness signed last for each log: the checkpoint with its own cosignature, a file each, named by the SHA-256
// of the log's origin. A file is on the disk before the cosignature in it leaves the process.
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { readText } from '../../chain/blockLog/logFiles.ts';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toUtf8 } from '../../ledger/evidence/lines.ts';
import type { TreeHead } from '../../ledger/evidence/merkleProof.ts';
import { sha256 } from '../../ledger/evidence/sha256.ts';
import { verifyCheckpoint } from '../../ledger/evidence/signedCheckpoint.ts';
import type { VerifierKey } from '../../ledger/evidence/verifierKey.ts';

const FOLDER = 'logs';
const FILE_NAME = /^[0-9a-f]{64}$/;

/** The newest checkpoint that a witness cosigned for a log. */
export interface CosignedHead extends TreeHead {
  readonly origin: string;
  /** The time of its cosignature. */
  readonly timeSeconds: number;
  /** The checkpoint with the signatures of the log and of the witness. */
  readonly note: string;
}

/** What a witness has cosigned. */
export interface WitnessState {
  /** Of a log, by its origin. */
  find(origin: string): CosignedHead | undefined;
  /** By the name of the file. */
  findByName(name: string): CosignedHead | undefined;
  /** Resolves when it is on the disk; a failure changes nothing that `find` returns. */
  save(head: CosignedHead): Promise<void>;
}

const toFileName = (origin: string): string => toHex(sha256(toUtf8(origin))).slice(2);

const decodeHead = (name: string, note: string, key: VerifierKey): CosignedHead => {
  const { checkpoint, cosigners } = verifyCheckpoint(note, [key]) ?? {};
  const timeSeconds = cosigners?.[0]?.timeSeconds;
  if (checkpoint === undefined || timeSeconds === undefined || toFileName(checkpoint.origin) !== name)
    throw new Error('this witness did not sign it');
  return { ...checkpoint, timeSeconds, note };
};

const refuseState = (problem: string, cause?: unknown): LedgerError => {
  const message =
    `${problem}. Nothing was changed. Without it this witness could contradict itself: ` +
    'begin a new one, with another key, in an empty directory';
  return new LedgerError('LOG_CORRUPT', { message, cause });
};

const readHead = async (directory: string, name: string, key: VerifierKey): Promise<CosignedHead> => {
  const path = join(directory, name);
  try {
    return decodeHead(name, (await readText(path))!, key);
  } catch (cause) {
    throw refuseState(`${path} is damaged`, cause);
  }
};

/** Creates the empty state of a new witness in a directory, synced. */
export const createWitnessState = async (directory: string): Promise<void> => {
  await mkdir(join(directory, FOLDER), { recursive: true, mode: 0o700 });
  await syncDirectory(directory);
};

/**
 * Opens the state of the witness in a directory, where it was created.
 * @param key verifies the witness's own cosignatures.
 * @throws LedgerError LOG_CORRUPT when a file is damaged, or all of them are missing.
 */
export const openWitnessState = async (directory: string, key: VerifierKey): Promise<WitnessState> => {
  const folder = join(directory, FOLDER);
  if (!existsSync(folder)) throw refuseState(`${folder} is missing`);
  // A process that was killed may have written a file, and not synced its name.
  for (const each of [directory, folder]) await syncDirectory(each);
  const heads = new Map<string, CosignedHead>();
  const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name));
  for (const name of names) heads.set(name, await readHead(folder, name, key));
  const files = createDurableFiles(folder);
  return {
    find: (origin) => heads.get(toFileName(origin)),
    findByName: (name) => heads.get(name),
    save: async (head) => {
      const name = toFileName(head.origin);
      await files.write(name, head.note);
      await files.syncNames();
      heads.set(name, head);
    },
  };
};
