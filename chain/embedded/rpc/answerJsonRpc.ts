// The JSON-RPC 2.0 envelope: requests, notifications, batches, and the standard's errors. Results stay JSON text, so
// that a large one is never parsed here.
import { LedgerError } from '../../../ledger/errors.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import type { AnswerCounter } from './answerBudget.ts';
import type { AnswerClient } from './publicChain.ts';

/** Largest number of requests in a batch. */
export const BATCH_MAX = 1_000;
/** Milliseconds that a batch may take: an idle connection would be closed, and all of its answers lost. */
export const BATCH_MS_MAX = 30_000;
/**
 * Largest number of characters of a batch's answers, unless its first answer alone has more; the requests after that
 * are refused.
 */
export const BATCH_CHARACTERS_MAX = 4 * 2 ** 20;
/** An answer to a request that changes something is as short. */
const SHORT_CHARACTERS_MAX = 1_024;

type Id = string | number | null;

interface JsonRpcRequest {
  /** Undefined for a notification, which has no answer. */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Answers one request. `undoIfLost` registers what is undone if its answer isn't sent. */
type AnswerOne = (
  method: string,
  params: readonly unknown[],
  undoIfLost: AnswerClient['undoIfLost'],
) => Promise<string>;

/** Parts that answer a body. */
export interface JsonRpcDeps {
  readonly answer: AnswerOne;
  /** Counts the bytes of the answer before they are kept. */
  readonly counter: AnswerCounter;
  /** Called with errors that are not refusals: faults of this program. */
  readonly onError: (error: unknown) => void;
  /** Registers what is undone if the answer to the body doesn't reach the client. */
  readonly undoIfLost?: AnswerClient['undoIfLost'];
  /** Monotonic milliseconds; those of the process unless given. */
  readonly nowMs?: () => number;
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

const answerMethod = async (
  { method, params }: JsonRpcRequest,
  { answer, counter }: JsonRpcDeps,
  undoIfLost: AnswerClient['undoIfLost'],
): Promise<string> => {
  if (!Array.isArray(params)) throw new RpcError(RPC_CODE.INVALID_PARAMS, 'params must be a list');
  counter.assertCapacity();
  return answer(method, params, undoIfLost);
};

// What the method changed is undone when its answer isn't sent.
const answerCounted = async (request: JsonRpcRequest, deps: JsonRpcDeps): Promise<string | undefined> => {
  const undos: (() => void)[] = [];
  const undo = (): void => {
    for (const undoOne of undos) undoOne();
  };
  const result = await answerMethod(request, deps, (undoOne) => undos.push(undoOne));
  const text = request.id === undefined ? undefined : encodeResult(request.id, result);
  try {
    deps.counter.add(text?.length ?? 0);
  } catch (error) {
    undo();
    throw error;
  }
  if (text === undefined) undo();
  else if (undos.length > 0) deps.undoIfLost?.(undo);
  return text;
};

const encodeCountedError = (id: Id, error: unknown, deps: JsonRpcDeps): string => {
  const text = encodeError(id, toRpcError(error, deps));
  try {
    deps.counter.add(text.length);
    return text;
  } catch (refusal) {
    return encodeError(id, toRpcError(refusal, deps));
  }
};

const answerRequest = async (value: unknown, deps: JsonRpcDeps): Promise<string | undefined> => {
  let request: JsonRpcRequest;
  try {
    request = decodeRequest(value);
  } catch (error) {
    return encodeError(null, toRpcError(error, deps));
  }
  try {
    return await answerCounted(request, deps);
  } catch (error) {
    return request.id === undefined ? undefined : encodeCountedError(request.id, error, deps);
  }
};

const refuseRest = (reason: string): RpcError =>
  new RpcError(RPC_CODE.LIMIT_EXCEEDED, `${reason}; send the rest as another batch`);

// The first answer of a batch may be as large as the answer to a single request. A short one is always given: it may
// say what the request has done.
const createBatchCounter = (counter: AnswerCounter, isLate: () => boolean): AnswerCounter => {
  let characters = 0;
  let isFull = false;
  const assertRoom = (): void => {
    if (isFull || characters >= BATCH_CHARACTERS_MAX) throw refuseRest('the answers of the batch are too large');
    counter.assertCapacity();
  };
  return {
    assertCapacity: () => {
      assertRoom();
      if (isLate()) throw refuseRest(`the batch has taken ${BATCH_MS_MAX / 1_000} s`);
    },
    add: (length) => {
      isFull ||= characters > 0 && characters + length > BATCH_CHARACTERS_MAX && length > SHORT_CHARACTERS_MAX;
      if (length > SHORT_CHARACTERS_MAX) assertRoom();
      counter.add(length);
      characters += length;
    },
  };
};

const refuseBatch = (requests: number): RpcError => {
  const message = `the batch has ${requests} requests, and may have ${BATCH_MAX}`;
  return new RpcError(RPC_CODE.LIMIT_EXCEEDED, message, { requestsMax: BATCH_MAX });
};

// One after the other: a batch uses no more of the chain at once than a single request.
const answerBatch = async (values: readonly unknown[], deps: JsonRpcDeps): Promise<string | undefined> => {
  if (values.length === 0) return encodeError(null, new RpcError(RPC_CODE.INVALID_REQUEST, 'the batch is empty'));
  if (values.length > BATCH_MAX) return encodeError(null, refuseBatch(values.length));
  const nowMs = deps.nowMs ?? (() => performance.now());
  const endMs = nowMs() + BATCH_MS_MAX;
  const counter = createBatchCounter(deps.counter, () => nowMs() > endMs);
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
