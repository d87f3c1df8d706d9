// A busy machine, for tests that must not depend on a quiet one: processes that keep cores and the disk busy.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

// Both end when their parent has.
const SPIN = `const parent = process.ppid;
while (process.ppid === parent) for (let n = 0; n < 1e8; n += 1);`;

/** Writes 32 MB and waits until the disk has them, again and again: every sync of others then waits in line. */
const WRITE = `const fs = require('node:fs');
const path = require('node:path');
const parent = process.ppid;
let directory;
const end = () => {
  if (directory !== undefined) fs.rmSync(directory, { recursive: true });
  process.exit();
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
directory = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'pt-disk-'));
const bytes = Buffer.alloc(32 * 1024 * 1024, 1);
const write = () => {
  if (process.ppid !== parent) end();
  const descriptor = fs.openSync(path.join(directory, 'written'), 'w');
  fs.writeSync(descriptor, bytes);
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  setImmediate(write);
};
write();`;

/** Starts `loops` busy loops, and a writer that slows the disk down; the returned function ends them. */
export const startLoad = (loops: number, isDiskSlow: boolean): (() => Promise<void>) => {
  const start = (program: string): ChildProcess => spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  const children = Array.from({ length: loops }, () => start(SPIN));
  if (isDiskSlow) children.push(start(WRITE));
  return async () => {
    await Promise.all(
      children.map(async (child) => {
        // Ctrl-C ends them too.
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }),
    );
  };
};
