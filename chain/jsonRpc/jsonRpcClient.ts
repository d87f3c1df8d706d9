// JSON-RPC 2.0 over HTTP to one node. An answer counts only when it is whole, belongs to the request and says one thing:
// everything else is a failed call, of which nobody knows what it did.

import { LedgerError } from '../../ledger/errors.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { RPC_CODE, RpcError } from './rpcError.ts';

export interface JsonRpcClient {
  /** Scheme, host and port: what may be shown of a URL that can hold a password or an access key. */
  readonly name: string;
  /**
   * Sends one request and gives its result. Rejects with `RpcError` when the node answers with an error, with CHAIN_UNAVAILABLE
   * when it doesn't answer in time, or with anything but an answer to this request.
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface JsonRpcClientOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

const TOO_MANY_REQUESTS = 429;
// What a node answers when it is there and can't do it now: another may, and so may this one later.
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

// fetch refuses a URL with a password in it, so that goes into the header that it stands for.
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
  // Starts anywhere, so that an answer to the process before this one doesn't fit.
  let lastId = Math.floor(Math.random() * 2 ** 40);

  const ask = async (id: number, method: string, params: readonly unknown[]): Promise<unknown> => {
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
        return await ask(lastId, method, params);
      } catch (cause) {
        if (cause instanceof RpcError && !TRANSIENT.includes(cause.code)) throw cause;
        const message = `${target.name} gives no usable answer to ${method}: ${(cause as Error).message}`;
        throw new LedgerError('CHAIN_UNAVAILABLE', { message, cause });
      }
    },
  };
};
