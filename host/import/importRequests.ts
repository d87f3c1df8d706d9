// The requests of an import to a running server, each repeated when it ended without an answer.
import { toConnectionFailure } from '../connectionFailure.ts';
import { createTokenCache } from './tokenCache.ts';

/** Where the server is, and how it is authenticated to. */
export interface ImportTarget {
  /** Base URL of the server, without a slash at the end. */
  readonly url: string;
  /** Issues a token with the right to write. Each is used for some minutes. */
  readonly readToken: () => Promise<string>;
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

interface Problem {
  readonly message?: string;
  readonly details?: readonly { readonly error?: string; readonly field?: string }[];
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

const readAnswer = async <T>(response: Response): Promise<T> => {
  if (response.ok) return (await response.json().catch((error) => Promise.reject(toLost(error)))) as T;
  const { status } = response;
  const problem = await readProblem(response);
  if (REFUSALS.includes(status)) throw new RecordRefused(`${status} ${problem.message}`);
  throw new RequestEnded(toText(status, problem), status);
};

/** The requests of one import. Each rejects after several attempts in a row that the server didn't answer. */
export const createImportRequests = ({ url, readToken, pause }: ImportTarget, requestLinesMax: number) => {
  const token = createTokenCache(readToken);
  let linesMax = requestLinesMax;

  const send = async (path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Response> => {
    const authorization = `Bearer ${await token.read()}`;
    try {
      return await fetch(`${url}/svc/v2/${path}`, { ...init, headers: { ...headers, authorization } });
    } catch (error) {
      throw toLost(error);
    }
  };

  const repeat = async <T>(request: () => Promise<T>): Promise<T> => {
    for (let count = 1; ; count += 1) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof RequestEnded)) throw error;
        if (error.status === 401) token.forget();
        if (count === REQUESTS_MAX) throw new Error(`${error.message}. ${RUN_AGAIN}`, { cause: error });
        if (TEMPORARY.includes(error.status)) await pause(Math.min(500 * 2 ** count, PAUSE_MS_MAX), error.message);
      }
    }
  };

  const sendLines = async (
    lines: readonly ImportLine[],
    onResult: Parameters<typeof readAnswers>[2],
  ): Promise<number> => {
    const body = lines.map(({ text }) => `${text}\n`).join('');
    const response = await send('events:bulk?fields=identity', { method: 'POST', body }, LINES);
    if (!response.ok) throw new RequestEnded(toText(response.status, await readProblem(response)), response.status);
    const { answered, ended } = await readAnswers(response, lines, onResult);
    if (ended !== undefined && answered === 0) throw ended;
    if (ended?.status === 413) linesMax = answered;
    return answered;
  };

  return {
    /** Creates an asset once for each key, and resolves with its identity. @throws RecordRefused */
    createAsset: (key: string, asset: object): Promise<string> =>
      repeat(async () => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': key };
        const response = await send('assets', { method: 'POST', body: JSON.stringify(asset) }, headers);
        const answer = await readAnswer<{ identity: string; confirmation_status?: string }>(response);
        if (answer.confirmation_status === 'FAILED') throw new RecordRefused(CHAIN_REFUSED);
        return answer.identity;
      }),
    /** Resolves with the only asset that has this attribute; undefined when there is none, or several. */
    findAsset: (name: string, value: string): Promise<string | undefined> =>
      repeat(async () => {
        const filter = `attributes.${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
        const response = await send(`assets?tracked=ANY&page_size=2&${filter}`, {});
        const { assets } = await readAnswer<{ assets: { identity: string }[] }>(response);
        return assets.length === 1 ? assets[0]!.identity : undefined;
      }),
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
