// Checks one event against the ledger contract, without trusting the server that returned it.
import { readFile } from 'node:fs/promises';
import { isAddress } from 'ethers';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import { type EventVerdict, verifyEvent } from '../../chain/verification/eventVerification.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { findRepeatedName } from '../../ledger/encoding/repeatedNames.ts';
import { isEvidenceFile } from '../../ledger/evidence/bundle/bundle.ts';
import { console } from '../commandProcess.ts';
import { trimText } from '../files/privateFile.ts';
import { printAnswers } from './printAnswers.ts';
import { readGivenToken, type TokenOptions } from './tokenOptions.ts';

const TIMEOUT_MS = 10_000;

/** How an event is checked. The token is for one that is read from a URL. */
export interface EventCheckOptions extends TokenOptions {
  /** URL of a JSON-RPC endpoint of a node of the chain. */
  readonly rpc: string;
  /** Address of the ledger contract. */
  readonly contract: string;
  /** Whether to check that the history of the asset is complete, too. */
  readonly history?: boolean;
}

const readEventFile = (path: string): Promise<string> =>
  readFile(path, 'utf8').then(trimText, (cause: unknown) => {
    throw new Error(`the file ${path} can't be read`, { cause });
  });

const readText = async (source: string, options: TokenOptions): Promise<string> => {
  if (!/^https?:\/\//.test(source)) return readEventFile(source === '-' ? '/dev/stdin' : source);
  const token = await readGivenToken(options);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(source, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${source} answers ${response.status}; a private event needs --token-file`);
  return response.text();
};

const parseJson = (text: string, source: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${source} is not JSON`, { cause });
  }
};

const parseEvent = (text: string, source: string): unknown => {
  const event = parseJson(text, source);
  if (isEvidenceFile(event)) throw new Error('this is an evidence file: use --trust');
  return event;
};

// The server never repeats a member name, and JSON parsers disagree on the meaning of a text that does.
const assertOneReading = (text: string): void => {
  const repeated = findRepeatedName(text);
  if (repeated !== undefined) throw new Error(`it names the member ${JSON.stringify(repeated)} twice`);
};

const check = (event: unknown, options: EventCheckOptions): Promise<EventVerdict> => {
  const { rpc, contract, history = false } = options;
  return verifyEvent(createRpcClient(rpc, TIMEOUT_MS), contract.toLowerCase() as Hex, event, {
    withHistory: history,
  });
};

/**
 * Checks the event of a source (a JSON file, `-` for standard input, or a URL), prints what was found and returns
 * whether the ledger has exactly this event.
 * @throws Error when the event can't be read, is none or lacks what the ledger commits to, or the chain can't be
 * reached.
 */
export const checkEvent = async (source: string, options: EventCheckOptions): Promise<boolean> => {
  if (!isAddress(options.contract)) throw new Error(`--contract: ${options.contract} is not an address`);
  const text = await readText(source, options);
  const event = parseEvent(text, source);
  assertOneReading(text);
  const verdict = await check(event, options);
  printAnswers(verdict);
  console.log(verdict.isVerified ? 'VERIFIED: the ledger has exactly this event' : 'NOT VERIFIED');
  return verdict.isVerified;
};
