// Loaded into a process by `--import`: errors that nothing catches. A request with the header `x-fault` causes one in
// its own work; SIGWINCH, which means nothing without a terminal, causes one outside of all work.
import { ServerResponse } from 'node:http';

const { writeHead } = ServerResponse.prototype;

const createFault = (): Error => new Error('the fault of a test\nwith a second line');

const FAULTS: Readonly<Record<string, () => void>> = {
  throw: () =>
    void setImmediate(() => {
      throw createFault();
    }),
  reject: () => void Promise.reject(createFault()),
};

ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: Parameters<typeof writeHead>) {
  FAULTS[String(this.req.headers['x-fault'])]?.();
  return writeHead.apply(this, args);
} as typeof writeHead;

process.on('SIGWINCH', () => {
  throw createFault();
});
