import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { ROOT } from '../support/sources.ts';
import { until } from '../support/until.ts';

const COMMAND = join(ROOT, 'test', 'mutations', 'mutateCommand.ts');

const list = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [COMMAND, 'server/streams', '--list', ...args], { encoding: 'utf8' });

describe('npm run mutate', function () {
  // Each command loads the TypeScript compiler, which takes many seconds beside other work.
  this.timeout(180_000);
  const newDirectory = useDirectories();

  it('lists the same faults for the same seed, those of the named files alone', () => {
    const first = list('--seed', '3', '--files', 'pulse', '--count', '4');
    expect(first).to.equal(list('--seed', '3', '--files', 'pulse', '--count', '4'));
    const places = first.match(/^server\/streams\/\w+\.ts:\d+ \(.+\)$/gm)!;
    expect(places).to.have.length(4);
    expect(places.every((place) => place.startsWith('server/streams/pulse.ts'))).to.equal(true);
  });

  it('leaves no copy of the repository after Ctrl-C', async () => {
    const temporary = await newDirectory();
    const child = spawn(process.execPath, [COMMAND, 'server/streams', '--count', '1', '--jobs', '1'], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const closed = once(child, 'close');
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until(
      () => output.includes('server/streams: 1 faults'),
      () => output,
      120_000,
    );
    expect(readdirSync(temporary)).to.have.length(1);
    child.kill('SIGINT');
    expect(await closed).to.deep.equal([130, null]);
    expect(readdirSync(temporary)).to.deep.equal([]);
  });
});
