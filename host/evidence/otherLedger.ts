// Records of checkpoints on another ledger, made through the API of its server. Nothing that it answers is trusted: its
// length and its time are bounded, redirects aren't followed, and evidence counts when it proves the record.
import { setTimeout as wait } from 'node:timers/promises';
import { readBounded } from '../../chain/jsonRpc/readBounded.ts';
import { parseEventIdentity, toAssetIdentity } from '../../ledger/identity.ts';
import { joinSignals } from '../../ledger/joinedSignal.ts';
import type { ApiCredentials } from '../settings/anchorFiles.ts';
import { OtherLedgerRefusal, RecordUnusable } from './otherLedgerRefusal.ts';

const ANSWER_BYTES_MAX = 65_536;
const REQUEST_MS = 30_000;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 15_000;
const VISIBLE = /^[\x21-\x7e]+$/;

/** An event to record. The same key with the same attributes is the same event. */
export interface OtherEvent {
  readonly key: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Another ledger. */
export interface OtherLedger {
  /**
   * Records an event, and resolves with the text of its evidence by its own log, once a checkpoint of that ledger
   * covers it.
   * @throws RecordUnusable when this event never gets such evidence; OtherLedgerRefusal when the server refuses;
   * otherwise it isn't reached.
   */
  record(event: OtherEvent, signal: AbortSignal): Promise<string>;
}

/** Where the other ledger is. */
export interface OtherLedgerOptions {
  /** Of its API, with its prefix and without a slash at the end. */
  readonly url: string;
  readonly assetIdentity: string;
  readonly readCredentials: () => Promise<ApiCredentials>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

type Request = (path: string, init: RequestInit, signal: AbortSignal) => Promise<Answer>;

const parseAnswer = ({ text }: Answer): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    throw new OtherLedgerRefusal('it answers something that is no JSON', { cause });
  }
};

// Of what another party's server says, only a code is shown.
const findCode = (text: string): string | undefined => /"error":\s*"([A-Z_]{1,40})"/.exec(text)?.[1];

const toRefusal = ({ status, text }: Answer, what: string): OtherLedgerRefusal => {
  const code = findCode(text);
  return new OtherLedgerRefusal(`it answers ${status}${code === undefined ? '' : ` (${code})`} to ${what}`, { status });
};

const createRequest =
  (url: string): Request =>
  async (path, init, stopping) => {
    using joined = joinSignals(stopping, AbortSignal.timeout(REQUEST_MS));
    const { signal } = joined;
    const response = await fetch(`${url}/${path}`, { ...init, redirect: 'error', signal });
    const bytes = await readBounded(response, ANSWER_BYTES_MAX);
    if (bytes === undefined) throw new OtherLedgerRefusal(`it answers more than ${ANSWER_BYTES_MAX} bytes`);
    const text = Buffer.from(bytes).toString();
    return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
  };

const issueToken = async (request: Request, credentials: ApiCredentials, signal: AbortSignal): Promise<string> => {
  if ('token' in credentials) return credentials.token;
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await request('iam/v1/appidp/token', { method: 'POST', body }, signal);
  if (answer.status !== 200) throw toRefusal(answer, 'the request of a token');
  const { access_token: token } = parseAnswer(answer);
  if (typeof token !== 'string' || !VISIBLE.test(token)) throw new OtherLedgerRefusal('it answers without a token');
  return token;
};

const toPauseMs = ({ retryAfter }: Answer): number => {
  const asked = 1_000 * Number(retryAfter);
  return Math.min(Math.max(Number.isFinite(asked) ? asked : 0, PAUSE_MS), PAUSE_MS_MAX);
};

const readIdentity = (identity: unknown, assetIdentity: string): string => {
  const parsed = typeof identity === 'string' ? parseEventIdentity(identity) : undefined;
  if (parsed !== undefined && toAssetIdentity(parsed.assetUuid) === assetIdentity) return identity as string;
  throw new OtherLedgerRefusal('it answers without an event of the asset');
};

// The same request again has the event as it is then.
const recordEvent = async (
  request: Request,
  { assetIdentity }: OtherLedgerOptions,
  { key, attributes }: OtherEvent,
  signal: AbortSignal,
): Promise<string> => {
  const body = JSON.stringify({ behaviour: 'RecordEvidence', operation: 'Record', event_attributes: attributes });
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  for (;;) {
    const answer = await request(`v2/${assetIdentity}/events`, { method: 'POST', body, headers }, signal);
    if (answer.status === 409) throw new RecordUnusable(`it has another event of this key (${findCode(answer.text)})`);
    if (answer.status !== 200) throw toRefusal(answer, 'the event');
    const { identity, confirmation_status: status } = parseAnswer(answer);
    if (status === 'FAILED') throw new RecordUnusable('its chain refused the event');
    if (status === 'CONFIRMED') return readIdentity(identity, assetIdentity);
    await wait(PAUSE_MS, undefined, { signal });
  }
};

const fetchEvidence = async (request: Request, identity: string, signal: AbortSignal): Promise<string> => {
  for (;;) {
    const answer = await request(`v2/${identity}:evidence?proof=log`, {}, signal);
    if (answer.status === 200) return answer.text;
    if (answer.status === 409) throw new RecordUnusable('the event shares its transaction with others');
    if (answer.status !== 503) throw toRefusal(answer, 'the request of evidence');
    await wait(toPauseMs(answer), undefined, { signal });
  }
};

/** Another ledger, by the API of its server. */
export const createOtherLedger = (options: OtherLedgerOptions): OtherLedger => {
  const request = createRequest(options.url);
  return {
    record: async (event, signal) => {
      const token = await issueToken(request, await options.readCredentials(), signal);
      const authenticated: Request = (path, init, until) =>
        request(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }, until);
      const identity = await recordEvent(authenticated, options, event, signal);
      return fetchEvidence(authenticated, identity, signal);
    },
  };
};
