// The catalogue of refusals. It is independent of HTTP: `server/http/problems.ts` maps codes to statuses.

/** The sentence of each code, for people. Clients match codes. */
export const CATALOGUE = {
  REQUEST_INVALID: 'The request does not match its description',
  ATTRIBUTE_INVALID: 'An attribute is not a string, a map of strings, or a list of maps of strings',
  IDENTITY_INVALID: 'An identity does not have the documented form',
  TIMESTAMP_INVALID: 'A timestamp is not an RFC 3339 date and time',
  BEHAVIOUR_UNKNOWN: 'No behaviour has this name',
  BEHAVIOUR_NOT_LISTED: 'The asset does not list this behaviour',
  BEHAVIOUR_NOT_REMOVABLE: 'This behaviour belongs to every asset',
  OPERATION_UNKNOWN: 'The behaviour has no such operation',
  EVENT_ATTRIBUTE_MISSING: 'The operation requires an event attribute that is missing',
  ASSET_ATTRIBUTE_MISSING: 'The operation requires an asset attribute that is missing',
  ATTACHMENT_INVALID: 'An attachment does not describe a blob of the tenant',
  LOCATION_UNKNOWN: 'No location of the tenant has this identity',
  SUBJECT_UNKNOWN: 'No subject of the tenant has this identity',
  SUBJECT_OWN: 'The subject stands for the tenant itself',
  WALLET_KEY_INVALID: 'A public key is not an uncompressed point on secp256k1',
  SUBJECT_UNCHANGEABLE: 'The subject that stands for the tenant itself cannot be changed',
  SUBJECT_QUOTA_REACHED: 'The tenant has reached its number of subjects',
  COORDINATE_INVALID: 'A latitude or longitude is not a decimal number within its range',
  POLICY_INVALID: 'A compliance policy lacks a field that its type requires, or a field is invalid',
  POLICY_QUOTA_REACHED: 'The tenant has reached its number of compliance policies',
  POLICY_WEIGHT_REACHED: 'The compliance policies of the tenant would have more text than checks can evaluate',
  ACCESS_POLICY_INVALID: 'A filter or a user attribute of an access policy is invalid',
  ACCESS_POLICY_QUOTA_REACHED: 'The tenant has reached its number of access policies',
  ROOT_PRINCIPALS_INVALID: 'The list of root principals is not allowed',
  APPLICATION_INVALID: 'The application cannot have this custom claim, or cannot be deleted now',
  APPLICATION_QUOTA_REACHED: 'The tenant has reached its number of applications',
  BLOB_EMPTY: 'A blob has at least one byte',
  BLOB_QUOTA_REACHED: 'The tenant has reached its number of bytes of files',
  BLOB_NOT_SCANNED: 'The blob has not been scanned',
  PAGE_TOKEN_INVALID: 'The page token was not issued by this server for this query',
  SUBJECT_AMBIGUOUS: 'The public keys of the subject lead to more than one tenant',
  ASSET_AMBIGUOUS: 'Several other tenants have an asset with this UUID',
  VERSION_CONFLICT: 'Another version was recorded meanwhile, and this one changed nothing',
  CONTRIBUTION_WITHOUT_EFFECT: 'The event was recorded, but by what the chain had before it, it is none of the asset',
  IDEMPOTENCY_CONFLICT: 'The Idempotency-Key was used before with another request',
  IDEMPOTENCY_SECRET_GONE: 'The secret that the first request with this key created is not shown again',
  RECORD_TOO_LARGE: 'The record is larger than the ledger accepts',
  ASSET_TOO_LARGE: 'The asset would have more attributes than one asset may have',
  REQUEST_TOO_LARGE: 'The request body is over the limit',
  REQUEST_MALFORMED: 'The request is not HTTP',
  REQUEST_TIMEOUT: 'The request took too long',
  HEADERS_TOO_LARGE: 'The headers of the request are over the limit',
  MEDIA_TYPE_UNSUPPORTED: 'The content type of the request is not supported',
  RATE_LIMITED: 'There were too many requests',
  STREAM_LIMIT_REACHED: 'The caller or its tenant has too many streams open',
  STREAMS_BUSY: 'Too many streams are open',
  METHOD_NOT_ALLOWED: 'The path does not support this method',
  UNAUTHENTICATED: 'The request has no valid bearer token',
  ISSUER_UNAVAILABLE: 'The keys of the issuer of the token are not available now',
  CLIENT_REFUSED: 'The client id or the client secret is wrong',
  SIGN_IN_LINK_REFUSED: 'The link to sign in cannot be used',
  FORBIDDEN: 'The caller has no right to this operation',
  CONTRIBUTION_FORBIDDEN: 'No permission allows the caller to record such an event on the asset',
  ROUTE_NOT_FOUND: 'No operation has this path',
  ASSET_NOT_FOUND: 'No asset has this identity',
  EVENT_NOT_FOUND: 'No event has this identity',
  LOCATION_NOT_FOUND: 'No location has this identity',
  SUBJECT_NOT_FOUND: 'No subject has this identity',
  POLICY_NOT_FOUND: 'No compliance policy has this identity',
  ACCESS_POLICY_NOT_FOUND: 'No access policy has this identity',
  BLOB_NOT_FOUND: 'No blob has this identity',
  ATTACHMENT_MISMATCH: 'The record states another hash than the blob has that it attaches',
  ATTACHMENT_NOT_FOUND: 'The record does not attach this blob',
  APPLICATION_NOT_FOUND: 'No application has this identity',
  TENANT_NOT_FOUND: 'There is no such tenant',
  TENANT_EXISTS: 'A tenant of this name exists already',
  IDENTITY_PRESENT: 'The tenant has a record or a stream of this identity',
  RECORD_NOT_ALONE: 'The record shares its transaction with others, which a proof by its log would disclose',
  EVIDENCE_INCOMPLETE: 'Other tenants contributed to the asset, and evidence of this kind cannot contain their records',
  EVIDENCE_TOO_LARGE: 'The evidence is larger than a file may be; request a range',
  CODE_UNPROVEN: "Nothing proves the contract's code, and the server's log says why; ask without code=true",
  EVIDENCE_RESTRICTED: 'Evidence discloses all of a record, and only a part of it is shared with the caller',
  BLOB_DAMAGED: 'The file of the blob is missing, or is not what its record says; the operator has to restore it',
  BLOB_ELSEWHERE: 'The bytes of the blob are on a server of its tenant, not here',
  EVIDENCE_PENDING:
    'No checkpoint covers the records yet, too few witnesses have cosigned it, or too many large files are in progress',
  PRECONDITION_FAILED: 'The content differs from the one that the request requires',
  RANGE_NOT_SATISFIABLE: 'The content has no such range of bytes',
  UPLOADS_BUSY: 'Too many uploads are in progress',
  STORAGE_RESERVED: 'The disk has no space for more files',
  RECORD_QUOTA_REACHED: 'The tenant has recorded as many bytes as it may on one day',
  MEMORY_RESERVED: 'The server has no memory for more records',
  STORAGE_FULL: 'There is no space left on the disk',
  OUTBOX_FULL: 'Too many records wait for the chain',
  INDEX_DAMAGED: 'The index is damaged and is being rebuilt from the chain',
  INDEX_REBUILDING: 'The index is being rebuilt from the chain',
  OUTBOX_CORRUPT: 'The outbox is damaged',
  CHAIN_UNAVAILABLE: 'The chain does not answer',
  CONTRACT_NOT_FOUND: 'There is no contract at the address of the ledger',
  CONTRACT_PENDING: "The block with the ledger's contract is not final yet",
  CONTRACT_UNKNOWN: 'The contract at the address is no ledger of this version',
  CHAIN_MISMATCH: 'The chain that answers is not the chain of this ledger',
  CHAIN_REPLACED: 'A block of the chain that was final has been replaced by another one',
  AUTHOR_UNPROVED: 'The chain has a record in the name of an account of this server that did not sign it',
  AUTHOR_UNAVAILABLE: "The server has no usable key to sign the tenant's records",
  TENANT_PENDING: 'The ledger has not admitted the tenant, or not registered the key of this server, yet',
  RELAYER_UNFUNDED: 'The account that pays for transactions has insufficient funds',
  CHAIN_CORRUPT: 'The chain differs from its journal',
  LOG_CORRUPT: 'The block log is damaged, or differs from the chain',
  TRANSACTION_REFUSED: 'The chain refused the transaction',
  STOPPING: 'The server is stopping',
  STARTING: 'The server is starting',
} as const;

/** A stable code that clients can match. */
export type LedgerErrorCode = keyof typeof CATALOGUE;

/** A violation in one field: the field's path in the request (JSON Pointer or parameter name) and a sentence. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/**
 * A refusal with a stable code. `violations` names the invalid fields, if any. `retryAfterMs` is the time in
 * milliseconds after which the same request may be accepted; undefined where it isn't known.
 */
export class LedgerError extends Error {
  readonly code: LedgerErrorCode;
  readonly violations: readonly FieldViolation[];
  readonly retryAfterMs: number | undefined;

  constructor(
    code: LedgerErrorCode,
    options: { message?: string; violations?: readonly FieldViolation[]; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(options.message ?? CATALOGUE[code], options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LedgerError';
    this.code = code;
    this.violations = options.violations ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A refusal for one field; the caller throws it. */
export const refuseField = (code: LedgerErrorCode, field: string, description: string): LedgerError =>
  new LedgerError(code, { message: `${field}: ${description}`, violations: [{ field, description }] });
