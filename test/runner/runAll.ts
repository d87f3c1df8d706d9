// npm run test:all: everything that this machine can check, one suite after another.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { findGeth } from '../engines/geth.ts';
import type { Skipped } from '../support/skipSuite.ts';
import { INTERRUPTED } from './options.ts';
import { print } from './output.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Suite {
  /** The command that runs it alone. */
  readonly command: string;
  readonly args: readonly string[];
}

const SUITES: readonly Suite[] = [
  { command: 'npm test -- --all', args: ['test/runner/runTests.ts', '--all'] },
  { command: 'npm run test:client', args: ['test/client/runClientTests.ts'] },
  { command: 'npm run test:verifiers', args: ['test/verifiers/runVerifierTests.ts'] },
  { command: 'npm run test:fuzz', args: ['test/fuzz/runFuzzTests.ts'] },
];
const ENGINES: Suite = { command: 'npm run test:engines', args: ['test/engines/runEngineTests.ts'] };

const isSignal = { received: false };

/** Runs a suite in a process of its own; resolves with its exit code, and why it was skipped. */
const runSuite = async ({ command, args }: Suite): Promise<{ code: number; skipped: string | undefined }> => {
  print(`\n> ${command}`);
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  let skipped: string | undefined;
  child.on('message', (message: Skipped) => {
    skipped = message.skipped;
  });
  const pass = (signal: NodeJS.Signals): void => {
    isSignal.received = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass);
  return { code: code ?? 1, skipped };
};

const run = async (): Promise<number> => {
  const engines = findGeth() === undefined ? [] : [ENGINES];
  const lines: string[] = [];
  let failed = 0;
  for (const suite of [...SUITES, ...engines]) {
    const beginMs = performance.now();
    const { code, skipped } = await runSuite(suite);
    if (isSignal.received) return INTERRUPTED;
    if (code !== 0) failed += 1;
    const seconds = Math.round((performance.now() - beginMs) / 1_000);
    if (skipped !== undefined && code === 0) lines.push(`  skipped ${suite.command}: ${skipped}`);
    else lines.push(`  ${code === 0 ? 'passed' : 'FAILED'}  ${suite.command} (${seconds} s)`);
  }
  if (engines.length === 0) lines.push(`  skipped ${ENGINES.command}: it builds geth first, once`);
  print(`\n${lines.join('\n')}`);
  return failed === 0 ? 0 : 1;
};

new Command('npm run test:all --')
  .description(
    'Runs all tests with more runs of each property, the client, the verifiers, fuzzing, and geth if it is built.',
  )
  .parse();

process.exitCode = await run();
