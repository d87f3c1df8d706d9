// npm run test:rpc: sends seeded requests to the JSON-RPC port of a server, for a time or to a number.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { createCountParser, toNewSeed } from '../../simulation/command/optionParsers.ts';
import { fuzzServer } from './fuzzServer.ts';

interface Options {
  readonly seconds: number;
  readonly seed: number;
}

const SECONDS_MAX = 86_400;
/** Seeds of fast-check have 32 bits, and each sample has the next one. */
const SEED_MAX = 2 ** 30;
const FAULTS_SHOWN = 20;

const print = (
  { requests, blocks, answers, faults }: Awaited<ReturnType<typeof fuzzServer>>,
  { seconds, seed }: Options,
): void => {
  for (const [name, count] of [...answers].toSorted()) console.log(`${String(count).padStart(8)} ${name}`);
  console.log(`seed ${seed}: ${requests} requests in ${seconds} s, ${blocks} blocks, ${faults.length} faults`);
  for (const { request, answer } of faults.slice(0, FAULTS_SHOWN)) console.log(JSON.stringify(request), answer);
  if (faults.length > 0) process.exitCode = 1;
};

const run = async (options: Options): Promise<void> => {
  const endMs = performance.now() + options.seconds * 1_000;
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-fuzz-'));
  const isOver = (): boolean => performance.now() >= endMs;
  try {
    print(await fuzzServer(dataDir, options.seed, isOver), options);
  } catch (cause) {
    console.error(`seed ${options.seed}, directory ${dataDir}:`, cause);
    process.exitCode = 1;
    return;
  }
  await rm(dataDir, { recursive: true });
};

await new Command('test:rpc')
  .description(
    'Sends seeded requests to the JSON-RPC port of a server, and stops at the first that it does not survive',
  )
  .option('--seconds <n>', 'how long', createCountParser(SECONDS_MAX), 600)
  .option(
    '--seed <n>',
    'repeats the requests of a run; new each time without it',
    createCountParser(SEED_MAX),
    toNewSeed(),
  )
  .allowExcessArguments(false)
  .action(run)
  .parseAsync();
