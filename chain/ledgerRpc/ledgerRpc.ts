// Answers the bodies of JSON-RPC requests that arrive through the API: one read of the ledger each, a bounded number at
// once.
import { answerJsonRpc } from '../embedded/rpc/answerJsonRpc.ts';
import { createConcurrencyLimit } from '../embedded/rpc/concurrencyLimit.ts';
import { RPC_CODE, RpcError } from '../jsonRpc/rpcError.ts';
import { createLedgerReads, type ReadLedger } from './ledgerReads.ts';

/** Answers the body of a request; undefined for a notification, which has no answer. Never rejects. */
export type LedgerRpc = (body: string) => Promise<string | undefined>;

/** An execution in EDR and one read beside it; others wait. */
const CONCURRENT_MAX = 2;
const WAITING_MAX = 64;
/** Above any header, and any result of a view function. Also bounds the `id` that an answer repeats. */
const ANSWER_CHARACTERS_MAX = 65_536;

const BATCH = /^[\t\n\r ]*\[/;

const encodeRefusal = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });

/** The answers of a ledger. Batches are refused: each request counts for the limit of its address. */
export const createLedgerRpc = (ledger: ReadLedger, onError: (error: unknown) => void): LedgerRpc => {
  const read = createLedgerReads(ledger);
  const limit = createConcurrencyLimit({
    concurrent: CONCURRENT_MAX,
    waitingMax: WAITING_MAX,
    refuse: () => new RpcError(RPC_CODE.LIMIT_EXCEEDED, 'too many requests at once'),
  });
  const answer = (method: string, params: readonly unknown[]) =>
    limit(async () => JSON.stringify(await read(method, params)));
  const counter = { assertCapacity: () => undefined, add: () => undefined };
  return async (body) => {
    if (BATCH.test(body)) return encodeRefusal(RPC_CODE.INVALID_REQUEST, 'send one request at a time');
    const text = await answerJsonRpc(body, { answer, counter, onError });
    if (text === undefined || text.length <= ANSWER_CHARACTERS_MAX) return text;
    return encodeRefusal(RPC_CODE.LIMIT_EXCEEDED, 'the answer is too large');
  };
};
