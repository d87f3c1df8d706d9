import { expect } from 'chai';
import { runCommand } from '../../../host/operator/runCommand.ts';
import { LedgerError } from '../../../ledger/errors.ts';

describe('a command', () => {
  let printed: unknown[];
  const { error } = console;
  const run = async (...command: Parameters<typeof runCommand>): Promise<string | number | undefined | null> => {
    await runCommand(...command);
    return process.exitCode;
  };
  beforeEach(() => {
    printed = [];
    console.error = (text: unknown) => printed.push(text);
  });
  afterEach(() => {
    console.error = error;
    process.exitCode = undefined;
  });

  it('exits with the number that its task returns, else with 0', async () => {
    expect(await run('failed', async () => 3)).to.equal(3);
    expect(await run('failed', async () => undefined)).to.equal(0);
    expect(printed).to.eql([]);
  });

  it("prints an error as one line and exits with 1 or the error's code", async () => {
    const task = async () => {
      throw new Error('there is no ledger\nin /x; create one');
    };
    expect(await run('not rebuilt', task)).to.equal(1);
    expect(await run('not rebuilt', task, 2)).to.equal(2);
    expect(printed).to.eql(Array(2).fill('not rebuilt: there is no ledger in /x; create one'));
  });

  it('prints the code of a ledger error', async () => {
    const task = async () => {
      throw new LedgerError('CHAIN_CORRUPT', { message: 'block 3 is missing' });
    };
    expect(await run('not repaired', task)).to.equal(1);
    expect(printed).to.eql(['not repaired: CHAIN_CORRUPT: block 3 is missing']);
  });
});
