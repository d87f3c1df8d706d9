// What an operation of the document is to its handler: typed values in, a typed answer out, never `req` or `res`. The types come from
// the generated api.gen.ts, so a missing handler or a wrong body does not compile.
import type { Principal } from '../../ledger/principal.ts';
import type { StagedFile } from '../blobs/blobStore.ts';
import type { FileAnswer } from '../blobs/downloads.ts';
import type { operations } from './api.gen.ts';
import type { DocsPage } from './docs.ts';
import type { OpenOperationId, OperationId, OptionalOperationId } from './operationIds.ts';

/** Whoever sent the request. */
export interface CallerIdentity {
  readonly tenantIdentity: string;
  readonly principal: Principal;
}

/** Whoever sent the request, authenticated and with the right that the operation needs. */
export interface Caller extends CallerIdentity {
  /** Looks again whether it has that right, for whatever had to wait. Rejects as its authentication would now. */
  readonly reauthorize: () => Promise<void>;
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
type Given<T> = [T] extends [undefined] ? Readonly<Record<string, never>> : DeepReadonly<NonNullable<T>>;
type ParametersOf<Id extends OperationId> = operations[Id]['parameters'];
// `null` for an absent member has been taken away before.
type WithoutNulls<T> = T extends object ? { readonly [K in keyof T]: WithoutNulls<Exclude<T[K], null>> } : T;
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? 'multipart/form-data' extends keyof Content
    ? { readonly file: StagedFile }
    : WithoutNulls<Content[keyof Content]>
  : undefined;

export interface OpenRequest<Id extends OperationId> {
  /** Path parameters; UUIDs in lower case. */
  readonly params: Given<ParametersOf<Id>['path']>;
  readonly query: Given<ParametersOf<Id>['query']>;
  /** The documented headers, by their documented names. */
  readonly headers: Given<ParametersOf<Id>['header']>;
  readonly body: BodyOf<Id>;
  /** Scheme and host that the client sees, as the request says: `http://localhost:8080`, say. */
  readonly origin: string;
  /** The prefix that the request came in on, `/svc` say. */
  readonly prefix: string;
  /** The client's address, as far as it can be known. */
  readonly address: string;
}

export type HandlerRequest<Id extends OperationId> = Id extends OpenOperationId
  ? OpenRequest<Id>
  : OpenRequest<Id> & { readonly caller: Id extends OptionalOperationId ? Caller | undefined : Caller };

type SuccessOf<Id extends OperationId> = keyof operations[Id]['responses'] & (200 | 206);
type AnswerOf<Status, Response> = Response extends { content: { 'application/json': infer Body } }
  ? {
      readonly status: Status;
      readonly body: DeepReadonly<Body>;
      readonly headers?: Readonly<Record<string, string>>;
      /** Whether the body may be so long that it is encoded in turns. */
      readonly isLarge?: true;
    }
  : never;
type DownloadOf<Response> = Response extends { content: { '*/*': unknown } }
  ? { readonly status: 200; readonly file: FileAnswer }
  : never;
type PageOf<Response> = Response extends { content: { 'text/html': unknown } }
  ? { readonly status: 200; readonly page: DocsPage }
  : never;

/** A successful answer; refusals are thrown. Of a file the client may get a part, or hear that it has it already. */
export type Answer<Id extends OperationId> = {
  [Status in SuccessOf<Id>]:
    | AnswerOf<Status, operations[Id]['responses'][Status]>
    | DownloadOf<operations[Id]['responses'][Status]>
    | PageOf<operations[Id]['responses'][Status]>;
}[SuccessOf<Id>];

export type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<Answer<Id>>;
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
