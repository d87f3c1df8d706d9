// The JSON-RPC 2.0 envelope: requests, notifications, batches, and the standard's errors. Results stay JSON text, so
// that a large one is never parsed here.
import { LedgerError } from '../../../ledger/errors.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import type { AnswerCounter } from './answerBudget.ts';
import type { RpcAnswer } from './publicChain.ts';

/** Largest number of requests in a batch. */
export const BATCH_MAX = 100;
/**
 * Largest number of characters of a batch's answers, unless its first answer alone has more; the requests after that
 * are refused.
 */
export const BATCH_CHARACTERS_MAX = 4 * 2 ** 20;

type Id = string | number | null;

interface JsonRpcRequest {
  /** Undefined for a notification, which has no answer. */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Parts that answer a body. */
export interface JsonRpcDeps {
  readonly answer: RpcAnswer;
  /** Counts the bytes of the answer before they are kept. */
  readonly counter: AnswerCounter;
  /** Called with errors that are not refusals: faults of this program. */
  readonly onError: (error: unknown) => void;
}

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new RpcError(RPC_CODE.PARSE, 'parse error');
  }
};

const isId = (value: unknown): value is Id =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

const decodeRequest = (value: unknown): JsonRpcRequest => {
  const { jsonrpc, id, method, params } = (value ?? {}) as Partial<Record<keyof JsonRpcRequest | 'jsonrpc', unknown>>;
  if (jsonrpc !== '2.0' || typeof method !== 'string') throw new RpcError(RPC_CODE.INVALID_REQUEST, 'invalid request');
  if (id !== undefined && !isId(id)) throw new RpcError(RPC_CODE.INVALID_REQUEST, 'invalid id');
  return { id, method, params: (params ?? []) as readonly unknown[] };
};

const toLedgerRpcError = (error: LedgerError): RpcError | undefined => {
  if (error.cause instanceof RpcError) return error.cause;
  if (error.code === 'TRANSACTION_REFUSED') return new RpcError(RPC_CODE.REFUSED, error.message);
  if (error.code === 'CHAIN_UNAVAILABLE') return new RpcError(RPC_CODE.UNAVAILABLE, error.message);
  return undefined;
};

const toRpcError = (error: unknown, { onError }: JsonRpcDeps): RpcError => {
  if (error instanceof RpcError) return error;
  const known = error instanceof LedgerError ? toLedgerRpcError(error) : undefined;
  if (known !== undefined) return known;
  onError(error);
  return new RpcError(RPC_CODE.INTERNAL, 'internal error');
};

const encodeResult = (id: Id, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

const encodeError = (id: Id, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });

const answerMethod = async ({ method, params }: JsonRpcRequest, { answer, counter }: JsonRpcDeps): Promise<string> => {
  if (!Array.isArray(params)) throw new RpcError(RPC_CODE.INVALID_PARAMS, 'params must be a list');
  counter.assertCapacity();
  return answer(method, params);
};

const count = (id: Id, text: string, deps: JsonRpcDeps): string => {
  try {
    deps.counter.add(text.length);
    return text;
  } catch (error) {
    return encodeError(id, toRpcError(error, deps));
  }
};

const answerRequest = async (value: unknown, deps: JsonRpcDeps): Promise<string | undefined> => {
  let request: JsonRpcRequest;
  try {
    request = decodeRequest(value);
  } catch (error) {
    return encodeError(null, toRpcError(error, deps));
  }
  const { id } = request;
  try {
    const result = await answerMethod(request, deps);
    return id === undefined ? undefined : count(id, encodeResult(id, result), deps);
  } catch (error) {
    const rpcError = toRpcError(error, deps);
    return id === undefined ? undefined : count(id, encodeError(id, rpcError), deps);
  }
};

// The first answer of a batch may be as large as the answer to a single request.
const createBatchCounter = (counter: AnswerCounter): AnswerCounter => {
  let characters = 0;
  let isFull = false;
  const assertCapacity = (): void => {
    if (isFull)
      throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, 'the answers of the batch are too large; split the request');
    counter.assertCapacity();
  };
  return {
    assertCapacity,
    add: (length) => {
      isFull ||= characters > 0 && characters + length > BATCH_CHARACTERS_MAX;
      assertCapacity();
      counter.add(length);
      characters += length;
    },
  };
};

// One after the other: a batch uses no more of the chain at once than a single request.
const answerBatch = async (values: readonly unknown[], deps: JsonRpcDeps): Promise<string | undefined> => {
  if (values.length === 0) return encodeError(null, new RpcError(RPC_CODE.INVALID_REQUEST, 'the batch is empty'));
  if (values.length > BATCH_MAX) {
    return encodeError(null, new RpcError(RPC_CODE.LIMIT_EXCEEDED, `more than ${BATCH_MAX} requests in the batch`));
  }
  const counter = createBatchCounter(deps.counter);
  const answers: string[] = [];
  for (const value of values) {
    const text = await answerRequest(value, { ...deps, counter });
    if (text !== undefined) answers.push(text);
  }
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
};

/** Answers the body of a request; undefined when no answer is due (notifications only). Never rejects. */
export const answerJsonRpc = async (body: string, deps: JsonRpcDeps): Promise<string | undefined> => {
  let value: unknown;
  try {
    value = parse(body);
  } catch (error) {
    return encodeError(null, toRpcError(error, deps));
  }
  return Array.isArray(value) ? answerBatch(value, deps) : answerRequest(value, deps);
};
