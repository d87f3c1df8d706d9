// JSON-RPC 2.0 over HTTP to one node. An answer counts only when it is complete, belongs to the request and has one
// meaning: anything else is a failed call, whose effect is unknown.
import { LedgerError } from '../../ledger/errors.ts';
import { joinSignals } from '../../ledger/joinedSignal.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { toAnswerBytesMax } from './answerLimits.ts';
import { createNodeMarks, type NodeMarks } from './nodeMarks.ts';
import { splitNodeUrl } from './nodeUrl.ts';
import { createRatePauses, type RateWait, readRateLimit, TOO_MANY_REQUESTS } from './ratePauses.ts';
import { readJsonAnswer } from './readJsonAnswer.ts';
import { RPC_CODE, RpcError } from './rpcError.ts';

/** One call of a batch. */
export interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A client of one node. */
export interface JsonRpcClient {
  /** Scheme, host and port: the part of a URL without passwords and access keys, which may be shown. */
  readonly name: string;
  /** What the node doesn't do at present. */
  readonly marks: NodeMarks;
  /**
   * Sends one request and resolves with its result. Rejects with `RpcError` when the node answers with an error, with
   * CHAIN_UNAVAILABLE when it answers too late or with anything but an answer to this request.
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /**
   * Sends several requests as one batch and resolves with their results, in the same order; an `RpcError` stands for
   * each that the node answers with an error. Rejects as `request` does when the batch fails as a whole.
   */
  requestBatch(calls: readonly NodeCall[]): Promise<unknown[]>;
}

/** Options of a client; `timeoutMs` is for the complete answer. */
export interface JsonRpcClientOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Milliseconds, for the marks of the node; by default those of the process. */
  readonly now?: (() => number) | undefined;
  /** Ends all requests when it is aborted, also those that begin later. Undefined: nothing does. */
  readonly ending?: AbortSignal | undefined;
  /** How long requests wait for a node that answers with status 429. Undefined: they fail at once. */
  readonly rateWait?: RateWait | undefined;
}

// Error codes of a node that cannot answer at this moment: another node may, or this one later.
const TRANSIENT: readonly number[] = [RPC_CODE.UNAVAILABLE];

/** Whether a failure of `request` means that the node didn't answer in time. */
export const isTimeout = ({ cause }: LedgerError): boolean => cause instanceof Error && cause.name === 'TimeoutError';

const toRpcError = (error: unknown): RpcError => {
  const { code, message, data } = isJsonObject(error) ? error : {};
  if (!Number.isInteger(code) || typeof message !== 'string') throw new Error('an error without code and message');
  return new RpcError(code as number, message, data);
};

const toResult = (answer: unknown, id: number): unknown => {
  if (!isJsonObject(answer)) throw new Error('not a JSON-RPC answer');
  if (answer.jsonrpc !== '2.0' || answer.id !== id) throw new Error('an answer to another request');
  const hasResult = Object.hasOwn(answer, 'result');
  if (Object.hasOwn(answer, 'error') && (answer.error !== null || !hasResult)) throw toRpcError(answer.error);
  if (!hasResult) throw new Error('neither a result nor an error');
  return answer.result;
};

const toOutcome = (answer: unknown, id: number): unknown => {
  try {
    return toResult(answer, id);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
};

// A server may answer the calls of a batch in any order. One that refuses the batch answers with a single error.
const toResults = (answer: unknown, ids: readonly number[]): unknown[] => {
  if (isJsonObject(answer) && isJsonObject(answer.error)) throw toRpcError(answer.error);
  if (!Array.isArray(answer) || answer.length !== ids.length) throw new Error('not the answers of a batch');
  const byId = new Map(answer.map((one) => [isJsonObject(one) ? one.id : undefined, one]));
  return ids.map((id) => toOutcome(byId.get(id), id));
};

// fetch refuses a URL with a password, so the password becomes an Authorization header.
const toTarget = (text: string): { url: string; name: string; headers: Record<string, string> } => {
  const { url, name, authorization } = splitNodeUrl(text);
  return { url, name, headers: { 'content-type': 'application/json', ...(authorization && { authorization }) } };
};

/** A client of the node at `url`, which may hold a user name and a password. */
export const createJsonRpcClient = (options: JsonRpcClientOptions): JsonRpcClient => {
  const { url, timeoutMs, answerBytesMax, now, ending, rateWait } = options;
  const target = toTarget(url);
  // Starts at a random number, so that an answer to an earlier process doesn't match.
  let lastId = Math.floor(Math.random() * 2 ** 40);

  const runPaced = rateWait && createRatePauses(rateWait, ending);
  const sendOnce = async (body: unknown, calls: readonly NodeCall[]): Promise<unknown> => {
    ending?.throwIfAborted();
    using own = joinSignals(ending, AbortSignal.timeout(timeoutMs));
    const { signal } = own;
    const { headers } = target;
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' } as const;
    const response = await fetch(target.url, init);
    if (response.status === TOO_MANY_REQUESTS) throw await readRateLimit(response);
    return await readJsonAnswer(response, toAnswerBytesMax(calls, answerBytesMax));
  };
  const send = (body: unknown, calls: readonly NodeCall[]): Promise<unknown> => {
    const task = () => sendOnce(body, calls);
    return runPaced === undefined ? task() : runPaced(task);
  };
  const toCall = ({ method, params }: NodeCall) => {
    lastId += 1;
    return { jsonrpc: '2.0', id: lastId, method, params };
  };
  const refuse = (what: string, cause: unknown): Error => {
    if (cause instanceof RpcError && !TRANSIENT.includes(cause.code)) return cause;
    const message = `${target.name} gave no usable answer to ${what}: ${(cause as Error).message}`;
    return new LedgerError('CHAIN_UNAVAILABLE', { message, cause });
  };

  return {
    name: target.name,
    marks: createNodeMarks(now),
    request: async (method, params) => {
      const call = toCall({ method, params });
      try {
        return toResult(await send(call, [call]), call.id);
      } catch (cause) {
        throw refuse(method, cause);
      }
    },
    requestBatch: async (batch) => {
      const calls = batch.map(toCall);
      const ids = calls.map(({ id }) => id);
      try {
        return toResults(await send(calls, calls), ids);
      } catch (cause) {
        throw refuse(`${calls.length} calls of ${calls[0]!.method}`, cause);
      }
    },
  };
};
