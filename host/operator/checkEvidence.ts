// Checks an evidence file offline, and prints an answer to each question.
import { readFile, stat } from 'node:fs/promises';
import { verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { printAnswers } from './printAnswers.ts';

const BYTES_MAX = 16 * 1024 * 1024;

const SENTENCES = {
  0: 'PROVED under a root that you named',
  1: 'REFUTED',
  3: 'CONSISTENT, but under none of the roots that you named: the maker of the file could have made its chain',
} as const;

const readBounded = async (path: string): Promise<string> => {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new Error(`the file ${path} can't be read`, { cause });
  });
  if (size > BYTES_MAX) throw new Error(`${path} has more than 16 MiB`);
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
};

/**
 * Checks the evidence file at `path` under the roots of trust of the file at `trustPath`, and prints what it proves.
 * Resolves with the exit code: 0 proved, 1 refuted, 3 consistent but under none of the roots.
 * @throws Error when one of the files is unreadable.
 */
export const checkEvidence = async (path: string, trustPath: string): Promise<number> => {
  const { exitCode, findings, uncovered } = verifyBundle(await readBounded(path), await readBounded(trustPath));
  printAnswers({ findings, uncovered });
  console.log(SENTENCES[exitCode]);
  return exitCode;
};
