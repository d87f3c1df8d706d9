// The line that one organisation sends to another to be admitted, or to have a server's key registered: one word, which
// has no secret, and in which every changed character is found.
import { type Hex, toHex } from '../encoding/hex.ts';
import { keccak256 } from '../encoding/keccak.ts';
import { refuseField } from '../errors.ts';
import { parseTenantIdentity, toTenantIdentity, toUuid } from '../identity.ts';

/** What a line requests. */
export interface AccountRequest {
  /**
   * `tenant`: that the ledger admits the tenant; `writer`: that the tenant's administrator registers a writer;
   * `administrator`: that it hands over to the account.
   */
  readonly kind: 'tenant' | 'writer' | 'administrator';
  readonly chainId: number;
  /** Lower-case address of the ledger. */
  readonly contract: Hex;
  readonly tenantIdentity: string;
  /** Lower-case address of the tenant's administrator, of the writer, or of the next administrator. */
  readonly account: Hex;
}

const FORM =
  /^provenance-(tenant|writer|administrator)-1:([1-9]\d{0,15}):(0x[0-9a-f]{40}):([0-9a-f-]{36}):(0x[0-9a-f]{40}):([0-9a-f]{16})$/;
const CHECKSUM_BYTES = 8;
const ZERO = /^0x0{40}$/;
const NIL_UUID = /^[0-]+$/;
const encoder = new TextEncoder();

const toChecksum = (text: string): string =>
  toHex(keccak256(encoder.encode(text)).subarray(0, CHECKSUM_BYTES)).slice('0x'.length);

/** The line of a request: `provenance-tenant-1:CHAIN:CONTRACT:TENANT:ADMINISTRATOR:CHECKSUM`. */
export const encodeRequestLine = (request: AccountRequest): string => {
  const { kind, chainId, contract, tenantIdentity, account } = request;
  const text = [`provenance-${kind}-1`, chainId, contract, toUuid(tenantIdentity), account].join(':');
  return `${text}:${toChecksum(text)}`;
};

const FINGERPRINT_BYTES = 16;

/**
 * What two people compare of a line by another way than it was sent, since who replaces a line also computes its
 * checksum: 8 groups of 4 hexadecimal digits, of the line without the spaces around it.
 */
export const toFingerprint = (line: string): string =>
  toHex(keccak256(encoder.encode(line.trim())).subarray(0, FINGERPRINT_BYTES))
    .slice('0x'.length)
    .match(/.{4}/g)!
    .join(' ');

const refuse = (description: string): Error => refuseField('REQUEST_INVALID', 'line', description);

/**
 * The request of a line, which may have spaces around it.
 * @throws LedgerError REQUEST_INVALID when the line was changed, or requests something else than `kind`.
 */
export const decodeRequestLine = (line: string, kind: AccountRequest['kind']): AccountRequest => {
  const text = line.trim();
  const [, found, chainId, contract, uuid, account, checksum] = FORM.exec(text) ?? [];
  const tenantIdentity = uuid === undefined ? undefined : parseTenantIdentity(toTenantIdentity(uuid));
  const isWhole = tenantIdentity !== undefined && Number.isSafeInteger(Number(chainId));
  if (!isWhole || toChecksum(text.slice(0, text.lastIndexOf(':'))) !== checksum) {
    throw refuse('is not the line as it was printed: a character is missing or was changed; copy it again');
  }
  if (found !== kind) throw refuse(`is the line of a ${found}, not of a ${kind}`);
  if (NIL_UUID.test(uuid!)) throw refuse('names the tenant with the nil UUID, which no server requests');
  if (ZERO.test(account!)) throw refuse('names the zero address, which can hold no role');
  return { kind, chainId: Number(chainId), contract: contract as Hex, tenantIdentity, account: account as Hex };
};
