// The requests of the embedded chain, on what answers them as text: the engine in this process or in another one.
import { LedgerError } from '../../../ledger/errors.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';

/** A JSON-RPC request without its envelope. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The error that the engine answered a request with. */
export class EngineError extends RpcError {}

/** A node. Every method rejects with `EngineError` when the node answers with an error. */
export interface Edr {
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** The same, with the result as JSON text: large answers go to third parties without being parsed here. */
  requestText(method: string, params: readonly unknown[]): Promise<string>;
  /** Sends several requests in order with nothing in between. The first that fails ends them. */
  requestAll(calls: readonly RpcCall[]): Promise<unknown[]>;
}

/** Answers the JSON text of a `RpcCall`, or of a list of them, with the text of an answer of EDR. */
export type AnswerText = (payload: string) => Promise<string>;

const RESULT_PREFIX = '{"result":';

const isHex = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-f]*$/.test(value);

// EDR answers a failed call with `{ reason, data, transactionHash }`; other nodes answer with the bare bytes, and
// clients expect those.
const toRpcError = (text: string): EngineError => {
  const { error } = JSON.parse(text) as { error: { code: number; message: string; data?: unknown } };
  const { reason, data } = (error.data ?? {}) as { reason?: object; data?: unknown };
  if (!isHex(data)) return new EngineError(error.code, error.message);
  const isRevert = reason !== undefined && Object.hasOwn(reason, 'Revert');
  return new EngineError(isRevert ? RPC_CODE.REVERTED : error.code, error.message, data);
};

const toLedgerError = (cause: unknown): LedgerError =>
  cause instanceof LedgerError
    ? cause
    : new LedgerError('CHAIN_UNAVAILABLE', { message: 'The embedded chain failed to answer', cause });

const invoke = async (answerText: AnswerText, payload: RpcCall | readonly RpcCall[]): Promise<string> => {
  const text = await answerText(JSON.stringify(payload)).catch((cause: unknown) => {
    throw toLedgerError(cause);
  });
  if (!text.startsWith(RESULT_PREFIX)) throw toRpcError(text);
  return text.slice(RESULT_PREFIX.length, -1);
};

/** A node whose requests are answered as text. */
export const toEdr = (answerText: AnswerText): Edr => ({
  request: async (method, params) => JSON.parse(await invoke(answerText, { method, params })) as unknown,
  requestText: (method, params) => invoke(answerText, { method, params }),
  requestAll: async (calls) => JSON.parse(await invoke(answerText, calls)) as unknown[],
});
