// The files of a repair. Replaced files are kept under a name with the date. Every step is one rename, so that an
// interrupted repair continues where it was.
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { writeCommittedBlock } from '../../chain/writing/outboxStore.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { type KnownLedger, writeKnownLedger } from '../knownLedger.ts';

/** Moves a directory or file, durably. */
const move = async (from: string, to: string): Promise<void> => {
  await rename(from, to);
  await syncDirectory(dirname(to));
};

/** Moves a path to a name with the date beside it. Resolves with that name; undefined if the path doesn't exist. */
const putAside = async (path: string, nowMs: number): Promise<string | undefined> => {
  if (!existsSync(path)) return undefined;
  const aside = `${path}.damaged-${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
  await move(path, aside);
  return aside;
};

/** The state of a directory's ledger after records were appended again. */
export interface Appendix {
  readonly ledger: KnownLedger;
  /** Newest block of the repaired chain. */
  readonly committedBlock: number;
}

/** Its form in a file, whose field keeps the name that earlier versions gave it. */
type StoredAppendix = Pick<Appendix, 'ledger'> & { readonly settledBlock: number };

const writeAppendix = async (path: string, { ledger, committedBlock }: Appendix): Promise<void> => {
  const stored: StoredAppendix = { ledger, settledBlock: committedBlock };
  await using file = await open(`${path}.tmp`, 'w', 0o600);
  await file.writeFile(JSON.stringify(stored));
  await file.sync();
  await move(`${path}.tmp`, path);
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

// An index of the lost blocks would be ahead of the chain.
const placeAppendix = async (dataDir: string, nowMs: number): Promise<(string | undefined)[]> => {
  const { repairing, recentBlocks, index, outbox } = dataPaths(dataDir);
  if (!existsSync(repairing)) return [];
  const { ledger, settledBlock } = JSON.parse(await readFile(repairing, 'utf8')) as StoredAppendix;
  const aside = [await putAside(recentBlocks, nowMs), await putAside(index, nowMs)];
  await writeKnownLedger(dataDir, 'embedded', ledger);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  await writeCommittedBlock(outbox, settledBlock);
  return aside;
};

/** Whether a repair has a complete chain that is not in its place yet. */
export const hasRepairedChain = (dataDir: string): boolean => existsSync(dataPaths(dataDir).repairedChain);

/**
 * Finishes a repair that has a complete chain: puts everything in its place, the chain last. Resolves with the paths of
 * the replaced files. A repair without such a chain has changed nothing, and is abandoned.
 */
export const finishRepair = async (dataDir: string, nowMs: number): Promise<string[]> => {
  const { chain, repairedChain, repairing } = dataPaths(dataDir);
  const aside: (string | undefined)[] = [];
  if (hasRepairedChain(dataDir)) {
    aside.push(...(await placeAppendix(dataDir, nowMs)), await putAside(chain, nowMs));
    await move(repairedChain, chain);
  }
  if (existsSync(repairing)) {
    await rm(repairing);
    await syncDirectory(dataDir);
  }
  return aside.filter(isDefined);
};

/**
 * Puts the chain of `building` in its place. As soon as it has its name, an interrupted repair continues in
 * `finishRepair`.
 */
export const placeRepair = async (
  dataDir: string,
  { building, appendix }: { building: string; appendix: Appendix | undefined },
  nowMs: number,
): Promise<string[]> => {
  const { repairedChain, repairing } = dataPaths(dataDir);
  if (appendix !== undefined) await writeAppendix(repairing, appendix);
  await syncDirectory(building);
  await move(building, repairedChain);
  return finishRepair(dataDir, nowMs);
};

/** @throws Error when a repair was interrupted: the index has records that the chain does not have yet. */
export const assertRepaired = (dataDir: string): void => {
  const { repairing, repairedChain } = dataPaths(dataDir);
  if (![repairing, repairedChain].some((path) => existsSync(path))) return;
  throw new Error(`a repair of ${dataDir} did not finish; run npm run repair again`);
};
