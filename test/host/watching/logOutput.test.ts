import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createLogOutput } from '../../../host/watching/logOutput.ts';
import { useDirectories } from '../../support/directories.ts';

const LENGTH_MAX = 1_000_000;
const PIPE_BYTES = 65_536;

describe('the output of a log', () => {
  const createDirectory = useDirectories();
  const open: number[] = [];
  afterEach(() => {
    for (const fd of open.splice(0)) closeSync(fd);
  });

  const openFile = (path: string, flags: number | string): number => {
    const fd = openSync(path, flags);
    open.push(fd);
    return fd;
  };
  const createPipe = async (): Promise<string> => {
    const path = join(await createDirectory(), 'pipe');
    execFileSync('mkfifo', [path]);
    return path;
  };
  const openPipe = (path: string): number => openFile(path, constants.O_RDWR | constants.O_NONBLOCK);

  it('writes all text in its order', async () => {
    const path = join(await createDirectory(), 'log');
    const output = createLogOutput(openFile(path, 'w'), LENGTH_MAX);
    const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at} ${'é'.repeat(at % 90)}\n`);
    for (const line of lines) output.write(line);
    await output.close();
    expect(readFileSync(path, 'utf8')).to.equal(lines.join(''));
  });

  it('waits for a slow reader, and drops what is beyond its bound', async () => {
    const path = await createPipe();
    const output = createLogOutput(openPipe(path), 2 * PIPE_BYTES);
    for (let line = 0; line < 4_000; line += 1) output.write(`${'x'.repeat(99)}\n`);
    const reader = spawn('head', ['-c', `${2 * PIPE_BYTES}`, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = await text(reader.stdout);
    expect(read).to.have.length(2 * PIPE_BYTES);
    await output.close();
  });

  it('closes while its reader takes nothing', async () => {
    const output = createLogOutput(openPipe(await createPipe()), LENGTH_MAX);
    output.write('x'.repeat(4 * PIPE_BYTES));
    await output.close();
  });

  it('drops what a full disk refuses', async () => {
    const output = createLogOutput(openFile('/dev/full', 'w'), LENGTH_MAX);
    for (let line = 0; line < 100; line += 1) output.write('x\n');
    await output.close();
  });

  it('goes on with a reader that comes after another has ended', async () => {
    const path = await createPipe();
    const first = openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const output = createLogOutput(openFile(path, constants.O_WRONLY | constants.O_NONBLOCK), LENGTH_MAX);
    closeSync(open.splice(open.indexOf(first), 1)[0]!);
    output.write('lost\n');
    await output.close();
    const second = openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
    output.write('found\n');
    await output.close();
    const found = Buffer.alloc(100);
    expect(found.toString('utf8', 0, readSync(second, found))).to.equal('found\n');
  });
});
