// The caller's token: in memory, and in sessionStorage so that a reload keeps it. It never leaves this origin.
import { computed, signal } from '@preact/signals';

const KEY = 'provenance-ledger-token';

/** What the explorer shows of a token's claims. Nothing is decided by them: the server checks the token. */
export interface ShownClaims {
  readonly tenant: string;
  readonly issuer: string;
  readonly subject: string;
  /** Roles of a token of this server; undefined of other issuers, whose roles the server maps. */
  readonly roles: readonly string[] | undefined;
  /** Seconds since the epoch; undefined if the token doesn't say. */
  readonly expires: number | undefined;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

// The server's own tokens name tenant and roles in this form.
const toRoles = ({ tenant, roles }: Record<string, unknown>): readonly string[] | undefined =>
  toText(tenant).startsWith('tenant/') && Array.isArray(roles) ? roles.map(toText) : undefined;

const decodeClaims = (token: string): ShownClaims | undefined => {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const expires = typeof claims.exp === 'number' ? claims.exp : undefined;
    return {
      tenant: toText(claims.tenant),
      issuer: toText(claims.iss),
      subject: toText(claims.sub),
      roles: toRoles(claims),
      expires,
    };
  } catch {
    return undefined;
  }
};

/** The token that requests are sent with; undefined while nobody is signed in. */
export const token = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined);

/** Whether the token of the session has expired, or the server refused it, which also happens when it was revoked. */
export const isExpired = signal(false);

/** The claims of the token; undefined without one, and of one that is no JWT. */
export const claims = computed(() => (token.value === undefined ? undefined : decodeClaims(token.value)));

/** How far the server's clock is ahead of this browser's, in milliseconds; undefined before its first answer. */
export const serverAheadMs = signal<number | undefined>(undefined);

/** Differences below it come from the way of an answer, and from its time in whole seconds. */
const CLOCK_STEP_MS = 3_000;

/** Notes that the server refuses the token of a request, unless it is another session's by now. */
export const noteStatus = (status: number, authorization: string | null): void => {
  if (status === 401 && token.value !== undefined && authorization === `Bearer ${token.value}`) isExpired.value = true;
};

// An answer tells the server's time at a moment between `sentMs` and now, which may be hours apart: the network is
// slow, or the machine slept. A known difference that is possible by both stays.
const noteTime = (dateMs: number, sentMs: number): void => {
  const receivedMs = Date.now();
  const known = serverAheadMs.value;
  const fits =
    known !== undefined && known > dateMs - receivedMs - CLOCK_STEP_MS && known < dateMs - sentMs + CLOCK_STEP_MS;
  if (!fits && Number.isFinite(dateMs)) serverAheadMs.value = dateMs - receivedMs;
};

/** Sends a request; notes the server's time that its answer shows, and whether the answer refuses the token. */
export const fetchInSession = async (request: Request): Promise<Response> => {
  const sentMs = Date.now();
  const response = await fetch(request);
  noteTime(Date.parse(response.headers.get('date') ?? ''), sentMs);
  noteStatus(response.status, request.headers.get('authorization'));
  return response;
};

/** Signs in with a token. */
export const signIn = (given: string): void => {
  sessionStorage.setItem(KEY, given);
  token.value = given;
  isExpired.value = false;
};

/** Forgets the token. What was read with it stays in memory until the page is loaded again. */
export const signOut = (): void => {
  sessionStorage.clear();
  token.value = undefined;
  isExpired.value = false;
};
