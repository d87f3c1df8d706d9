// Reads server/openapi.yaml, the single description of the interface, into what the rest of the server needs to know of
// it.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isRight, type Right } from '../auth/rights.ts';
import type { ServerLimits } from '../limits.ts';
import { keep } from './kept.ts';
import type { OperationId } from './operationIds.ts';

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly style?: string;
  readonly explode?: boolean;
  /** The form of its values (`server/openapi/valueForms.ts`). */
  readonly 'x-form'?: string;
  readonly schema: SchemaObject;
}

export interface SchemaObject {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly SchemaObject[];
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly items?: SchemaObject;
  readonly maxProperties?: number;
}

interface RequestBodyObject {
  readonly content: Readonly<Record<string, { readonly schema?: SchemaObject }>>;
  readonly 'x-bytes-max'?: number;
}

interface OperationObject {
  readonly operationId: OperationId;
  readonly parameters?: readonly (ParameterObject | { readonly $ref: string })[];
  readonly requestBody?: RequestBodyObject;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

interface ServerObject {
  readonly url: string;
}

type PathItemObject = { readonly [M in Method]?: OperationObject } & { readonly servers?: readonly ServerObject[] };

export interface ApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly ServerObject[];
  readonly security: NonNullable<OperationObject['security']>;
  readonly paths: Readonly<Record<string, PathItemObject>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly schemas: Readonly<Record<string, SchemaObject>>;
  };
}

/** One operation of the document. */
export interface ApiOperation {
  readonly id: OperationId;
  readonly path: string;
  readonly method: Method;
  /** Whether it answers with pages of a list. */
  readonly isList: boolean;
  /** The right that a caller with a token needs; undefined for an open operation. */
  readonly right: Right | undefined;
  /** Whether it also answers without a token: `{}` among its security requirements. */
  readonly isTokenOptional: boolean;
  /** The media type of the request body; undefined when there is none. */
  readonly mediaType: string | undefined;
  readonly headerNames: readonly string[];
  /** Fields of the body whose numbers keep their text: `x-number-text` in the document. */
  readonly numberTexts: readonly string[];
  /** Largest body in bytes, where it is smaller than that of other operations: `x-bytes-max` in the document. */
  readonly bodyBytesMax: number | undefined;
  /** Largest number of members of the body: `maxProperties` in the document. */
  readonly namesMax: number | undefined;
  /** Members of the body that may be `null` instead of absent. */
  readonly nulls: NullableMembers;
  /** Members of the body that it doesn't keep, and what does: `x-kept-by` in the document. */
  readonly keptElsewhere: ReadonlyMap<string, string>;
  /** The schema of the body, of one line of it for `LINES`. */
  readonly bodySchema: SchemaObject;
}

/**
 * Names of members that may be `null`, and the same for the members of each member; `*` stands for every item of a
 * list.
 */
export interface NullableMembers {
  readonly nullable: ReadonlySet<string>;
  readonly inner: ReadonlyMap<string, NullableMembers>;
}

const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
};

// Parsing takes a fifth of a second.
const parseDocument = (): ApiDocument =>
  parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'), { merge: true }) as ApiDocument;

const limitPages = (document: ApiDocument, pageSizeMax: number): ApiDocument => {
  const limited = structuredClone(document);
  Object.assign(limited.components.parameters.PageSize!.schema, { maximum: pageSizeMax });
  return limited;
};

const openDocument: (pageSizeMax: number | undefined) => ApiDocument = keep((pageSizeMax) =>
  freeze(pageSizeMax === undefined ? parseDocument() : limitPages(openDocument(undefined), pageSizeMax)),
);

/**
 * The document, with the configured limits in place of its defaults; without `limits`, with its defaults. Equal limits
 * return the same object, which nothing can change: validators are kept for it.
 */
export const readDocument = (limits?: Pick<ServerLimits, 'pageSizeMax'>): ApiDocument =>
  openDocument(limits?.pageSizeMax);

type Reference = { readonly $ref: string };

const resolveParameter = ({ components }: ApiDocument, parameter: ParameterObject | Reference): ParameterObject =>
  '$ref' in parameter ? components.parameters[parameter.$ref.slice('#/components/parameters/'.length)]! : parameter;

/** The schema itself, or the one that it refers to. */
export const resolveSchema = ({ components }: ApiDocument, schema: SchemaObject): SchemaObject =>
  schema.$ref === undefined ? schema : components.schemas[schema.$ref.slice('#/components/schemas/'.length)]!;

/** Whether each member of a parameter's object is a query parameter of its own: `style: form` and `explode: true`. */
export const isGroup = ({ style, explode, schema }: ParameterObject): boolean =>
  style === 'form' && explode === true && schema.type === 'object';

/** The query parameters of one operation, groups included. */
export const toQueryParameters = (document: ApiDocument, path: string, method: Method): ParameterObject[] =>
  (document.paths[path]?.[method]?.parameters ?? [])
    .map((parameter) => resolveParameter(document, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ ...parameter, schema: resolveSchema(document, parameter.schema) }));

/** The media type of bodies and answers with one JSON value on each line. */
export const LINES = 'application/x-ndjson';

const withoutLines = ({ requestBody, ...operation }: OperationObject): OperationObject =>
  requestBody === undefined || LINES in requestBody.content ? operation : { ...operation, requestBody };

const mapOperations = (item: PathItemObject, change: (operation: OperationObject) => object): PathItemObject => {
  const methods = METHODS.flatMap((method) => (item[method] === undefined ? [] : [[method, change(item[method])]]));
  return { ...item, ...Object.fromEntries(methods) };
};

/**
 * The path item without groups of parameters, which queryStrings.ts validates, and without bodies of lines, which
 * server/lines/ validates line by line. The validator checks the rest.
 */
export const withoutGroups = (document: ApiDocument, item: PathItemObject): PathItemObject => {
  const isSingle = (parameter: ParameterObject | Reference): boolean => !isGroup(resolveParameter(document, parameter));
  return mapOperations(item, (operation) => ({
    ...withoutLines(operation),
    parameters: (operation.parameters ?? []).filter(isSingle),
  }));
};

/** The path item without what its operations answer. */
export const withoutResponses = (item: PathItemObject): PathItemObject =>
  mapOperations(item, (operation) => ({ ...operation, responses: {} }));

const NUMBER_TEXT = 'x-number-text';

const toNumberTexts = (document: ApiDocument, schema: SchemaObject): string[] =>
  Object.entries(resolveSchema(document, schema).properties ?? {}).flatMap(([name, property]) =>
    NUMBER_TEXT in property ? [name] : [],
  );

const KEPT_BY = 'x-kept-by';

const toKeptElsewhere = (document: ApiDocument, schema: SchemaObject): Map<string, string> =>
  new Map(
    Object.entries(resolveSchema(document, schema).properties ?? {}).flatMap(([name, { [KEPT_BY]: keptBy }]) =>
      typeof keptBy === 'string' ? [[name, keptBy] as const] : [],
    ),
  );

const isNull = ({ type }: SchemaObject): boolean => type === 'null';

const isNullable = ({ type, anyOf }: SchemaObject): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf?.some(isNull) === true;

/** The schema of a value that isn't null. */
export const withoutNull = ({ anyOf, ...schema }: SchemaObject): SchemaObject => {
  if (anyOf === undefined) return schema;
  const others = anyOf.filter((alternative) => !isNull(alternative));
  return others.length === 1 ? { ...schema, ...others[0] } : { ...schema, anyOf: others };
};

const toNullableMembers = (document: ApiDocument, schema: SchemaObject): NullableMembers => {
  const { properties = {}, items } = resolveSchema(document, withoutNull(schema));
  const members = Object.entries(items === undefined ? properties : { '*': items });
  const inner = members.map(([name, member]) => [name, toNullableMembers(document, member)] as const);
  return {
    nullable: new Set(members.flatMap(([name, member]) => (isNullable(member) ? [name] : []))),
    inner: new Map(inner.filter(([, { nullable, inner }]) => nullable.size + inner.size > 0)),
  };
};

/** Only `security: []` opens an operation; any other value must name an existing right. */
const toRight = ({ operationId, security }: OperationObject, inherited: ApiDocument['security']): Right | undefined => {
  const requirements = security ?? inherited;
  if (requirements.length === 0) return undefined;
  const right = requirements.find(({ bearer }) => bearer !== undefined)?.bearer?.[0];
  if (right === undefined || !isRight(right)) throw new TypeError(`${operationId} names no right`);
  return right;
};

const toOperation = (document: ApiDocument, path: string, method: Method, object: OperationObject): ApiOperation => {
  const parameters = (object.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const [mediaType, content] = Object.entries(object.requestBody?.content ?? {})[0] ?? [];
  const schema = content?.schema ?? {};
  return {
    id: object.operationId,
    path,
    method,
    isList: parameters.some(({ name }) => name === 'page_size'),
    right: toRight(object, document.security),
    isTokenOptional: object.security?.some((requirement) => Object.keys(requirement).length === 0) === true,
    mediaType,
    headerNames: parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    numberTexts: toNumberTexts(document, schema),
    bodyBytesMax: object.requestBody?.['x-bytes-max'],
    namesMax: resolveSchema(document, schema).maxProperties,
    nulls: toNullableMembers(document, schema),
    keptElsewhere: toKeptElsewhere(document, schema),
    bodySchema: schema,
  };
};

/** The operations of one path. */
export const toOperations = (document: ApiDocument, path: string): ApiOperation[] =>
  METHODS.flatMap((method) => {
    const object = document.paths[path]?.[method];
    return object === undefined ? [] : [toOperation(document, path, method, object)];
  });

/** The paths of the document by the prefixes under which they answer. */
export const groupByPrefixes = (document: ApiDocument): Map<readonly ServerObject[], string[]> =>
  Map.groupBy(Object.keys(document.paths), (path) => document.paths[path]?.servers ?? document.servers);
