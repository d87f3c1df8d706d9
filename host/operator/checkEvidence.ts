// Checks an evidence file offline, and prints an answer to each question.
import { createReadStream } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isEvidenceFile } from '../../ledger/evidence/bundle/bundle.ts';
import { parseStrictJson } from '../../ledger/evidence/bundle/strictJson.ts';
import { type EvidenceFiles, type EvidenceVerdict, verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import { console } from '../commandProcess.ts';
import { toLedgerCodeHash } from '../files/ledgerCode.ts';
import { printAnswers } from './printAnswers.ts';
import { createProgress } from './progress.ts';

const BYTES_MAX = 16 * 1024 * 1024;

const SENTENCES = {
  0: 'PROVED under a root that you named',
  1: 'REFUTED',
  3: 'CONSISTENT, but no root that you named proves the chain: the maker of the file could have made it',
} as const;

// It removes a byte order mark.
const decoder = new TextDecoder('utf-8', { fatal: true });

const toUnread = (path: string, cause: unknown): Error => new Error(`the file ${path} can't be read`, { cause });

const toSize = async (path: string): Promise<number> => {
  const found = await stat(path).catch((cause: unknown) => {
    throw toUnread(path, cause);
  });
  if (found.isDirectory()) throw new Error(`${path} is a directory, not a file`);
  return found.size;
};

const decode = (bytes: Uint8Array, path: string): string => {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new Error(`${path} is not UTF-8`, { cause });
  }
};

const readBounded = async (path: string): Promise<string> => {
  if ((await toSize(path)) > BYTES_MAX) throw new Error(`${path} has more than 16 MiB`);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw toUnread(path, cause);
  });
  return decode(bytes, path);
};

const LEAVES = '.leaves';

// Opened when it is read: only a tenant's list needs it.
async function* readParts(path: string): AsyncGenerator<Uint8Array> {
  const onStep = createProgress();
  const total = await toSize(path);
  let done = 0;
  for await (const part of createReadStream(path) as AsyncIterable<Uint8Array>) {
    yield part;
    done += part.length;
    onStep({ title: 'reading the leaves', unit: 'bytes', done, total });
  }
}

const findLeaves = async (path: string, given: string | undefined): Promise<AsyncIterable<Uint8Array> | undefined> => {
  const leavesPath = given ?? `${path}${LEAVES}`;
  const isThere = await access(leavesPath).then(
    () => true,
    () => false,
  );
  if (!isThere && given !== undefined) throw new Error(`the file ${given} can't be read`);
  return isThere ? readParts(leavesPath) : undefined;
};

// An unreadable file may be an event, which the API returns as JSON, too.
const explain = (error: unknown, text: string): unknown => {
  if (!(error instanceof UnreadableEvidence) || isEvidenceFile(parseStrictJson(text))) return error;
  return new Error('this is no evidence file; an event needs --rpc and --contract', { cause: error });
};

const verify = async (text: string, trust: string, files: EvidenceFiles): Promise<EvidenceVerdict> => {
  try {
    return await verifyBundle(text, trust, files);
  } catch (error) {
    throw explain(error, text);
  }
};

/** Where an evidence file and what belongs to it are. */
export interface EvidencePaths {
  readonly path: string;
  /** Path of a `trust.json`. */
  readonly trust: string;
  /** Path of the leaves of a tenant's list; the path of the file with `.leaves` unless it is given. */
  readonly leaves?: string | undefined;
}

/**
 * Checks an evidence file under the roots of trust of another file, and prints what it proves. Resolves with the exit
 * code: 0 proved, 1 refuted, 3 consistent but no root proves the chain.
 * @throws Error when one of the files is unreadable.
 */
export const checkEvidence = async ({ path, trust, leaves }: EvidencePaths): Promise<number> => {
  const texts = [await readBounded(path), await readBounded(trust)] as const;
  const { exitCode, findings, uncovered } = await verify(...texts, {
    leaves: await findLeaves(path, leaves),
    readText: (named) => readBounded(resolve(dirname(trust), named)),
    readCodeHash: toLedgerCodeHash,
  });
  printAnswers({ findings, uncovered });
  console.log(SENTENCES[exitCode]);
  return exitCode;
};
