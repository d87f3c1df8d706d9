// Runs a command as an operator does: in this process with its own environment and outputs, or in a process of its own.
import { execFile } from 'node:child_process';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type CommandProcess, runAs } from '../../host/commandProcess.ts';

type Settings = Readonly<Record<string, string>>;
type Main = (args: readonly string[]) => Promise<void>;

/** Exit code and outputs of a command. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Loaded when they are called first: a file that calls one needs no other.
const COMMANDS = {
  'backup.ts': async () => (await import('../../scripts/backup.ts')).backupCommand,
  'clock.ts': async () => (await import('../../scripts/clock.ts')).clockCommand,
  'demo.ts': async () => (await import('../../scripts/demo.ts')).demoCommand,
  'deploy.ts': async () => (await import('../../scripts/deploy.ts')).deployCommand,
  'evidence.ts': async () => (await import('../../scripts/evidence.ts')).evidenceCommand,
  'export.ts': async () => (await import('../../scripts/export.ts')).exportCommand,
  'import.ts': async () => (await import('../../scripts/import.ts')).importCommand,
  'logKey.ts': async () => (await import('../../scripts/logKey.ts')).logKeyCommand,
  'migrate.ts': async () => (await import('../../scripts/migrate.ts')).migrateCommand,
  'rebuild.ts': async () => (await import('../../scripts/rebuild.ts')).rebuildCommand,
  'repair.ts': async () => (await import('../../scripts/repair.ts')).repairCommand,
  'restore.ts': async () => (await import('../../scripts/restore.ts')).restoreCommand,
  'tenant.ts': async () => (await import('../../scripts/tenant.ts')).tenantCommand,
  'token.ts': async () => (await import('../../scripts/token.ts')).tokenCommand,
  'verify.ts': async () => (await import('../../scripts/verify.ts')).verifyCommand,
} satisfies Record<string, () => Promise<Main>>;

/** The scripts of scripts/ that end by themselves, so that a test can call them in its own process. */
export type CommandScript = keyof typeof COMMANDS;

const PROGRESS = /^[\w ,]+: \d+\/\d+ \w+(?:, \d+ s left)?\n/gm;

/** What a run wrote to standard error besides the progress of its steps, which only slow steps show. */
export const toProblems = ({ stderr }: Run): string => stderr.replaceAll(PROGRESS, '');

const collect = (parts: Buffer[]): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      parts.push(chunk);
      done();
    },
  });

/** Runs a command of scripts/ with these settings besides those of this process, in this process. */
export const runCommandScript = async (
  script: CommandScript,
  args: readonly string[],
  settings: Settings = {},
  stdin?: NodeJS.ReadableStream,
): Promise<Run> => {
  const run: Main = await COMMANDS[script]();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const own: CommandProcess = {
    env: { ...process.env, ...settings },
    stdout: collect(stdout),
    stderr: collect(stderr),
    ...(stdin && { stdin }),
  };
  await runAs(own, () => run(args));
  const toText = (parts: Buffer[]) => Buffer.concat(parts).toString();
  return { code: Number(own.exitCode ?? 0), stdout: toText(stdout), stderr: toText(stderr) };
};

/** Runs a command of scripts/ on a data directory, in this process. */
export const runScript = (
  script: CommandScript,
  dataDir: string,
  args: readonly string[] = [],
  settings: Settings = {},
): Promise<Run> => runCommandScript(script, args, { DATA_DIR: dataDir, ...settings });

const TIMEOUT_MS = 600_000;

/** Runs a script of scripts/ on a data directory, in a process of its own. */
export const startScript = (
  script: string,
  dataDir: string,
  args: readonly string[] = [],
  settings: Settings = {},
): Promise<Run> =>
  new Promise((resolve) => {
    const path = fileURLToPath(new URL(`../../scripts/${script}`, import.meta.url));
    const env = { ...process.env, DATA_DIR: dataDir, ...settings };
    execFile(
      process.execPath,
      [path, ...args],
      { env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
