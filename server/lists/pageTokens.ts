// Page tokens: the position at which a list continues, and the query that it continues with, so that a client can send
// the token alone. A token is authenticated together with its scope (tenant and list), so it can't be forged, changed,
// or used for another list.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuseField } from '../../ledger/errors.ts';

/** Parameters of the first page by name, as the client sent them. */
export type PageFilters = Readonly<Record<string, string>>;

/** The query and the position in a page token. */
export interface PageTokenContent {
  /** Filters and order of the first page. */
  readonly filters: PageFilters;
  /** `page_size` of the previous page; null when it had none. */
  readonly pageSize: number | null;
  /**
   * Where the next page begins, in terms of the API and never as a key of the index, so that the token stays valid when
   * the index is rebuilt.
   */
  readonly position: string;
}

/** Encodes and decodes page tokens. */
export interface PageTokens {
  /** Returns the token of a list's next page. `scope` names the tenant and the list. */
  encode(scope: string, content: PageTokenContent): string;
  /**
   * @throws LedgerError PAGE_TOKEN_INVALID that names `page_token`, when `encode` did not create the token for this
   * scope.
   */
  decode(scope: string, token: string): PageTokenContent;
}

/**
 * Version of the content and of the meaning of its `position`. Tokens of another version are refused: the client
 * requests the first page again.
 */
const VERSION = 3;
const MAC_BYTES = 32;
const HEAD_BYTES = 1 + MAC_BYTES;

/** Creates the refusal of a page token. */
export const refusePageToken = (): Error =>
  refuseField('PAGE_TOKEN_INVALID', 'page_token', 'was not issued by this server for this query');

/** Page tokens under a secret of at least 32 bytes. Servers that share the secret accept each other's tokens. */
export const createPageTokens = (secret: Uint8Array): PageTokens => {
  if (secret.length < MAC_BYTES) throw new TypeError('the secret of page tokens must have at least 32 bytes');
  // A stream encodes many positions in a row.
  let last: { readonly scope: string; readonly mac: Buffer } | undefined;
  // The scope is hashed to 32 bytes, so that its end is unambiguous in the MAC's input. Tokens of version 1 had a MAC
  // without the scope.
  const toMac = (scope: string, version: number, content: Uint8Array): Buffer => {
    if (last?.scope !== scope) last = { scope, mac: createHmac('sha256', secret).update(scope).digest() };
    return createHmac('sha256', secret).update(last.mac).update(Uint8Array.of(version)).update(content).digest();
  };
  return {
    encode: (scope, content) => {
      const json = Buffer.from(JSON.stringify(content));
      return Buffer.concat([Uint8Array.of(VERSION), toMac(scope, VERSION, json), json]).toString('base64url');
    },
    decode: (scope, token) => {
      const bytes = Buffer.from(token, 'base64url');
      const [mac, json] = [bytes.subarray(1, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
      // Buffer.from skips characters outside base64url, so the text is compared with that of `encode`.
      const isExact = mac.length === MAC_BYTES && bytes.toString('base64url') === token;
      if (!isExact || bytes[0] !== VERSION || !timingSafeEqual(mac, toMac(scope, VERSION, json)))
        throw refusePageToken();
      return JSON.parse(json.toString()) as PageTokenContent;
    },
  };
};
