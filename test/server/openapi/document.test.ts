import { expect } from 'chai';
import OpenApiValidator from 'express-openapi-validator';
import { factoryAjv } from 'express-openapi-validator/dist/framework/ajv/factory.js';
import { toUuid } from '../../../ledger/identity.ts';
import { readDocument, toOperations } from '../../../server/openapi/document.ts';
import { OPEN_OPERATIONS, OPTIONAL_OPERATIONS } from '../../../server/openapi/operationIds.ts';
import { createALocation, createAnAccessPolicy, createAnAsset, createASubject } from '../support/requests.ts';
import { ISSUER, LIMITS, startTestServer, type TestServer } from '../support/testServer.ts';
import { upload } from '../support/uploads.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document
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

const resolve = (node: Node): Node =>
  typeof node?.$ref === 'string'
    ? node.$ref
        .slice('#/'.length)
        .split('/')
        .reduce((inner: Node, name: string) => inner[name], document)
    : node;

// The examples of a media type or parameter, or of its schema.
const readExamples = (node: Node): Node[] => [
  ...(node.example === undefined ? [] : [node.example]),
  ...Object.values(node.examples ?? {}).map((example) => resolve(example).value),
  ...(node.in === undefined ? [] : (node.schema.examples ?? resolve(node.schema).examples ?? [])),
];

// The request and the JSON responses of an operation, by their location in it.
const toContents = ({ requestBody, responses }: Node): [string, Node][] => [
  ...Object.values<Node>(requestBody?.content ?? {}).map((media): [string, Node] => ['request', media]),
  ...Object.entries<Node>(responses).flatMap(([status, answer]): [string, Node][] => {
    const media = resolve(answer).content?.['application/json'];
    return media === undefined ? [] : [[status, media]];
  }),
];

const toPointer = (path: string, name: string): string =>
  `${path}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;

// All examples of the document, by the JSON Pointer of their schema.
const findExamples = (node: Node, path: string): [string, Node[]][] => {
  if (typeof node !== 'object' || node === null) return [];
  const ofSchema: [string, Node[]][] = Array.isArray(node.examples) ? [[path, node.examples]] : [];
  const ofMedia: [string, Node[]][] = node.schema === undefined ? [] : [[`${path}/schema`, readExamples(node)]];
  const inner = Object.entries(node)
    .filter(([name]) => name !== 'example' && name !== 'examples')
    .flatMap(([name, value]) => findExamples(value, toPointer(path, name)));
  return [...ofSchema, ...ofMedia, ...inner];
};

const createExampleRecords = async (server: TestServer) => ({
  asset: await createAnAsset(server, { behaviours: ['RecordEvidence', 'Attachments', 'LocationUpdate'] }),
  location: toUuid((await createALocation(server)).identity),
  // The file with the hash in the examples.
  blob: toUuid((await upload(server, 'test')).body.identity),
  application: server.tenant.reader.clientId!,
  accessPolicy: toUuid((await createAnAccessPolicy(server)).identity),
  subject: toUuid((await createASubject(server)).identity),
});

type ExampleRecords = Awaited<ReturnType<typeof createExampleRecords>>;

// The record that `{uuid}` in a path stands for.
const toMember = (path: string, { asset, application, accessPolicy, subject, location }: ExampleRecords): string => {
  if (path.includes('/compliance/assets/')) return asset;
  if (path.includes('/access_policies/')) return accessPolicy;
  if (path.includes('/subjects/')) return subject;
  return path.includes('/applications/') ? application : location;
};

/** The reads of what is shared. */
const SHARED = [
  ...['listAssets', 'getAsset', 'listEvents', 'streamEvents', 'getEvent'],
  ...['getAssetAttachment', 'getAssetAttachmentInfo', 'getEventAttachment', 'getEventAttachmentInfo'],
];

describe('openapi.yaml', () => {
  it('is an OpenAPI 3.1 document', async () => {
    const apiSpec = structuredClone(document);
    const [load] = OpenApiValidator.middleware({ apiSpec, validateApiSpec: true }) as unknown as [Node];
    const application = { param: () => {} };
    const error = await new Promise((resolve) => load({ app: application }, {}, resolve));
    expect(error).to.equal(undefined);
    // In YAML a name without a value is null; these of the node report are null on purpose.
    const isMeant = (path: string): boolean => /.(syncing|chain_stalled|chain_validators|host|last_known)$/.test(path);
    expect(findNulls(document, '').filter((path) => !isMeant(path))).to.eql([]);
  });

  it('closes every object except the attribute maps, the filters on attributes and evidence files', () => {
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
      'Attributes',
      'CustomClaims',
      'EventAttributeFilters',
      'EvidenceFile',
      'LocationAttributeFilters',
      'OpenapiTwo',
      'StringMap',
      'TokenRequest',
    ]);
  });

  it('requires no token exactly for the operations whose handlers have no caller', () => {
    const open = operations.filter(({ right }) => right === undefined).map(({ id }) => id);
    expect(open).to.have.members([...OPEN_OPERATIONS]);
    const optional = operations.filter(({ isTokenOptional }) => isTokenOptional).map(({ id }) => id);
    expect(optional).to.have.members([...OPTIONAL_OPERATIONS]);
  });

  it('requires the right to read for reads, and another right for every change', () => {
    const rights: Node = {
      ...Object.fromEntries(SHARED.map((id) => [id, 'shared'])),
      createEvent: 'recorder',
      checkAssets: 'reader',
      tryPolicy: 'reader',
      createPolicy: 'policies',
      deletePolicy: 'policies',
      createAccessPolicy: 'administrator',
      listAccessPolicies: 'auditor',
      getAccessPolicy: 'auditor',
      listAccessPolicyAssets: 'auditor',
      listAssetAccessPolicies: 'auditor',
      updateAccessPolicy: 'administrator',
      deleteAccessPolicy: 'administrator',
      createSubject: 'administrator',
      listSubjects: 'auditor',
      getSubject: 'auditor',
      updateSubject: 'administrator',
      deleteSubject: 'administrator',
      listApplications: 'auditor',
      getApplication: 'auditor',
      createApplication: 'administrator',
      updateApplication: 'administrator',
      deleteApplication: 'administrator',
      regenerateSecret: 'administrator',
      getRootPrincipals: 'root',
      getOwnTenant: 'root',
      getTenantEvidence: 'root',
      updateRootPrincipals: 'root',
    };
    for (const { id, method, right } of operations.filter((operation) => operation.right !== undefined)) {
      expect([id, right]).to.eql([id, rights[id] ?? (method === 'get' ? 'reader' : 'writer')]);
    }
  });

  it('restricts the tenant itself to root principals, except its public information', () => {
    for (const { path, right } of operations.filter((operation) => operation.path.startsWith('/v1/tenancies/'))) {
      expect([path, right]).to.eql([path, path.endsWith(':publicinfo') ? undefined : 'root']);
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

  it('has examples of every JSON response and of every request', () => {
    const without = operations.flatMap(({ id, path, method }) =>
      toContents(document.paths[path][method])
        .filter(([, media]) => readExamples(media).length === 0)
        .map(([where]) => `${id} ${where}`),
    );
    expect(without).to.eql([]);
  });

  it('has an example of every parameter', () => {
    const parameters = Object.entries<Node>(document.components.parameters);
    const without = parameters.filter(([, parameter]) => readExamples(parameter).length === 0);
    expect(without.map(([name]) => name)).to.eql([]);
  });

  it('has examples that are valid by their schemas', () => {
    const validator = factoryAjv(document.openapi, { strict: false, validateFormats: false, allErrors: true });
    validator.addSchema(document, 'document');
    const wrong = findExamples(document, '').flatMap(([pointer, values]) => {
      const isValid = validator.getSchema(`document#${pointer}`)!;
      return values.flatMap((value) => (isValid(value) ? [] : [[pointer, value, isValid.errors]]));
    });
    expect(wrong).to.eql([]);
  });

  it('has every field of a record in the examples of responses', () => {
    const { schemas, examples } = document.components;
    for (const name of [
      'Asset',
      'Location',
      'Blob',
      'Application',
      'AccessPolicy',
      'Subject',
      'RootPrincipals',
      'Token',
      'JsonWebKeySet',
    ]) {
      const { failure_reason: _, ambiguous: _only, condition_syntax: _named, ...properties } = schemas[name].properties;
      expect(examples[name].value).to.have.all.keys(Object.keys(properties));
    }
    const { failure_reason: _reason, ...ofAmbiguous } = schemas.Subject.properties;
    expect(examples.AmbiguousSubject.value).to.have.all.keys(Object.keys(ofAmbiguous));
    expect(examples.RecordEvent.value).to.have.all.keys(schemas.Event.required);
    const { contribution: _, appended_again: _rare, ...ofOwn } = schemas.Event.properties;
    expect(examples.RefusedEvent.value).to.have.all.keys(Object.keys(ofOwn));
  });

  it('has example requests that the server accepts', async () => {
    const server = await startTestServer();
    const ids = await createExampleRecords(server);
    for (const { path, method } of operations.filter(({ mediaType }) => mediaType === 'application/json')) {
      const { examples } = document.paths[path][method].requestBody.content['application/json'];
      for (const [name, { value }] of Object.entries<Node>(examples)) {
        const url = `/svc${path.replace('{asset_uuid}', ids.asset).replace('{uuid}', toMember(path, ids))}`;
        const json = JSON.parse(
          JSON.stringify(value)
            .replace(/blobs\/[0-9a-f-]{36}/g, `blobs/${ids.blob}`)
            .replace(/locations\/[0-9a-f-]{36}/g, `locations/${ids.location}`)
            .replaceAll(/urn:provenance-ledger:[0-9a-fx:]*/g, ISSUER)
            .replace(/root@tenant\/[0-9a-f-]{36}/, server.tenant.root.subject),
        );
        const { status } = await server.request(method.toUpperCase(), url, { as: server.tenant.root, json });
        expect([name, status]).to.eql([name, 200]);
      }
    }
    await server.close();
  });

  it("has an example upload, and the server's response to it", async () => {
    const server = await startTestServer();
    const { value } = document.paths['/v1/blobs'].post.requestBody.content['multipart/form-data'].examples.report;
    const { mime_type, size, hash } = document.components.examples.Blob.value;
    const { body } = await upload(server, value.file, mime_type);
    expect(body).to.deep.include({ mime_type, size, hash });
    await server.close();
  });

  it('has the configured limits', () => {
    const { PageSize } = readDocument({ pageSizeMax: 7 }).components.parameters;
    expect(PageSize!.schema.maximum).to.equal(7);
  });
});
