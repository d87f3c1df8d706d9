// The types of handlers: a handler receives typed values and returns a typed answer, never Express' request or
// response. The types derive from the generated api.gen.ts, so a missing handler or a wrong body does not compile.
import type { Principal } from '../../ledger/principal.ts';
import type { Claims } from '../../ledger/sharing/userClaim.ts';
import type { StagedFile } from '../blobs/blobStore.ts';
import type { FileAnswer } from '../blobs/downloads.ts';
import type { EvidenceFileAnswer, LeavesAnswer } from '../http/evidenceAnswers.ts';
import type { LineGroups } from '../lines/lineBody.ts';
import type { operations } from './api.gen.ts';
import type { DocsPage } from './docs.ts';
import type { OpenOperationId, OperationId, OptionalOperationId } from './operationIds.ts';

/** The tenant and principal that a request acts for. */
export interface CallerIdentity {
  readonly tenantIdentity: string;
  readonly principal: Principal;
}

/** A caller with the right that an operation requires. */
export interface AuthorizedCaller extends CallerIdentity {
  /** The claims by which access policies of tenants name principals. */
  readonly claims: Claims;
  /** Whether it has no role: it sees only what access policies share with it, of its own tenant, too. */
  readonly isRestricted: boolean;
}

/** The authenticated caller of a request. */
export interface Caller extends AuthorizedCaller {
  /**
   * Checks the right again, after the request had to wait. Resolves with the caller as it is now, and rejects as
   * authentication would.
   */
  readonly reauthorize: () => Promise<AuthorizedCaller>;
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
type RequestPart<T> = [T] extends [undefined] ? Readonly<Record<string, never>> : DeepReadonly<NonNullable<T>>;
type ParametersOf<Id extends OperationId> = operations[Id]['parameters'];
// server/http/bodies.ts has removed members that are `null` for absent.
type WithoutNulls<T> = T extends object ? { readonly [K in keyof T]: WithoutNulls<Exclude<T[K], null>> } : T;
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? 'multipart/form-data' extends keyof Content
    ? { readonly file: StagedFile }
    : Content extends { 'application/x-ndjson': infer Item }
      ? { readonly groups: LineGroups<WithoutNulls<Item>> }
      : WithoutNulls<Content[keyof Content]>
  : undefined;

/** A validated request of an operation, without its caller. */
export interface OpenRequest<Id extends OperationId> {
  /** Path parameters; UUIDs in lower case. */
  readonly params: RequestPart<ParametersOf<Id>['path']>;
  readonly query: RequestPart<ParametersOf<Id>['query']>;
  /** The documented headers, under their documented names. */
  readonly headers: RequestPart<ParametersOf<Id>['header']>;
  readonly body: BodyOf<Id>;
  /** Scheme and host that the client addressed, for example `http://localhost:8080`. */
  readonly origin: string;
  /** The prefix of the request's path, for example `/svc`. */
  readonly prefix: string;
  /** The client's address, behind trusted proxies the one that they report. */
  readonly address: string;
  /** Aborts when the answer is sent, or its client is gone. A handler may reject with its reason. */
  readonly closed: AbortSignal;
}

/** A validated request of an operation, with its caller unless the operation is open. */
export type HandlerRequest<Id extends OperationId> = Id extends OpenOperationId
  ? OpenRequest<Id>
  : OpenRequest<Id> & { readonly caller: Id extends OptionalOperationId ? Caller | undefined : Caller };

type SuccessOf<Id extends OperationId> = keyof operations[Id]['responses'] & (200 | 206);
type AnswerOf<Status, Response> = Response extends { content: { 'application/json': infer Body } }
  ? {
      readonly status: Status;
      readonly body: DeepReadonly<Body>;
      readonly headers?: Readonly<Record<string, string>>;
      /** Whether the body may be so large that it is encoded in time slices. */
      readonly isLarge?: true;
    }
  : never;
/** Operations whose answers are encoded where they are read. */
type EncodedOperationId = 'listAssets' | 'listEvents' | 'listPublicEvents' | 'listAccessPolicyAssets';
interface EncodedAnswer<Status> {
  readonly status: Status;
  /** The body, encoded as JSON in UTF-8, in parts, which nobody else uses. */
  readonly json: readonly Uint8Array[];
  readonly headers: Readonly<Record<string, string>>;
}
type DownloadOf<Response> = Response extends { content: { '*/*': unknown } }
  ? { readonly status: 200; readonly file: FileAnswer }
  : never;
type PageOf<Response> = Response extends { content: { 'text/html': unknown } }
  ? { readonly status: 200; readonly page: DocsPage }
  : never;

type LinesOf<Response> = Response extends { content: { 'application/x-ndjson': unknown } }
  ? {
      readonly status: 200;
      readonly headers?: Readonly<Record<string, string>>;
      /** Complete lines, several in one text. */
      readonly lines: AsyncIterable<string | Uint8Array>;
    }
  : never;

type StreamOf<Response> = Response extends { content: { 'text/event-stream': unknown } }
  ? {
      readonly status: 200;
      readonly headers: Readonly<Record<string, string>>;
      readonly mediaType: 'text/event-stream';
      /** Complete messages, several in one text. */
      readonly lines: AsyncIterable<string>;
      readonly cut: AbortSignal;
    }
  : never;

type EvidenceOf<Response> = Response extends {
  content: { 'application/vnd.provenance-ledger.evidence.v1+json': unknown };
}
  ? EvidenceFileAnswer
  : never;
type LeavesOf<Response> = Response extends { content: { 'application/octet-stream': unknown } } ? LeavesAnswer : never;

/**
 * A successful answer; refusals are thrown. A file may be answered in part (206), or with 304 when the client has it.
 */
export type Answer<Id extends OperationId> = Id extends EncodedOperationId
  ? EncodedAnswer<SuccessOf<Id>>
  : {
      [Status in SuccessOf<Id>]:
        | AnswerOf<Status, operations[Id]['responses'][Status]>
        | DownloadOf<operations[Id]['responses'][Status]>
        | PageOf<operations[Id]['responses'][Status]>
        | StreamOf<operations[Id]['responses'][Status]>
        | LinesOf<operations[Id]['responses'][Status]>
        | EvidenceOf<operations[Id]['responses'][Status]>
        | LeavesOf<operations[Id]['responses'][Status]>;
    }[SuccessOf<Id>];

/** The function that carries out an operation. Rejects with a LedgerError to refuse. */
export type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<Answer<Id>>;
/** One handler for each operation of the document. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
