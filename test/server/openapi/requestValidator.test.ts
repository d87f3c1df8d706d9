import { expect } from 'chai';
import OpenApiValidator from 'express-openapi-validator';
import fc from 'fast-check';
import { type ApiDocument, type ApiOperation, readDocument, toOperations } from '../../../server/openapi/document.ts';
import { createRequestValidator, toValidatorOptions } from '../../../server/openapi/requestValidator.ts';
import { toPathDocument, toRequestDocument } from '../../../server/openapi/validation.ts';
import { type Json, mutationsOf } from '../../support/mutations.ts';
import { runs } from '../../support/propertyRuns.ts';
import { LIMITS } from '../support/testServer.ts';

const UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const document = readDocument(LIMITS);

interface Sent {
  readonly headers: Record<string, string>;
  readonly params: Record<string, string>;
  readonly query: Record<string, string | number>;
  readonly body: Json | undefined;
  /** Encoded. */
  readonly search: string;
}

/** The request after its validation, with defaults, or what the validator found. */
type Outcome = Pick<Sent, 'headers' | 'params' | 'query' | 'body'> | { readonly findings: unknown };
type Judge = (sent: Sent) => Promise<Outcome>;

const toFindings = (error: unknown): Outcome => {
  if (error instanceof OpenApiValidator.error.BadRequest) return { findings: error.errors };
  throw error;
};

const toUrl = ({ path }: ApiOperation, { params, search }: Sent): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!)) + search;

// biome-ignore lint/suspicious/noExplicitAny: what the library reads of Express' requests
type LibraryRequest = any;

/** The complete middleware of the library. */
const createLibraryJudge = (described: ApiDocument, operation: ApiOperation): Judge => {
  const handlers: LibraryRequest[] = OpenApiValidator.middleware({
    ...toValidatorOptions(described),
    useRequestUrl: true,
    validateRequests: true,
    validateResponses: false,
  });
  return async (sent) => {
    const url = toUrl(operation, sent);
    const app = { enabled: () => true, param: () => undefined };
    const method = operation.method.toUpperCase();
    const place = { method, url, originalUrl: url, path: url.split('?')[0], baseUrl: '', app };
    const request: LibraryRequest = { ...structuredClone(sent), ...place };
    try {
      for (const handler of handlers) {
        await new Promise<void>((resolve, reject) => {
          void handler(request, {}, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
        });
      }
    } catch (error) {
      return toFindings(error);
    }
    const { headers, params, query, body } = request;
    return { headers, params: { ...params }, query, body };
  };
};

const createDirectJudge = (operation: ApiOperation): Judge => {
  const validator = createRequestValidator(toRequestDocument(document, operation.path), operation.path);
  return async (sent) => {
    const { headers, params, query, body } = structuredClone(sent);
    try {
      validator.validate(operation.method, { headers, params, query, body, url: toUrl(operation, sent) });
    } catch (error) {
      return toFindings(error);
    }
    return { headers, params, query, body };
  };
};

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document
type Node = any;

const readBodies = ({ path, method, mediaType }: ApiOperation): Json[] => {
  const media: Node = (document.paths[path]![method] as Node).requestBody?.content[mediaType ?? ''];
  const examples = Object.values(media?.examples ?? {}).map((example: Node) => example.value);
  return [...(media?.example === undefined ? [] : [media.example]), ...examples, {}].filter((one) => one !== undefined);
};

const TEXTS = [
  '',
  'x',
  UUID,
  `assets/${UUID}`,
  'RecordEvidence',
  'a:b',
  '[1]',
  '{"a":1}',
  'x'.repeat(300),
  '2026-11-20T10:15:30Z',
];
const text = fc.constantFrom(...TEXTS);
const rarely = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 4 }, { arbitrary: other, weight: 1 });

const toBody = (operation: ApiOperation): fc.Arbitrary<Json | undefined> => {
  if (operation.mediaType === undefined) return fc.constant(undefined);
  const examples = readBodies(operation);
  const changed = fc.constantFrom(...examples.flatMap((body) => [...mutationsOf(body)]));
  return fc.oneof(
    fc.constantFrom(...examples),
    changed,
    changed.chain((body) => fc.constantFrom(body, ...mutationsOf(body))),
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  );
};

const toQuery = ({ path, method }: ApiOperation): fc.Arbitrary<Record<string, string | number>> => {
  const listed = ((document.paths[path]![method] as Node).parameters ?? []) as Node[];
  const named = listed.map((one) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one));
  const names = named.filter((one) => one!.in === 'query').map((one) => one!.name);
  const required = named.filter((one) => one!.in === 'query' && one!.required);
  const value = fc.oneof(text, fc.integer({ min: -1, max: 2_000 }));
  return rarely(
    fc.constant(Object.fromEntries(required.map((one) => [one!.name, one!.schema.examples[0]]))),
    fc.dictionary(fc.constantFrom(...names, 'page_size', 'other', 'a[b]'), value, { maxKeys: 3 }),
  );
};

const toSearch = (query: Record<string, string | number>): string => {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const requestOf = (operation: ApiOperation): fc.Arbitrary<Sent> => {
  const { path, mediaType, headerNames } = operation;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const value = rarely(fc.constant(UUID), fc.constantFrom('-', UUID.toUpperCase(), 'x', 'ä/b'));
  return fc
    .record({
      params: fc.record(Object.fromEntries(parameters.map((name) => [name, value]))),
      given: fc.dictionary(fc.constantFrom('x-other', ...headerNames.map((name) => name.toLowerCase())), text),
      query: toQuery(operation),
      body: toBody(operation),
    })
    .map(({ given, ...sent }) => ({
      ...sent,
      headers: { ...given, ...(mediaType === undefined ? {} : { 'content-type': mediaType }) },
      search: toSearch(sent.query),
    }));
};

describe('the request validator', () => {
  const operations = Object.keys(document.paths).flatMap((path) => toOperations(document, path));
  for (const operation of operations) {
    it(`accepts and refuses the same requests of ${operation.id} as the library's middleware, alike`, async () => {
      const byLibrary = createLibraryJudge(toPathDocument(document, operation.path), operation);
      const direct = createDirectJudge(operation);
      let valid = 0;
      await fc.assert(
        fc.asyncProperty(requestOf(operation), async (sent) => {
          const expected = await byLibrary(sent);
          expect(await direct(sent)).to.eql(expected);
          valid += 'findings' in expected ? 0 : 1;
        }),
        runs(150),
      );
      expect(valid).to.be.greaterThan(0);
    });
  }
});
