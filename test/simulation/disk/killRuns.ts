// Runs a program on a simulated disk that is killed, or loses its power, at each of its steps.
import { replaceGlobals } from '../edges/globals.ts';
import { type KillKind, setKills, startProcess } from '../world/processes.ts';
import { createStream } from '../world/random.ts';
import { createWorld } from '../world/world.ts';
import { Disk } from './disk.ts';
import { mountDisk } from './mounts.ts';

const TIMEOUT_MS = 60_000;

/** One run of a program. */
export interface KilledProgram {
  /** What is killed. */
  readonly work: () => Promise<void>;
  /** What the next start finds wrong; undefined when nothing is. */
  readonly findProblem: () => Promise<string | undefined>;
}

/** What one run found. */
export interface KillRun {
  /** The step at which it was killed, from 1. */
  readonly point: number;
  /** False when it ended before that step. */
  readonly isKilled: boolean;
  readonly problem?: string | undefined;
}

type Begin = (directory: string) => KilledProgram;

const run = async (
  name: string,
  begin: Begin,
  { point, kind, isJournaled }: { point: number; kind: KillKind; isJournaled: boolean },
): Promise<KillRun> => {
  const world = createWorld(point);
  const random = createStream(point, `kill of a ${name}`);
  const disk = new Disk();
  disk.isJournaled = isJournaled;
  const directory = `${mountDisk(name, disk)}/${name}`;
  disk.makeDirectories(directory);
  disk.syncAll();
  const process = startProcess({ name, machine: name, onKilled: (how) => disk.crash(how, random) });
  const { work, findProblem } = begin(directory);
  let points = point;
  setKills(() => (--points === 0 ? kind : undefined));
  let isDone = false;
  process.run(() => void work().then(() => (isDone = true)));
  await world.runUntil(() => isDone || !process.isAlive(), TIMEOUT_MS);
  setKills(() => undefined);
  const problem = await findProblem().catch((error: Error) => error.message);
  return { point, isKilled: !isDone, problem };
};

/**
 * Prints, as JSON, a run for each step until one ends before it is killed. The arguments of the command are the kind of
 * the kill, and `journaled` or `posix`, the kind of the file system.
 * @param begin begins one run, in a directory of its own.
 */
export const printKillRuns = async (name: string, begin: Begin): Promise<void> => {
  replaceGlobals();
  const [kind, fileSystem] = process.argv.slice(2);
  const runs: KillRun[] = [];
  for (let point = 1; runs.at(-1)?.isKilled !== false; point += 1)
    runs.push(await run(name, begin, { point, kind: kind as KillKind, isJournaled: fileSystem === 'journaled' }));
  console.log(JSON.stringify(runs));
};
