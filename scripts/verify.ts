// npm run verify: does the ledger have exactly this event? And: what does this evidence file prove?
import { Command, Option } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import type { EventCheckOptions } from '../host/operator/checkEvent.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { createTokenOption, readSecretOption, toTokenFileOption } from '../host/operator/tokenOptions.ts';

const VERIFIED = 0;
const NOT_VERIFIED = 1;
const NOT_CHECKED = 2;

const HELP = `
An event is checked on a node (--rpc and --contract), an evidence file on the disk offline (--trust): one or the other.
Exit codes: 0 verified, or proved under a root that you named; 1 not verified, or refuted; 2 can't be checked, or unreadable;
3 consistent, but no root that you named proves the chain.`;

interface Options extends Partial<EventCheckOptions> {
  /** Path of a file with the URL of the node. */
  readonly rpcFile?: string;
  /** Path of a trust.json. */
  readonly trust?: string;
  /** Path of the leaves of a tenant's list. */
  readonly leaves?: string;
}

// Each needs packages that the other doesn't: a bad file is refused at once.
const loadEvidence = () => import('../host/operator/checkEvidence.ts');
const loadEvent = () => import('../host/operator/checkEvent.ts');

const OF_EVENTS = {
  rpc: 'rpc',
  rpcFile: 'rpc-file',
  contract: 'contract',
  token: 'token',
  tokenFile: 'token-file',
  history: 'history',
} as const;

const refuseEventOptions = (source: string, options: Options): void => {
  const names = Object.keys(OF_EVENTS) as (keyof typeof OF_EVENTS)[];
  const given = names.filter((name) => options[name] !== undefined).map((name) => `--${OF_EVENTS[name]}`);
  if (given.length > 0)
    throw new Error(`--trust is for an evidence file, ${given.join(' and ')} for an event: name one`);
  if (source === '-' || /^https?:\/\//.test(source)) throw new Error('with --trust, the source is a file on the disk');
};

const check = async (source: string, { trust, leaves, ...options }: Options): Promise<number> => {
  if (trust !== undefined) {
    refuseEventOptions(source, options);
    return (await loadEvidence()).checkEvidence({ path: source, trust, leaves });
  }
  const { rpc: shown, rpcFile, contract, ...rest } = options;
  if ((shown ?? rpcFile) === undefined || contract === undefined) {
    throw new Error('an event needs --rpc and --contract; an evidence file needs --trust');
  }
  if (leaves !== undefined) throw new Error('--leaves is for an evidence file, which needs --trust');
  const rpc = shown ?? (await readSecretOption('--rpc-file', rpcFile!));
  return (await (await loadEvent()).checkEvent(source, { rpc, contract, ...rest })) ? VERIFIED : NOT_VERIFIED;
};

/** Runs `npm run verify` with these arguments. */
export const verifyCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('verify')
      .description(
        'Checks an event against the ledger contract, or an evidence file offline, without trusting the server',
      )
      .argument(
        '<source>',
        'an event as the API returns it: a JSON file, - for standard input, or a URL; or an evidence file: a path',
      )
      .option('--rpc <url>', 'for an event: JSON-RPC endpoint of a node of the chain that you trust')
      .addOption(
        new Option(
          '--rpc-file <file>',
          'instead of --rpc: file with the URL, which others then do not see in the list of processes, or -',
        ).conflicts('rpc'),
      )
      .option('--contract <address>', 'for an event: address of the ledger contract')
      .option(...toTokenFileOption('bearer token, when the event is read from a URL that needs one'))
      .addOption(createTokenOption())
      .option('--history', 'for an event: check that the history of its asset is complete, too')
      .option('--trust <file>', 'for an evidence file: JSON file with the roots that you trust')
      .option('--leaves <file>', "for an evidence file: leaves of a tenant's list (default: its name with .leaves)")
      .addHelpText('after', HELP)
      .action((source: string, options: Options) =>
        runCommand("can't be checked", () => check(source, options), NOT_CHECKED),
      ),
    args,
    NOT_CHECKED,
  );

if (import.meta.main) await runMain(verifyCommand);
