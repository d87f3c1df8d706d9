// Converts the compliance operations of the document to OpenAPI 2.0, for clients that read nothing newer. `npm run
// generate` runs it and commits the result as compliance.gen.json; the server doesn't load it. A keyword that the
// converter doesn't know fails the conversion, so that nothing is left out silently.
import { type ApiDocument, METHODS, readDocument } from './document.ts';
import type { ComplianceDocument } from './readComplianceDocument.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document
type Node = any;

const TAG = 'compliance';
const JSON_TYPE = 'application/json';
const SCHEMAS = '#/components/schemas/';

// Keywords that 2.0 has with the same name and meaning.
const SCHEMA_KEYWORDS = [
  'type',
  'format',
  'description',
  'enum',
  'required',
  'default',
  'pattern',
  'minimum',
  'maximum',
];
const MORE_SCHEMA_KEYWORDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const KEPT: readonly string[] = [...SCHEMA_KEYWORDS, ...MORE_SCHEMA_KEYWORDS];
// Keywords that 2.0 lacks; descriptions state what they require.
const DROPPED: readonly string[] = ['propertyNames', 'x-number-text', 'x-pattern'];

const mapValues = (node: Node, change: (value: Node) => Node): Node =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value)]));

const toReference = (ref: string): Node => ({ $ref: ref.replace(SCHEMAS, '#/definitions/') });

const NULL = 'null';
const isNotNull = ({ type }: Node): boolean => type !== NULL;

// 2.0 has no null, but clients support the extension `x-nullable`. 2.0 can't express several types; without a type it
// allows any value.
const toNullable = (name: string, value: Node): [string, Node][] | undefined => {
  if (name === 'anyOf') {
    const others = value.filter(isNotNull);
    return [
      ...(others.length === 1 ? [['allOf', others.map(toSchema)] as [string, Node]] : []),
      ...(others.length < value.length ? [['x-nullable', true] as [string, Node]] : []),
    ];
  }
  if (name !== 'type' || !Array.isArray(value) || !value.includes(NULL)) return undefined;
  const others = value.filter((each) => each !== NULL);
  return [...(others.length === 1 ? [['type', others[0]] as [string, Node]] : []), ['x-nullable', true]];
};

const toKeyword = (name: string, value: Node): [string, Node][] => {
  const nullable = toNullable(name, value);
  if (nullable !== undefined) return nullable;
  if (DROPPED.includes(name) || (name === 'type' && Array.isArray(value))) return [];
  if (KEPT.includes(name)) return [[name, value]];
  if (name === 'examples') return [['example', value[0]]];
  if (name === 'properties') return [[name, mapValues(value, toSchema)]];
  if (name === 'items') return [[name, toSchema(value)]];
  if (name === 'additionalProperties') return [[name, typeof value === 'object' ? toSchema(value) : value]];
  if (name === 'allOf') return [[name, value.map(toSchema)]];
  throw new TypeError(`OpenAPI 2.0 has no ${name}`);
};

const toKeywords = (schema: Node): Node =>
  Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => toKeyword(name, value)));

/** In 2.0 the members beside a reference are ignored, so they go into a schema around it. */
const toSchema = ({ $ref, ...beside }: Node): Node => {
  if ($ref === undefined) return toKeywords(beside);
  const around = toKeywords(beside);
  return Object.keys(around).length === 0 ? toReference($ref) : { allOf: [toReference($ref)], ...around };
};

/** The target of a reference into the document; any other node itself. */
const resolve = (document: Node, node: Node): Node => {
  if (node.$ref === undefined) return node;
  const names = node.$ref.slice('#/'.length).split('/');
  return names.reduce((parent: Node, name: string) => parent[name], document);
};

// In 2.0 parameters and headers have no schema but its keywords.
const toFlat = (document: Node, schema: Node): Node => {
  const { description: _, example: __, ...keywords } = toKeywords(resolve(document, schema));
  return keywords;
};

const toParameter = (document: Node, given: Node): Node => {
  const { name, in: place, required, description, schema } = resolve(document, given);
  return { name, in: place, required: required ?? false, description, ...toFlat(document, schema) };
};

const toHeader = (document: Node, given: Node): Node => {
  const { description, schema } = resolve(document, given);
  return { description, ...toFlat(document, schema) };
};

const toResponse = (document: Node, given: Node): Node => {
  const { description, headers, content = {} } = resolve(document, given);
  // A response without a body, such as 304, has no content.
  const [mediaType, { schema, example }] = Object.entries<Node>(content)[0] ?? ['', {}];
  return {
    description,
    ...(schema === undefined ? {} : { schema: toSchema(schema) }),
    ...(headers === undefined ? {} : { headers: mapValues(headers, (header) => toHeader(document, header)) }),
    ...(example === undefined ? {} : { examples: { [mediaType]: example } }),
  };
};

const toMediaTypes = (document: Node, responses: Node): string[] => [
  ...new Set(Object.values(responses).flatMap((response) => Object.keys(resolve(document, response).content ?? {}))),
];

// 2.0 allows one example, in the schema.
const toBody = ({ required, content }: Node): Node => {
  const { schema, examples } = content[JSON_TYPE];
  const [example] = Object.values<Node>(examples);
  return { name: 'body', in: 'body', required, schema: { allOf: [toSchema(schema)], example: example.value } };
};

const toOperation = (document: Node, operation: Node): Node => {
  const { operationId, tags, summary, description, parameters = [], requestBody, responses } = operation;
  const flat = parameters.map((parameter: Node) => toParameter(document, parameter));
  return {
    operationId,
    tags,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(requestBody === undefined ? {} : { consumes: Object.keys(requestBody.content) }),
    produces: toMediaTypes(document, responses),
    parameters: requestBody === undefined ? flat : [...flat, toBody(requestBody)],
    responses: mapValues(responses, (response) => toResponse(document, response)),
    security: [{ bearer: [] }],
  };
};

const toPath = (document: Node, item: Node): Node =>
  Object.fromEntries(
    METHODS.flatMap((method) => (item[method] === undefined ? [] : [[method, toOperation(document, item[method])]])),
  );

const findReferences = (node: Node): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const own = typeof node.$ref === 'string' ? [node.$ref] : [];
  return [...own, ...Object.values(node).flatMap(findReferences)];
};

/** The referenced schemas, and those that they reference in turn. */
const toDefinitions = (document: Node, described: Node): Node => {
  const definitions: Node = {};
  const waiting = findReferences(described);
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    const name = ref.slice('#/definitions/'.length);
    if (Object.hasOwn(definitions, name)) continue;
    definitions[name] = toSchema(document.components.schemas[name]);
    waiting.push(...findReferences(definitions[name]));
  }
  return definitions;
};

/**
 * The compliance operations as an OpenAPI 2.0 document, under the first prefix.
 * @throws TypeError when the document uses a keyword that 2.0 lacks.
 */
export const toComplianceDocument = (document: ApiDocument): ComplianceDocument => {
  const { info, servers, tags } = document as Node;
  const ofCompliance = Object.entries(document.paths).filter(([, item]) =>
    Object.values<Node>(item).some((operation) => operation.tags?.includes(TAG)),
  );
  const paths = Object.fromEntries(ofCompliance.map(([path, item]) => [path, toPath(document, item)]));
  return {
    swagger: '2.0',
    info: {
      title: `${info.title}: compliance`,
      version: info.version,
      license: { name: info.license.name },
      description:
        'Compliance policies, and whether assets comply with them. Errors always have the shape of `Problem`.',
    },
    basePath: servers[0].url,
    tags: tags.filter(({ name }: Node) => name === TAG),
    paths,
    definitions: toDefinitions(document, paths),
    securityDefinitions: {
      bearer: { type: 'apiKey', name: 'Authorization', in: 'header', description: '`Bearer `, then a token' },
    },
  };
};

/** The text of compliance.gen.json: the converted document with the default limits of server/openapi.yaml. */
export const toComplianceFile = (): string => `${JSON.stringify(toComplianceDocument(readDocument()), undefined, 2)}\n`;
