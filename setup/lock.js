// Lets one process at a time change the installation. The lock ends with the process that holds it, however that ends.
//
// The lock is a folder of numbered files, each with the identity of its owner. The owner of the highest number holds
// the lock while it runs. When it has ended, the next number can be created, by one process only. No file is deleted to
// release the lock, and only lower numbers are ever deleted, so that no process can delete a lock that another has just
// acquired.
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, killOrphan } from './processes.js';

/** @typedef {import('./processes.js').ProcessIdentity} ProcessIdentity */

/**
 * `child` is the process group that the owner has started; it is killed when it survives its owner.
 * @typedef {{ owner: ProcessIdentity, child?: ProcessIdentity | undefined }} Holding
 */

const PAUSE_MS = 100;
const NAME = /^(\d+)\.json$/;

/** @param {string} directory */
const readNumbers = (directory) =>
  readdirSync(directory)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);

/**
 * @param {string} directory
 * @param {number} number
 */
const toPath = (directory, number) => join(directory, `${number}.json`);

/**
 * Undefined when the file was deleted since it was listed (another process has taken the lock), or a power cut has
 * damaged it.
 * @param {string} path
 * @returns {Holding | undefined}
 */
const readHolding = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT')
      return undefined;
    throw error;
  }
};

/**
 * @param {string} directory
 * @param {Holding} holding
 */
const writeDraft = (directory, holding) => {
  const draft = join(directory, `draft-${process.pid}`);
  writeFileSync(draft, JSON.stringify(holding));
  return draft;
};

/**
 * Creates a file with its content in one step; false when it exists.
 * @param {string} directory
 * @param {number} number
 * @param {Holding} holding
 */
const create = (directory, number, holding) => {
  const draft = writeDraft(directory, holding);
  try {
    linkSync(draft, toPath(directory, number));
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

/**
 * Takes a number. False when another process has taken a higher one since: the number was free because it had been
 * deleted.
 * @param {string} directory
 * @param {number} number
 * @param {Holding} holding
 */
const take = (directory, number, holding) => {
  if (!create(directory, number, holding)) return false;
  if (readNumbers(directory)[0] === number) return true;
  rmSync(toPath(directory, number));
  return false;
};

/**
 * Kills what ended owners have left running, and deletes their files.
 * @param {string} directory
 * @param {number} number
 */
const clearBelow = async (directory, number) => {
  for (const lower of readNumbers(directory).filter((each) => each < number)) {
    await killOrphan(readHolding(toPath(directory, lower))?.child);
    rmSync(toPath(directory, lower), { force: true });
  }
};

/**
 * Waits until this process holds the lock, and holds it until the process ends.
 * @param {string} directory created when it is missing
 * @param {(pid: number) => () => void} onWait called once for each process that this one waits for; what it returns is
 *   called when the wait for that process is over
 * @returns {Promise<{ onChild: import('./children.js').OnChild }>} `onChild` records the process group that is running
 */
export const acquireLock = async (directory, onWait) => {
  mkdirSync(directory, { recursive: true });
  const owner = /** @type {ProcessIdentity} */ (identify(process.pid));
  let awaitedPid = 0;
  let endWait = () => {};
  for (;;) {
    const [newest = 0] = readNumbers(directory);
    const holding = newest === 0 ? undefined : readHolding(toPath(directory, newest));
    if (holding !== undefined && isRunning(holding.owner)) {
      if (holding.owner.pid !== awaitedPid) {
        endWait();
        endWait = onWait(holding.owner.pid);
      }
      awaitedPid = holding.owner.pid;
      await sleep(PAUSE_MS);
    } else if (take(directory, newest + 1, { owner })) {
      endWait();
      await clearBelow(directory, newest + 1);
      return {
        onChild: (pid) => record(directory, newest + 1, { owner, child: pid === undefined ? pid : identify(pid) }),
      };
    }
  }
};

/**
 * @param {string} directory
 * @param {number} number
 * @param {Holding} holding
 */
const record = (directory, number, holding) => renameSync(writeDraft(directory, holding), toPath(directory, number));
