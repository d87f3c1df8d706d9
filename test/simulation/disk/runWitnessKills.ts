// Prints what the next start finds in a witness after a kill or a power failure at each step of several cosignatures.
// Runs with `--import test/simulation/edges/replaceModules.ts`. Arguments: `SIGKILL` or `power failure`, and
// `journaled` or `posix`, the kind of the file system.
import { createNumberedChain } from '../../support/blockLogs.ts';
import { openTestWitness, toAddCheckpoint } from '../../support/witnesses.ts';
import { printKillRuns } from './killRuns.ts';

const SIZES = [0, 3, 4, 60, 300];

const chain = createNumberedChain();

const cosignOften = async (directory: string, signed: number[]): Promise<void> => {
  const witness = await openTestWitness(directory);
  for (const [at, size] of SIZES.slice(1).entries()) {
    const { status } = await witness.addCheckpoint(toAddCheckpoint(chain, SIZES[at]!, size));
    if (status === 200) signed.push(size);
  }
};

// It must know every checkpoint that it signed, so that it contradicts none, and continue.
const findProblem = async (directory: string, signed: readonly number[]): Promise<string | undefined> => {
  const witness = await openTestWitness(directory);
  const { text } = await witness.addCheckpoint(toAddCheckpoint(chain, 999, 999));
  const known = Number(text);
  const newest = signed.at(-1) ?? 0;
  if (known < newest) return `it signed ${newest} entries and knows ${known}`;
  const fork = { ...chain, fork: 'b', forkedAt: 0 };
  const { status: forked } = await witness.addCheckpoint(toAddCheckpoint(fork, known, 400));
  if (known > 0) {
    const { status } = await witness.addCheckpoint(toAddCheckpoint(chain, known, 400));
    return forked === 422 && status === 200
      ? undefined
      : `it answers ${forked} to another chain, ${status} to the same`;
  }
  return forked === 200 ? undefined : `it answers ${forked} to the first chain`;
};

await printKillRuns('witness', (directory) => {
  const signed: number[] = [];
  return { work: () => cosignOften(directory, signed), findProblem: () => findProblem(directory, signed) };
});
