// Checks one event against the ledger contract, without trusting the server that returned it.
import { readFile } from 'node:fs/promises';
import { isAddress } from 'ethers';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import { type Finding, listUnchecked, verifyEvent } from '../../chain/verification/eventVerification.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { findRepeatedName } from '../../ledger/encoding/repeatedNames.ts';

const TIMEOUT_MS = 10_000;

export interface EventCheckOptions {
  /** URL of a JSON-RPC endpoint of a node of the chain. */
  readonly rpc: string;
  /** Address of the ledger contract. */
  readonly contract: string;
  /** Bearer token for an event that is read from a URL. */
  readonly token?: string;
}

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

// The server never repeats a member name, and JSON parsers disagree on the meaning of a text that does.
const findAll = async (text: string, event: unknown, { rpc, contract }: EventCheckOptions): Promise<Finding[]> => {
  const repeated = findRepeatedName(text);
  if (repeated !== undefined) return [{ ok: false, text: `it names the member ${JSON.stringify(repeated)} twice` }];
  return verifyEvent(createRpcClient(rpc, TIMEOUT_MS), contract.toLowerCase() as Hex, event);
};

/**
 * Checks the event of a source (a JSON file, `-` for standard input, or a URL), prints what was found and returns
 * whether the ledger has exactly this event.
 * @throws Error when the event can't be read or the chain can't be reached.
 */
export const checkEvent = async (source: string, options: EventCheckOptions): Promise<boolean> => {
  if (!isAddress(options.contract)) throw new Error(`--contract: ${options.contract} is not an address`);
  const text = await readText(source, options.token);
  const event = parseEvent(text, source);
  const findings = await findAll(text, event, options);
  for (const { ok, text } of findings) console.log(`${ok ? 'checked    ' : 'FAILED     '} ${text}`);
  for (const text of listUnchecked(event)) console.log(`not checked ${text}`);
  const isVerified = findings.every(({ ok }) => ok);
  console.log(isVerified ? 'VERIFIED: the ledger has exactly this event' : 'NOT VERIFIED');
  return isVerified;
};
