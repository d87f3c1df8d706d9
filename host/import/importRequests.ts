// The requests of an import to a running server, each repeated when it ended without an answer.
import type { Attributes } from '../../ledger/records/attributes.ts';
import { toConnectionFailure } from '../connectionFailure.ts';
import { createTokenCache } from './tokenCache.ts';

/** What an import needs the right to: to write, and if its file has policies, to create them. */
export type ImportRole = 'writer' | 'policies';

/** Where the server is, and how it is authenticated to. */
export interface ImportTarget {
  /** Base URL of the server, without a slash at the end. */
  readonly url: string;
  /** Sends a request; the global `fetch` unless given. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Issues a token of this role. Each is used for some minutes. */
  readonly readToken: (role: ImportRole) => Promise<string>;
  /** Waits before a request is repeated. */
  readonly pause: (ms: number, reason: string) => Promise<void>;
}

/** A line to send, without a newline, and the line of the file that it comes from. */
export interface ImportLine {
  readonly line: number;
  readonly text: string;
}

/** The server's answer to one line. */
export interface ImportResult {
  readonly status: number;
  readonly confirmation_status?: string;
  readonly error?: Problem;
}

/** A request to create an asset. Its settings and attributes may be those of the source, unchecked. */
export interface ImportedAssetRequest {
  readonly attributes: Attributes;
  readonly behaviours?: unknown;
  readonly [setting: string]: unknown;
}

/** A line that records an event, unchecked. */
export interface ImportedEventRequest {
  readonly idempotency_key: string;
  readonly asset_identity: string;
  readonly behaviour: string;
  readonly operation: string;
  readonly event_attributes: Attributes;
  readonly asset_attributes: Attributes;
}

/** An asset of this ledger, as far as an import needs it. */
export interface ImportedAsset {
  readonly identity: string;
  readonly behaviours: readonly string[];
  readonly public: boolean;
}

/** A file of this ledger. */
export interface ImportedBlob {
  readonly identity: string;
  readonly hash: { readonly value: string };
}

interface Problem {
  readonly message?: string;
  readonly details?: readonly { readonly error?: string; readonly field?: string }[];
}

/** A file to upload. */
export interface Upload {
  readonly content: Blob;
  readonly mimeType: string;
}

/** The reason of a record that the server accepted, now or before, and that has the status FAILED. */
export const CHAIN_REFUSED = 'the chain refused it';

/** A record that the server refused: another attempt has the same answer. */
export class RecordRefused extends Error {}

/** A request that ended before the server answered its record or any of its lines. */
class RequestEnded extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Requests in a row without an answer after which an import ends. */
const REQUESTS_MAX = 8;
const PAUSE_MS_MAX = 15_000;
/** What says something about the record. Any other status is about the caller, the server or the way to it. */
const REFUSALS = [400, 402, 409, 413, 500];
/** What is otherwise after some time: without a status, the connection was lost. */
const TEMPORARY = [undefined, 408, 429, 502, 503, 504];
/** Results that aren't those of a line: the server has not processed it, and may accept it in another request. */
const ENDINGS = [401, 403, 408, 429, 503];

const LINES = { 'content-type': 'application/x-ndjson' };
const RUN_AGAIN = `${REQUESTS_MAX} requests in a row ended like this. Remove the cause and run the import again: what was imported is not imported again`;

const toText = (status: number, problem: Problem | undefined): string =>
  `the server answers ${status}: ${problem?.message ?? ''}`;

const readProblem = async (response: Response): Promise<Problem> => {
  const text = await response.text();
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return { message: text.slice(0, 200) };
  }
};

const toLost = (error: unknown): RequestEnded => new RequestEnded(toConnectionFailure(error));

async function* readResults(body: AsyncIterable<Uint8Array>): AsyncGenerator<ImportResult> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as ImportResult;
  }
}

// A line that is too large, or whose record is, has the same status as a body with too many lines.
const isBodyTooLarge = ({ error: problem }: ImportResult): boolean =>
  problem?.details?.some(({ error, field }) => error === 'REQUEST_TOO_LARGE' && field === 'body') === true;

const isEnding = (result: ImportResult): boolean => ENDINGS.includes(result.status) || isBodyTooLarge(result);

/** Calls `onResult` with the answers until the server ends the request. Resolves with their number. */
const readAnswers = async (
  response: Response,
  lines: readonly ImportLine[],
  onResult: (line: number, result: ImportResult) => void,
): Promise<{ answered: number; ended: RequestEnded | undefined }> => {
  let answered = 0;
  try {
    for await (const result of readResults(response.body!)) {
      if (isEnding(result))
        return { answered, ended: new RequestEnded(toText(result.status, result.error), result.status) };
      onResult(lines[answered]!.line, result);
      answered += 1;
    }
  } catch (error) {
    return { answered, ended: toLost(error) };
  }
  return { answered, ended: answered < lines.length ? new RequestEnded('the server ended its answer') : undefined };
};

const toRefusal = async (response: Response): Promise<string> =>
  `${response.status} ${(await readProblem(response)).message}`;

const readAnswer = async <T>(response: Response): Promise<T> => {
  if (response.ok) return (await response.json().catch((error) => Promise.reject(toLost(error)))) as T;
  const { status } = response;
  if (REFUSALS.includes(status)) throw new RecordRefused(await toRefusal(response));
  throw new RequestEnded(toText(status, await readProblem(response)), status);
};

type Json = Readonly<Record<string, unknown>>;

const toForm = ({ content, mimeType }: Upload): FormData => {
  const form = new FormData();
  // A part of a slice has its type, and is read from the disk while it is sent.
  form.set('file', content.slice(0, content.size, mimeType), 'filename');
  return form;
};

/** Requests with a token, each repeated while its answer may become another one. */
const createSender = ({ url, fetch = globalThis.fetch, readToken, pause }: ImportTarget) => {
  const tokens = {
    writer: createTokenCache(() => readToken('writer')),
    policies: createTokenCache(() => readToken('policies')),
  };
  return {
    send: async (
      path: string,
      init: RequestInit,
      headers: Record<string, string> = {},
      role: ImportRole = 'writer',
    ): Promise<Response> => {
      const authorization = `Bearer ${await tokens[role].read()}`;
      try {
        return await fetch(`${url}/svc/${path}`, { ...init, headers: { ...headers, authorization } });
      } catch (error) {
        throw toLost(error);
      }
    },
    repeat: async <T>(request: () => Promise<T>): Promise<T> => {
      for (let count = 1; ; count += 1) {
        try {
          return await request();
        } catch (error) {
          if (!(error instanceof RequestEnded)) throw error;
          if (error.status === 401) for (const token of Object.values(tokens)) token.forget();
          if (count === REQUESTS_MAX) throw new Error(`${error.message}. ${RUN_AGAIN}`, { cause: error });
          if (TEMPORARY.includes(error.status)) await pause(Math.min(500 * 2 ** count, PAUSE_MS_MAX), error.message);
        }
      }
    },
  };
};

/** The requests of one import. Each rejects after several attempts in a row that the server didn't answer. */
export const createImportRequests = (target: ImportTarget, requestLinesMax: number) => {
  const { send, repeat } = createSender(target);
  let linesMax = requestLinesMax;

  const sendLines = async (
    lines: readonly ImportLine[],
    onResult: Parameters<typeof readAnswers>[2],
  ): Promise<number> => {
    const body = lines.map(({ text }) => `${text}\n`).join('');
    const response = await send('v2/events:bulk?fields=identity', { method: 'POST', body }, LINES);
    if (!response.ok) throw new RequestEnded(toText(response.status, await readProblem(response)), response.status);
    const { answered, ended } = await readAnswers(response, lines, onResult);
    if (ended !== undefined && answered === 0) throw ended;
    if (ended?.status === 413) linesMax = answered;
    return answered;
  };

  const createOne = <T>(path: string, key: string, body: () => RequestInit['body'], role?: ImportRole): Promise<T> =>
    repeat(async () => {
      const sent = body();
      const type = sent instanceof FormData ? {} : { 'content-type': 'application/json' };
      const headers = { ...type, 'idempotency-key': key };
      const response = await send(path, { method: 'POST', body: sent! }, headers, role);
      if (role === 'policies' && response.status === 403) throw new RecordRefused(await toRefusal(response));
      const answer = await readAnswer<T & { confirmation_status?: string }>(response);
      if (answer.confirmation_status === 'FAILED') throw new RecordRefused(CHAIN_REFUSED);
      return answer;
    });

  const read = <T>(path: string): Promise<T | undefined> =>
    repeat(async () => {
      const response = await send(path, {});
      if (response.status !== 404) return readAnswer<T>(response);
      await response.body?.cancel();
      return undefined;
    });

  return {
    /** Creates what a path has once for each key, and resolves with the answer. @throws RecordRefused */
    create: <T = { identity: string }>(path: string, key: string, body: Json, role?: ImportRole): Promise<T> =>
      createOne(path, key, () => JSON.stringify(body), role),
    /** Uploads a file once for each key. @throws RecordRefused */
    upload: (key: string, file: Upload): Promise<ImportedBlob> => createOne('v1/blobs', key, () => toForm(file)),
    /** The answer of a path; undefined if there is nothing there. */
    read,
    /** The only item of a list that has an attribute; undefined when there is none, or several. */
    findOne: async <T>(list: 'assets' | 'locations', name: string, value: string): Promise<T | undefined> => {
      const filter = `attributes.${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
      const tracked = list === 'assets' ? 'tracked=ANY&' : '';
      const found = await read<Record<string, T[]>>(`v2/${list}?${tracked}page_size=2&${filter}`);
      const items = found?.[list] ?? [];
      return items.length === 1 ? items[0] : undefined;
    },
    /** Records the events of lines, and calls `onResult` with the answer to each, in order. */
    recordEvents: async (
      lines: readonly ImportLine[],
      onResult: (line: number, result: ImportResult) => void,
    ): Promise<void> => {
      for (let from = 0; from < lines.length; )
        from += await repeat(() => sendLines(lines.slice(from, from + linesMax), onResult));
    },
  };
};

export type ImportRequests = ReturnType<typeof createImportRequests>;
