// What an operation of the document is to its handler: typed values in, a typed answer out, never `req` or `res`. The types come from
// the generated api.gen.ts, so a missing handler or a wrong body does not compile.
import type { Principal } from '../ledger/principal.ts';
import type { operations } from './api.gen.ts';

export type OperationId = keyof operations;
/** Operations that the document opens to everybody (`security: []`); all others have a caller. */
export const OPEN_OPERATIONS = ['issueToken', 'getJwks'] as const satisfies readonly OperationId[];
type OpenOperationId = (typeof OPEN_OPERATIONS)[number];

/** Whoever sent the request, authenticated and with the right that the operation needs. */
export interface Caller {
  readonly tenantIdentity: string;
  readonly principal: Principal;
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
type Given<T> = [T] extends [undefined] ? Readonly<Record<string, never>> : DeepReadonly<NonNullable<T>>;
type ParametersOf<Id extends OperationId> = operations[Id]['parameters'];
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? DeepReadonly<Content[keyof Content]>
  : undefined;

export interface OpenRequest<Id extends OperationId> {
  /** Path parameters; UUIDs in lower case. */
  readonly params: Given<ParametersOf<Id>['path']>;
  readonly query: Given<ParametersOf<Id>['query']>;
  /** The documented headers, by their documented names. */
  readonly headers: Given<ParametersOf<Id>['header']>;
  readonly body: BodyOf<Id>;
}

export type HandlerRequest<Id extends OperationId> = Id extends OpenOperationId
  ? OpenRequest<Id>
  : OpenRequest<Id> & { readonly caller: Caller };

type SuccessOf<Id extends OperationId> = keyof operations[Id]['responses'] & (200 | 206);
type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? DeepReadonly<Body> : never;

/** A successful answer; refusals are thrown. */
export type Answer<Id extends OperationId> = {
  [Status in SuccessOf<Id>]: {
    readonly status: Status;
    readonly body: JsonOf<operations[Id]['responses'][Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[SuccessOf<Id>];

export type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<Answer<Id>>;
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
