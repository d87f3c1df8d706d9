// Prints what the next start finds in a block log after a kill or a power failure at each step of several checkpoints.
// Runs with `--import test/simulation/edges/replaceModules.ts`. Arguments: `SIGKILL` or `power failure`, and
// `journaled` or `posix`, the kind of the file system.
import { openWitnessedLog } from '../../../chain/blockLog/witnessedLog.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { verifyCheckpoint } from '../../../ledger/evidence/signedCheckpoint.ts';
import {
  createNumberedChain,
  type NumberedChain,
  openNumberedLog,
  SIGNER,
  toNaiveRoot,
} from '../../support/blockLogs.ts';
import { printKillRuns } from './killRuns.ts';

/** Blocks that each checkpoint adds: tiles begin, continue and become full. */
const STEPS = [3, 200, 60, 300, 250];

/** Sizes of the newest checkpoints. */
interface Shown {
  /** Signed by the log. */
  size: number;
  /** With a quorum of witnesses, here of none. */
  witnessed: number;
}

const openWitnessed = async (directory: string, chain: NumberedChain) =>
  openWitnessedLog(await openNumberedLog(directory, chain), { directory, firstBlock: 0, signer: SIGNER });

const growOften = async (directory: string, chain: NumberedChain, shown: Shown): Promise<void> => {
  const log = await openWitnessed(directory, chain);
  for (const step of STEPS) {
    chain.head += step;
    await log.advance();
    shown.size = log.newest()!.size;
    await log.publish(log.newest()!, []);
    shown.witnessed = log.head()!.size;
  }
};

// The log must have every checkpoint that was shown, and continue to the tree of the complete chain.
const findProblem = async (directory: string, chain: NumberedChain, shown: Shown): Promise<string | undefined> => {
  const log = await openWitnessed(directory, chain);
  const [found, witnessed] = [log.newest()?.size ?? 0, log.head()?.size ?? 0];
  if (found < shown.size) return `a checkpoint of ${shown.size} blocks was shown, and ${found} are left`;
  if (witnessed < shown.witnessed) return `${shown.witnessed} witnessed blocks were shown, and ${witnessed} are left`;
  await log.assertUndamaged();
  chain.head += 100;
  await log.advance();
  await log.assertUndamaged();
  const { root } = verifyCheckpoint(log.newest()!.note, [SIGNER.logKey])!.checkpoint;
  return toHex(root) === toHex(toNaiveRoot(chain, 0, chain.head)) ? undefined : 'the tree is another one';
};

await printKillRuns('log', (directory) => {
  const chain = createNumberedChain(0);
  const shown: Shown = { size: 0, witnessed: 0 };
  return {
    work: () => growOften(directory, chain, shown),
    findProblem: () => findProblem(directory, chain, shown),
  };
});
