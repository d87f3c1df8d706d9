// The options of npm run test:faults, and the command with one seed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createFaultsCommand, type FaultsOptions } from './faultsOptions.ts';

const COMMAND = fileURLToPath(new URL('faultsCommand.ts', import.meta.url));

const parse = (...args: string[]): FaultsOptions => {
  let parsed: FaultsOptions | undefined;
  const program = createFaultsCommand((options) => {
    parsed = options;
  });
  program
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parse(args, { from: 'user' });
  return parsed!;
};

describe('the command that runs seeds of faults', () => {
  for (const [reason, ...args] of [
    ['It is a whole number from 1 to ', '--seeds', 'abc'],
    ['It is a whole number from 1 to ', '--seeds=-3'],
    ['It is a whole number from 1 to ', '--seeds', '1', '--seed', 'abc'],
    ['the last seed is above 9007199254740991', '--seeds', '2', '--seed', '9007199254740991'],
    ['too many arguments', '--seeds', '1', '2'],
  ] as const) {
    it(`refuses ${args.join(' ')}`, () => {
      expect(() => parse(...args)).to.throw(reason);
    });
  }

  it('has new seeds unless the first one is given', () => {
    expect(parse('--seeds', '2', '--seed', '5')).to.deep.equal({ seeds: 2, seed: 5 });
    expect(parse('--seeds', '2').seed).to.be.greaterThan(0);
  });

  it('runs a seed', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, '--seeds', '1', '--seed', '7'], {
      encoding: 'utf8',
    });
    expect(stdout, stderr).to.match(/^1 of 1 seed from 7 on passed$/m);
    expect(status).to.equal(0);
  });
});
