// Reads openapi.yaml, the single description of the interface, into what the rest of the server needs to know of it.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ServerLimits } from './deps.ts';
import type { OperationId } from './handlers.ts';
import { isRight, type Right } from './rights.ts';

interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Record<string, unknown>;
}

interface OperationObject {
  readonly operationId: OperationId;
  readonly parameters?: readonly (ParameterObject | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

interface Server {
  readonly url: string;
}

type PathItem = { readonly [M in Method]?: OperationObject } & { readonly servers?: readonly Server[] };

export interface ApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly Server[];
  readonly security: NonNullable<OperationObject['security']>;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly schemas: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  };
}

/** One operation as the document describes it. */
export interface Operation {
  readonly id: OperationId;
  readonly path: string;
  readonly method: Method;
  /** The right that the caller needs; undefined when the operation is open to everybody. */
  readonly right: Right | undefined;
  /** The media type of the request body; undefined when there is none. */
  readonly mediaType: string | undefined;
  readonly headerNames: readonly string[];
}

/** The document, with the configured limits in place of its defaults. */
export const readDocument = (limits: Pick<ServerLimits, 'pageSizeMax'>): ApiDocument => {
  const document = parse(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8')) as ApiDocument;
  document.components.parameters.PageSize!.schema.maximum = limits.pageSizeMax;
  return document;
};

const resolveParameter = (document: ApiDocument, parameter: ParameterObject | { readonly $ref: string }) =>
  '$ref' in parameter
    ? document.components.parameters[parameter.$ref.slice('#/components/parameters/'.length)]!
    : parameter;

/** Only `security: []` opens an operation; anything else must name a right that there is. */
const toRight = ({ operationId, security }: OperationObject, inherited: ApiDocument['security']): Right | undefined => {
  const requirements = security ?? inherited;
  if (requirements.length === 0) return undefined;
  const right = requirements[0]?.bearer?.[0];
  if (right === undefined || !isRight(right)) throw new TypeError(`${operationId} names no right`);
  return right;
};

const toOperation = (document: ApiDocument, path: string, method: Method, object: OperationObject): Operation => {
  const parameters = (object.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  return {
    id: object.operationId,
    path,
    method,
    right: toRight(object, document.security),
    mediaType: Object.keys(object.requestBody?.content ?? {})[0],
    headerNames: parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
  };
};

/** The operations of one path. */
export const toOperations = (document: ApiDocument, path: string): Operation[] =>
  METHODS.flatMap((method) => {
    const object = document.paths[path]?.[method];
    return object === undefined ? [] : [toOperation(document, path, method, object)];
  });

/** The paths of the document by the prefixes under which they answer. */
export const groupByPrefixes = (document: ApiDocument): Map<readonly Server[], string[]> =>
  Map.groupBy(Object.keys(document.paths), (path) => document.paths[path]?.servers ?? document.servers);
