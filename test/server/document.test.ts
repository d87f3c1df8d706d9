import { expect } from 'chai';
import OpenApiValidator from 'express-openapi-validator';
import { toUuid } from '../../ledger/identity.ts';
import { readDocument, toOperations } from '../../server/document.ts';
import { OPEN_OPERATIONS } from '../../server/handlers.ts';
import { createALocation, createAnAsset } from './support/requests.ts';
import { LIMITS, startTestServer } from './support/testServer.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over all of a document
type Node = any;

const document: Node = readDocument(LIMITS);
const operations = Object.keys(document.paths).flatMap((path) => toOperations(document, path));

const findSchemas = (node: Node, path: string): [string, Node][] => {
  if (typeof node !== 'object' || node === null) return [];
  const isSchema = [node.type].flat().includes('object') || node.properties !== undefined;
  const inner = Object.entries(node)
    .filter(([name]) => name !== 'example' && name !== 'examples')
    .flatMap(([name, value]) => findSchemas(value, `${path}/${name}`));
  return isSchema ? [[path, node], ...inner] : inner;
};

const findNulls = (node: Node, path: string): string[] =>
  node === null
    ? [path]
    : Object.entries(typeof node === 'object' ? node : {}).flatMap(([name, value]) =>
        findNulls(value, `${path}/${name}`),
      );

describe('openapi.yaml', () => {
  it('is an OpenAPI 3.1 document', async () => {
    const apiSpec = structuredClone(document);
    const [load] = OpenApiValidator.middleware({ apiSpec, validateApiSpec: true }) as unknown as [Node];
    const application = { param: () => {} };
    const error = await new Promise((resolve) => load({ app: application }, {}, resolve));
    expect(error).to.equal(undefined);
    expect(findNulls(document, '')).to.eql([]);
  });

  it('closes every object but the attribute maps and the filters on attributes', () => {
    const open = findSchemas(document, '').filter(([, schema]) => schema.additionalProperties !== false);
    expect(
      open
        .map(([path]) =>
          path
            .replace(/\/schema$/, '')
            .split('/')
            .at(-1),
        )
        .sort(),
    ).to.eql([
      'AssetAttributeFilters',
      'AttributeValue',
      'Attributes',
      'EventAttributeFilters',
      'LocationAttributeFilters',
      'OpenapiTwo',
      'StringMap',
      'TokenRequest',
    ]);
  });

  it('opens to everybody exactly the operations whose handlers expect nobody', () => {
    const open = operations.filter(({ right }) => right === undefined).map(({ id }) => id);
    expect(open).to.have.members([...OPEN_OPERATIONS]);
  });

  it('asks for the right to write wherever something is created', () => {
    for (const { id, method, right } of operations.filter((operation) => operation.right !== undefined)) {
      expect([id, right]).to.eql([id, method === 'get' ? 'reader' : 'writer']);
    }
  });

  it('describes the refusals of every operation', () => {
    for (const { path, method, right, mediaType } of operations) {
      const statuses = Object.keys(document.paths[path][method].responses);
      expect(statuses).to.include.members(['200', '400', 'default']);
      if (right !== undefined) expect(statuses).to.include.members(['401', '403']);
      if (mediaType !== undefined) expect(statuses).to.include.members(['413', '415']);
    }
  });

  it('shows whole records as examples', () => {
    const answers = operations.map(({ path, method }) => document.paths[path][method].responses['200'].content);
    const shown = answers.map((content) => content?.['application/json']).filter((json) => json?.example !== undefined);
    expect(shown).to.have.length.of.at.least(5);
    for (const { schema, example } of shown) {
      const name = schema.$ref.split('/').at(-1);
      expect(example).to.have.all.keys(document.components.schemas[name].required);
    }
  });

  it('shows requests as examples that the server takes', async () => {
    const server = await startTestServer();
    const assetUuid = await createAnAsset(server);
    const locationUuid = toUuid((await createALocation(server)).identity);
    for (const { path, method } of operations.filter(({ mediaType }) => mediaType === 'application/json')) {
      const { examples } = document.paths[path][method].requestBody.content['application/json'];
      for (const [name, { value }] of Object.entries<Node>(examples)) {
        const url = `/svc${path.replace('{asset_uuid}', assetUuid).replace('{uuid}', locationUuid)}`;
        const { status } = await server.request(method.toUpperCase(), url, { json: value });
        expect([name, status]).to.eql([name, 200]);
      }
    }
    await server.close();
  });

  it('has the configured limits', () => {
    const { PageSize } = readDocument({ pageSizeMax: 7 }).components.parameters;
    expect(PageSize!.schema.maximum).to.equal(7);
  });
});
