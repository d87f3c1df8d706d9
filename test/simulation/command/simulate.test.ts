// The command as a process: how it ends when it is interrupted, or when nobody reads its output.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const COMMAND = fileURLToPath(new URL('simulate.ts', import.meta.url));

// A slow search shows it.
const PROGRESS = /^\d+ of 100000 seeds, .+\n/gm;

type Command = ChildProcessByStdio<null, Readable, Readable>;

// Runs the command, and calls `onOutput` when it has printed its first line.
const simulate = async (args: readonly string[], onOutput: (command: Command) => void) => {
  const command = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  command.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  command.stdout.once('data', () => onOutput(command));
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = (await once(command, 'close')) as [number | null];
  return { code, output, errors };
};

describe('the command of the simulation', () => {
  it('ends without an error when the reader of its output ends', async () => {
    const { code, errors } = await simulate(['--seeds', '100000', '--defect', 'removal-not-synced'], ({ stdout }) =>
      stdout.destroy(),
    );
    expect(errors.replaceAll(PROGRESS, '')).to.equal('');
    expect(code).to.equal(141);
  });

  it('prints no table when it is interrupted before a defect is decided', async () => {
    // It takes many seeds.
    const names = ['--defects', 'served-without-committed-block'];
    const { code, output } = await simulate(names, (command) => command.kill('SIGINT'));
    expect(output).to.equal('1 defect, at most 2000 seeds each, from 1 on\n\ninterrupted after 0 of 1 defect\n');
    expect(code).to.equal(130);
  });
});
