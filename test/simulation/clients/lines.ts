// Clients that record events from requests of many lines: with and without keys, with broken lines, with keys that
// other lines have. They send the lines again that were not answered, or disconnect in the middle.
import { theWorld } from '../world/world.ts';
import { type ClientWorld, mayRepeat, RETRY_MS, TRANSIENT, toSight } from './creations.ts';
import { wait } from './exchange.ts';
import type { Attempt, CreatedBody, CreationRequest, LineSending, Refusal } from './history.ts';
import { exchangeLines, type LineExchanged } from './lineExchange.ts';
import { describe, toRequest, toRival } from './newRequest.ts';

/** How an odd line differs from the others; the line before it has a key. */
export type OddLine = 'none' | 'broken' | 'missingAsset' | 'repeated' | 'rival';

/** The odd lines that a plan may draw. */
export const ODD_LINES: readonly OddLine[] = ['none', 'broken', 'missingAsset', 'repeated', 'rival'];

/** What a client does with one request of lines. */
export interface LineCreation {
  readonly label: string;
  readonly tenantIdentity: string;
  /** Chooses the assets. */
  readonly target: number;
  /** Number of lines besides the odd one. */
  readonly lines: number;
  readonly oddLine: OddLine;
  /** One line in so many has a key; 0: none. The line before the odd one has one in any case. */
  readonly keyedEach: number;
  /** Characters of one piece of the body. */
  readonly pieceCharacters: number;
  readonly pauseMsMax: number;
  readonly repeatsUnkeyed: boolean;
  /** Whether the client sends the request twice at the same time. */
  readonly isDoubled: boolean;
  /** The client disconnects after so many pieces and sends nothing again; negative: it does not disconnect. */
  readonly piecesUntilEnd: number;
}

/** One line that a client sends. */
interface SentLine {
  readonly text: string;
  /** The request for the line's record; undefined: the line must be refused. */
  readonly request: CreationRequest | undefined;
}

interface ResultLine {
  readonly line: number;
  readonly event?: CreatedBody;
  readonly error?: { readonly message: string; readonly details: readonly { readonly error: string }[] };
}

const ATTEMPTS_MAX = 12;
const MISSING_ASSET = 'assets/00000000-0000-4000-8000-000000000000';

const toLine = (request: CreationRequest): SentLine => {
  const { streamIdentity: asset_identity, key, body } = request;
  const text = JSON.stringify({ asset_identity, ...(key !== undefined && { idempotency_key: key }), ...body });
  return { text: `${text}\n`, request };
};

const toRefused = (text: string): SentLine => ({ text: `${text}\n`, request: undefined });

// `before` is the request of the line that the odd one follows.
const toOddLine = (creation: LineCreation, before: CreationRequest): SentLine[] => {
  const { oddLine, label } = creation;
  const toOther = (): CreationRequest => toRival(before, { kind: 'createEvent', label, renames: false });
  if (oddLine === 'broken') return [toRefused(toLine(toOther()).text.slice(0, -4))];
  if (oddLine === 'missingAsset')
    return [toRefused(toLine({ ...toOther(), streamIdentity: MISSING_ASSET }).text.trimEnd())];
  if (oddLine === 'repeated') return [toLine(before)];
  return oddLine === 'rival' ? [toLine(toOther())] : [];
};

const toLines = ({ history }: ClientWorld, creation: LineCreation): SentLine[] => {
  const { label, tenantIdentity, target, lines, keyedEach } = creation;
  const oddAfter = lines >> 1;
  return Array.from({ length: lines }, (_, at) => {
    const isKeyed = at === oddAfter || (keyedEach > 0 && at % keyedEach === 0);
    const content = { kind: 'createEvent', label: `${label}.${at + 1}`, renames: false } as const;
    const request = toRequest(history, { ...content, tenantIdentity, target: target + (at >> 1), isKeyed });
    return [toLine(request), ...(at === oddAfter ? toOddLine(creation, request) : [])];
  }).flat();
};

// The pieces of a body, and for each line the piece with its newline.
const toPieces = (lines: readonly SentLine[], size: number) => {
  const body = lines.map(({ text }) => text).join('');
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.slice(at * size, (at + 1) * size),
  );
  let end = 0;
  const lastPieces = lines.map(({ text }) => {
    end += text.length;
    return Math.ceil(end / size) - 1;
  });
  return { pieces, lastPieces };
};

const note = (text: () => string): void => theWorld().note('client', text);

// A line is answered after the groups before it, so the outbox may have been full long before. Its answer has the text
// of the code alone.
const toRefusal = ({ machine }: ClientWorld, { error }: ResultLine): Refusal => ({
  code: error?.details[0]?.error ?? `500: ${error?.message}`,
  message: '',
  atMs: theWorld().nowMs(),
  starts: machine.starts(),
  outboxCountMax: Number.POSITIVE_INFINITY,
  outboxFailed: 0,
});

const recordResult = (clients: ClientWorld, line: SentLine | undefined, attempt: Attempt, result: ResultLine): void => {
  const { event } = result;
  attempt.outcome = event === undefined ? toRefusal(clients, result) : 'answered';
  const what = line?.request === undefined ? 'a broken line' : describe(line.request);
  note(() => `${what}: ${event?.confirmation_status ?? `refused with ${(attempt.outcome as Refusal).code}`}`);
  if (event !== undefined) line?.request?.sights.push(toSight(attempt.sentMs, event));
};

interface SentOnce {
  readonly result: LineExchanged;
  /** Of each line; undefined for a line that was not sent to its end. */
  readonly attempts: readonly (Attempt | undefined)[];
}

const sendOnce = async (
  clients: ClientWorld,
  creation: LineCreation,
  lines: readonly SentLine[],
): Promise<SentOnce> => {
  const { label, tenantIdentity, pieceCharacters, pauseMsMax, piecesUntilEnd } = creation;
  const { pieces, lastPieces } = toPieces(lines, pieceCharacters);
  const attempts: (Attempt | undefined)[] = lines.map(() => undefined);
  const sending: LineSending = { label, sent: lines.map(({ request }) => request), attempts, results: [] };
  clients.history.lineSendings.push(sending);
  const result = await exchangeLines(clients, {
    tenantIdentity,
    pieces,
    lines: lines.length,
    piecesUntilEnd: piecesUntilEnd < 0 ? undefined : piecesUntilEnd,
    pauseMsMax,
    onPiece: (piece) => {
      for (const [at, { request }] of lines.entries()) {
        if (lastPieces[at] !== piece) continue;
        const attempt: Attempt = { sentMs: theWorld().nowMs(), outcome: 'pending' };
        attempts[at] = attempt;
        request?.attempts.push(attempt);
      }
    },
    onAnswer: (text) => {
      for (const answered of text.trimEnd().split('\n')) {
        const result: ResultLine = JSON.parse(answered);
        sending.results.push(result.line);
        const attempt = attempts[result.line - 1];
        if (attempt !== undefined) recordResult(clients, lines[result.line - 1], attempt, result);
      }
    },
  });
  for (const attempt of attempts) if (attempt?.outcome === 'pending') attempt.outcome = 'lost';
  return { result, attempts };
};

// The lines to send again: those that never arrived, and those that a single request would send again.
const toRemaining = (
  lines: readonly SentLine[],
  { attempts }: SentOnce,
  { repeatsUnkeyed }: LineCreation,
): SentLine[] =>
  lines.filter(({ request }, at) => {
    const attempt = attempts[at];
    if (request === undefined) return false;
    return attempt === undefined || mayRepeat(attempt, request.key !== undefined || repeatsUnkeyed);
  });

/** Sends the lines of a request until each is answered or refused finally, or the client gives up. Never rejects. */
export const createFromLines = async (clients: ClientWorld, creation: LineCreation): Promise<void> => {
  const { label, isDoubled, piecesUntilEnd } = creation;
  let lines = toLines(clients, creation);
  for (const request of new Set(lines.map((line) => line.request)))
    if (request !== undefined) clients.history.add(request);
  const random = theWorld().stream('clients of lines');
  for (let tries = 0; tries < ATTEMPTS_MAX && lines.length > 0; tries += 1) {
    const count = lines.length;
    note(() => `sends ${count} lines of ${label}`);
    const first = sendOnce(clients, creation, lines);
    if (isDoubled) await sendOnce(clients, creation, lines);
    const sent = await first;
    note(() => `${label}: ${sent.result}`);
    if (piecesUntilEnd >= 0) return;
    lines = toRemaining(lines, sent, creation);
    await wait(random.integer(...RETRY_MS));
  }
};

/** Codes with which a line that can't be recorded is refused. */
export const CODES_OF_BROKEN: readonly string[] = ['REQUEST_INVALID', 'ASSET_NOT_FOUND', ...TRANSIENT];
