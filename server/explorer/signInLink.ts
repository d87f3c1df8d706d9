// A link that signs the operator in once, printed at the first start. Its code has 256 random bits; memory has only the
// code's SHA-256, until the code is exchanged or five minutes have passed.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a link can be used. */
export const LINK_LIFETIME_MS = 300_000;

const CODE_BYTES = 32;

/** Where a link leads, and to whose rights. */
export interface LinkTarget {
  /** Scheme, host and port of the server as the operator's browser sees it. */
  readonly origin: string;
  /** The application whose token the code is exchanged for. */
  readonly clientId: string;
}

/** A link that can be used once. */
export interface SignInLink {
  /** Makes the link usable, in place of an earlier one, and returns it. */
  open(target: LinkTarget): string;
  /** Scheme, host and port of the link; undefined while there is none. */
  readOrigin(): string | undefined;
  /** The application's client id for the right code, once; undefined for any other code, and when it is too late. */
  take(code: string): string | undefined;
}

const toHash = (code: string): Buffer => createHash('sha256').update(code).digest();

/** No link at first. `nowMs` is a clock in milliseconds that isn't set back. */
export const createSignInLink = (nowMs: () => number): SignInLink => {
  let opened: (LinkTarget & { readonly hash: Buffer; readonly untilMs: number }) | undefined;
  const find = () => {
    if (opened !== undefined && nowMs() >= opened.untilMs) opened = undefined;
    return opened;
  };
  return {
    open: (target) => {
      const code = randomBytes(CODE_BYTES).toString('base64url');
      opened = { ...target, hash: toHash(code), untilMs: nowMs() + LINK_LIFETIME_MS };
      // A fragment is in no request, so in no log of one.
      return `${target.origin}/sign-in#code=${code}`;
    },
    readOrigin: () => find()?.origin,
    take: (code) => {
      const found = find();
      if (found === undefined || !timingSafeEqual(toHash(code), found.hash)) return undefined;
      opened = undefined;
      return found.clientId;
    },
  };
};
