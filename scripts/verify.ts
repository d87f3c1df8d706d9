// npm run verify -- <event.json or URL> --rpc URL --contract ADDRESS: is this event in the ledger, exactly as it stands here?
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { isAddress } from 'ethers';
import { createRpcClient } from '../chain/jsonRpc/rpcClient.ts';
import { type Finding, listUnchecked, verifyEvent } from '../chain/verification/eventVerification.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { findRepeatedName } from '../ledger/encoding/repeatedNames.ts';

const VERIFIED = 0;
const NOT_VERIFIED = 1;
const NOT_CHECKED = 2;
const TIMEOUT_MS = 10_000;

const readEventFile = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`the file ${path} can't be read`, { cause });
  });

const readText = async (source: string, token: string | undefined): Promise<string> => {
  if (!/^https?:\/\//.test(source)) return readEventFile(source === '-' ? '/dev/stdin' : source);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(source, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${source} answers ${response.status}; a private event needs --token`);
  return response.text();
};

const parseEvent = (text: string, source: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${source} is not JSON`, { cause });
  }
};

interface Options {
  readonly rpc: string;
  readonly contract: string;
  readonly token?: string;
}

// The server never names a member twice, and readers don't agree on what such a text says.
const check = async (text: string, event: unknown, options: Options): Promise<Finding[]> => {
  const repeated = findRepeatedName(text);
  if (repeated !== undefined) return [{ ok: false, text: `it names the member ${JSON.stringify(repeated)} twice` }];
  const request = createRpcClient(options.rpc, TIMEOUT_MS);
  return verifyEvent(request, options.contract.toLowerCase() as Hex, event);
};

const run = async (source: string, options: Options): Promise<number> => {
  if (!isAddress(options.contract)) throw new Error(`--contract: ${options.contract} is not an address`);
  const text = await readText(source, options.token);
  const event = parseEvent(text, source);
  const findings = await check(text, event, options);
  for (const { ok, text } of findings) console.log(`${ok ? 'checked    ' : 'FAILED     '} ${text}`);
  for (const text of listUnchecked(event)) console.log(`not checked ${text}`);
  const isVerified = findings.every(({ ok }) => ok);
  console.log(isVerified ? 'VERIFIED: the ledger has this event, exactly so' : 'NOT VERIFIED');
  return isVerified ? VERIFIED : NOT_VERIFIED;
};

const program = new Command('verify')
  .description('Checks an event against the ledger contract, without trusting the server that gave it')
  .argument('<event>', 'the event as the API gives it: a JSON file, - for standard input, or a URL')
  .requiredOption('--rpc <url>', 'JSON-RPC endpoint of a node of the chain, one that you trust')
  .requiredOption('--contract <address>', 'address of the ledger contract')
  .option('--token <token>', 'bearer token, when the event is read from a URL that needs one')
  .addHelpText('after', '\nExit code: 0 verified, 1 not verified, 2 could not be checked.')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : NOT_CHECKED))
  .action(async (source: string, options: Options) => {
    try {
      process.exitCode = await run(source, options);
    } catch (error) {
      console.error(`could not be checked: ${(error as Error).message}`);
      process.exitCode = NOT_CHECKED;
    }
  });

await program.parseAsync();
