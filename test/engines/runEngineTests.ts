// npm run test:engines: tries the ledger on the engine whose nodes ENGINE_RPC_URLS names, and on a network of geth that
// can be stopped and cut in two. Not part of npm test: geth is built for it once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { openGeth } from './geth.ts';
import { readNamedNodes } from './namedNodes.ts';

const FACTS = fileURLToPath(new URL('engines.facts.ts', import.meta.url));
const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url));
/** A test waits for conditions; this limits its wait. */
const TEST_MS_MAX = 900_000;

const HELP = `
ENGINE_RPC_URLS       nodes of one chain, with commas between; they are neither stopped nor suspended, but the ledger
                      sees them so
ENGINE_CONFIRMATIONS  blocks that make a block final there; 1 if it isn't set
ENGINE_FUNDER_KEY     private key of an account with 100 ether there, where gas has a price`;

const run = async (more: readonly string[]): Promise<number> => {
  const geth = await openGeth();
  if (geth === undefined) console.log('test:engines skipped geth: there is no Go toolchain');
  if (geth === undefined && readNamedNodes(process.env) === undefined) return 0;
  const args = [MOCHA, '--no-config', '--timeout', String(TEST_MS_MAX), '--exit', ...more, FACTS];
  const env = { ...process.env, ...(geth === undefined ? {} : { ENGINE_GETH: geth }) };
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
};

await new Command('test:engines')
  .description('Tries the ledger on the nodes that ENGINE_RPC_URLS names, and on geth')
  .option('--grep <text>', 'only tests with this text in their title')
  .addHelpText('after', HELP)
  .action(async ({ grep }: { grep?: string }) => {
    try {
      process.exitCode = await run(grep === undefined ? [] : ['--grep', grep]);
    } catch (error) {
      console.error(`test:engines failed: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
