// Page tokens: where a list goes on, and the query that it goes on with, so that a client can send the token alone. A token is
// authenticated together with its scope (tenant and list), so it can't be forged, changed, or used elsewhere.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuseField } from '../../ledger/errors.ts';

/** Parameters of the first page by their names, as they were given. */
export type PageFilters = Readonly<Record<string, string>>;

export interface PageTokenContent {
  /** Filters and order of the first page. */
  readonly filters: PageFilters;
  /** `page_size` of the page before; null when it had none. */
  readonly pageSize: number | null;
  /** Where the next page begins: in the words of the API, never a key of the index, so that a rebuilt index takes the token too. */
  readonly position: string;
}

export interface PageTokens {
  /** Token of the next page of a list. `scope` names the tenant and the list. */
  encode(scope: string, content: PageTokenContent): string;
  /** @throws LedgerError PAGE_TOKEN_INVALID that names `page_token`, when the token was not made by `encode` for this scope. */
  decode(scope: string, token: string): PageTokenContent;
}

/** Of the content and what its `position` means. Tokens of another version are refused: the client asks for the first page again. */
const VERSION = 2;
const MAC_BYTES = 32;
const HEAD_BYTES = 1 + MAC_BYTES;

/** The refusal of a page token. */
export const refusePageToken = (): Error =>
  refuseField('PAGE_TOKEN_INVALID', 'page_token', 'was not issued by this server for this query');

/** Page tokens under a secret of at least 32 bytes. Servers that share the secret take each other's tokens. */
export const createPageTokens = (secret: Uint8Array): PageTokens => {
  if (secret.length < MAC_BYTES) throw new TypeError('the secret of page tokens must have at least 32 bytes');
  // The scope is hashed, so that its end is where its 32 bytes end. Tokens of the first version had none under their MAC.
  const toMac = (scope: string, version: number, content: Uint8Array): Buffer => {
    const scopeMac = createHmac('sha256', secret).update(scope).digest();
    return createHmac('sha256', secret).update(scopeMac).update(Uint8Array.of(version)).update(content).digest();
  };
  return {
    encode: (scope, content) => {
      const json = Buffer.from(JSON.stringify(content));
      return Buffer.concat([Uint8Array.of(VERSION), toMac(scope, VERSION, json), json]).toString('base64url');
    },
    decode: (scope, token) => {
      const bytes = Buffer.from(token, 'base64url');
      const [mac, json] = [bytes.subarray(1, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
      // Buffer.from skips what isn't base64url, so only the very text that `encode` made may pass.
      const isExact = mac.length === MAC_BYTES && bytes.toString('base64url') === token;
      if (!isExact || bytes[0] !== VERSION || !timingSafeEqual(mac, toMac(scope, VERSION, json)))
        throw refusePageToken();
      return JSON.parse(json.toString()) as PageTokenContent;
    },
  };
};
