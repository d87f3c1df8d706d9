// JSON-RPC 2.0 over HTTP to one node. An answer counts only when it is complete, belongs to the request and has one
// meaning: anything else is a failed call, whose effect is unknown.

import { LedgerError } from '../../ledger/errors.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { RPC_CODE, RpcError } from './rpcError.ts';

/** A client of one node. */
export interface JsonRpcClient {
  /** Scheme, host and port: the part of a URL without passwords and access keys, which may be shown. */
  readonly name: string;
  /**
   * Sends one request and resolves with its result. Rejects with `RpcError` when the node answers with an error, with
   * CHAIN_UNAVAILABLE when it answers too late or with anything but an answer to this request.
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** Options of a client; `timeoutMs` is for the complete answer. */
export interface JsonRpcClientOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

const TOO_MANY_REQUESTS = 429;
// Error codes of a node that cannot answer at this moment: another node may, or this one later.
const TRANSIENT: readonly number[] = [RPC_CODE.UNAVAILABLE];

const readText = async (response: Response, bytesMax: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, `the answer is larger than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
};

const parseAnswer = (text: string, status: number): Record<string, unknown> => {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw new Error(`HTTP ${status}, and not JSON`, { cause });
  }
  if (!isJsonObject(answer)) throw new Error(`HTTP ${status}, and not a JSON-RPC answer`);
  return answer;
};

const toRpcError = (error: unknown): RpcError => {
  const { code, message, data } = isJsonObject(error) ? error : {};
  if (!Number.isInteger(code) || typeof message !== 'string') throw new Error('an error without code and message');
  return new RpcError(code as number, message, data);
};

const toResult = (answer: Record<string, unknown>, id: number): unknown => {
  if (answer.jsonrpc !== '2.0' || answer.id !== id) throw new Error('an answer to another request');
  const hasResult = Object.hasOwn(answer, 'result');
  if (Object.hasOwn(answer, 'error') && (answer.error !== null || !hasResult)) throw toRpcError(answer.error);
  if (!hasResult) throw new Error('neither a result nor an error');
  return answer.result;
};

// fetch refuses a URL with a password, so the password becomes an Authorization header.
const toTarget = (text: string): { url: string; name: string; headers: Record<string, string> } => {
  const url = new URL(text);
  const { username, password, origin } = url;
  url.username = '';
  url.password = '';
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (username !== '' || password !== '') {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.authorization = `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
  }
  return { url: url.href, name: origin, headers };
};

/** A client of the node at `url`, which may hold a user name and a password. */
export const createJsonRpcClient = ({ url, timeoutMs, answerBytesMax }: JsonRpcClientOptions): JsonRpcClient => {
  const target = toTarget(url);
  // Starts at a random number, so that an answer to an earlier process doesn't match.
  let lastId = Math.floor(Math.random() * 2 ** 40);

  const send = async (id: number, method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const signal = AbortSignal.timeout(timeoutMs);
    const { headers } = target;
    const response = await fetch(target.url, { method: 'POST', headers, body, signal, redirect: 'error' });
    if (response.status === TOO_MANY_REQUESTS) throw new Error('too many requests');
    return toResult(parseAnswer(await readText(response, answerBytesMax), response.status), id);
  };

  return {
    name: target.name,
    request: async (method, params) => {
      lastId += 1;
      try {
        return await send(lastId, method, params);
      } catch (cause) {
        if (cause instanceof RpcError && !TRANSIENT.includes(cause.code)) throw cause;
        const message = `${target.name} gave no usable answer to ${method}: ${(cause as Error).message}`;
        throw new LedgerError('CHAIN_UNAVAILABLE', { message, cause });
      }
    },
  };
};
