// Sends seeded requests to a JSON-RPC port. Each must have an answer of JSON-RPC, and no answer may be a fault of the
// program.
import { writeSync } from 'node:fs';
import fc from 'fast-check';
import { RPC_CODE } from '../../../chain/jsonRpc/rpcError.ts';
import { type FuzzedChain, type FuzzedRequest, toRequests } from './rpcRequests.ts';

/** What a run found. */
export interface FuzzReport {
  readonly requests: number;
  /** Number of answers by method and `ok` or the code of the error. */
  readonly answers: ReadonlyMap<string, number>;
  /** Requests that must not have the answer that they had. */
  readonly faults: readonly { readonly request: FuzzedRequest; readonly answer: string }[];
}

/** A chain with the URL of its port. */
export interface FuzzedPort extends FuzzedChain {
  readonly rpcUrl: string;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

const TIMEOUT_MS = 60_000;
const REQUESTS_PER_SAMPLE = 100;
const ANSWER_CHARACTERS = 300;
/** Codes that are no answer to the request: a fault, or a chain that has stopped. */
const FAULTS: readonly number[] = [RPC_CODE.INTERNAL, RPC_CODE.UNAVAILABLE];

const post = async (url: string, request: FuzzedRequest): Promise<Reply> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
};

/** The result of a request. Rejects when it has none. */
export const ask = async (url: string, method: string, ...params: readonly unknown[]): Promise<unknown> => {
  const { text } = await post(url, { method, params });
  const { result } = JSON.parse(text) as Answer;
  if (result === undefined) throw new Error(`${method} answers ${text}`);
  return result;
};

const readOutcome = ({ status, text }: Reply): { name: string; isFault: boolean } => {
  if (status !== 200) return { name: `HTTP ${status}`, isFault: true };
  const { result, error } = JSON.parse(text) as Answer;
  if (error === undefined) return { name: 'ok', isFault: result === undefined };
  return { name: String(error.code), isFault: FAULTS.includes(error.code) };
};

/**
 * Sends requests that follow from `seed`, one after the other, until `isOver` is true after a sample of 100. Rejects
 * when one has no answer, and writes it to standard error.
 */
export const sendRequests = async (
  port: FuzzedPort,
  seed: number,
  isOver: (requests: number) => boolean,
): Promise<FuzzReport> => {
  const requests = toRequests(port);
  const answers = new Map<string, number>();
  const faults: { request: FuzzedRequest; answer: string }[] = [];
  const send = async (request: FuzzedRequest): Promise<void> => {
    const reply = await post(port.rpcUrl, request).catch((cause: unknown) => {
      writeSync(process.stderr.fd, `no answer to ${JSON.stringify(request)}\n`);
      throw cause;
    });
    const { name, isFault } = readOutcome(reply);
    const key = `${request.method} ${name}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
    if (isFault) faults.push({ request, answer: reply.text.slice(0, ANSWER_CHARACTERS) });
  };
  let sent = 0;
  for (let sample = 0; !isOver(sent); sample += 1) {
    for (const request of fc.sample(requests, { seed: seed + sample, numRuns: REQUESTS_PER_SAMPLE })) {
      await send(request);
      sent += 1;
    }
  }
  return { requests: sent, answers, faults };
};
