import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { toComplianceDocument, toComplianceFile } from '../../../server/openapi/complianceConversion.ts';
import { readDocument } from '../../../server/openapi/document.ts';
import { COMPLIANCE_FILE, readComplianceDocument } from '../../../server/openapi/readComplianceDocument.ts';
import { LIMITS } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document
type Node = any;

const source: Node = readDocument(LIMITS);
const described: Node = toComplianceDocument(source);
const PATHS = Object.keys(source.paths).filter(
  (path) => path.startsWith('/v1/compliance') && !path.endsWith(':evidence'),
);

const findReferences = (node: Node): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  return [...(typeof node.$ref === 'string' ? [node.$ref] : []), ...Object.values(node).flatMap(findReferences)];
};

describe('the OpenAPI 2.0 document', () => {
  it('has exactly the compliance operations, with their parameters and responses', () => {
    expect(PATHS).to.have.length(8);
    expect(Object.keys(described.paths)).to.have.members(PATHS);
    for (const path of PATHS) {
      expect(Object.keys(described.paths[path])).to.have.members(Object.keys(source.paths[path]));
      for (const [method, operation] of Object.entries<Node>(source.paths[path])) {
        const shown = described.paths[path][method];
        expect(shown.operationId).to.equal(operation.operationId);
        expect(Object.keys(shown.responses)).to.eql(Object.keys(operation.responses));
        const body = operation.requestBody === undefined ? 0 : 1;
        expect(shown.parameters).to.have.length((operation.parameters ?? []).length + body);
      }
    }
  });

  it('has exactly the definitions that it refers to', () => {
    const names = findReferences(described).map((ref) => ref.slice('#/definitions/'.length));
    expect(new Set(names)).to.eql(new Set(Object.keys(described.definitions)));
    expect(described.definitions.Policy.required).to.eql(source.components.schemas.Policy.required);
    expect(described.definitions.ErrorCode.enum).to.eql(source.components.schemas.ErrorCode.enum);
  });

  it('moves the keywords beside a reference around it', () => {
    const { dynamic_window, time_period_seconds } = described.definitions.NewPolicy.properties;
    expect(time_period_seconds).to.eql({ allOf: [{ $ref: '#/definitions/Seconds' }], 'x-nullable': true });
    expect(dynamic_window).to.eql({
      allOf: [{ $ref: '#/definitions/Seconds' }],
      'x-nullable': true,
      description: 'How far the window reaches back',
    });
  });

  it('has the first example of a body', () => {
    const { parameters } = described.paths['/v1/compliance_policies'].post;
    expect(parameters.at(-1).schema.example).to.include({ compliance_type: 'COMPLIANCE_SINCE' });
  });

  it('has the configured limits', () => {
    const limited: Node = readComplianceDocument({ pageSizeMax: 7 });
    const { parameters } = limited.paths['/v1/compliance_policies'].get;
    expect(parameters.find(({ name }: Node) => name === 'page_size')).to.include({ type: 'integer', maximum: 7 });
  });

  it('is served exactly as converted, for any limits', () => {
    for (const pageSizeMax of [7, 1_000, 5_000]) {
      const converted = toComplianceDocument(readDocument({ pageSizeMax }));
      expect(JSON.stringify(readComplianceDocument({ pageSizeMax }))).to.equal(JSON.stringify(converted));
    }
  });

  it('is committed exactly as generated', () => {
    expect(readFileSync(COMPLIANCE_FILE, 'utf8')).to.equal(toComplianceFile());
  });

  it('cannot be converted from a document with a keyword that 2.0 lacks', () => {
    const changed: Node = structuredClone(readDocument(LIMITS));
    changed.components.schemas.Policy.oneOf = [{ type: 'object' }];
    expect(() => toComplianceDocument(changed)).to.throw(TypeError, 'oneOf');
  });
});

describe('v1/compliance_policies:openapi', () => {
  const server = useServer();

  it('returns the document with the prefix of the request', async () => {
    for (const basePath of ['/svc', '/archivist']) {
      const { status, body } = await server.request('GET', `${basePath}/v1/compliance_policies:openapi`);
      expect([status, body]).to.eql([200, { ...described, basePath }]);
    }
  });

  it('-ui returns the page of /docs/compliance, which loads nothing from other hosts', async () => {
    const { status, headers, body } = await server.request('GET', '/svc/v1/compliance_policies:openapi-ui');
    const open = await server.request('GET', '/docs/compliance', { as: null });
    expect([status, body]).to.eql([200, open.body]);
    for (const name of ['content-type', 'content-security-policy', 'x-content-type-options']) {
      expect([name, headers.get(name)]).to.eql([name, open.headers.get(name)]);
    }
  });

  it('-ui leads a browser, which sends no token, to the open page', async () => {
    const path = '/archivist/v1/compliance_policies:openapi-ui';
    const open = (accept: string) => fetch(`${server.url}${path}`, { headers: { accept }, redirect: 'manual' });
    const opened = await open('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([opened.status, opened.headers.get('location')]).to.eql([303, '/docs/compliance']);
    expect(opened.headers.get('vary')).to.match(/accept/i);
    for (const accept of ['application/json', '*/*']) expect((await open(accept)).status).to.equal(401);
    expect((await server.request('GET', path, { headers: { accept: 'text/html' } })).status).to.equal(200);
  });

  it('requires a token', async () => {
    for (const verb of ['openapi', 'openapi-ui', 'caps']) {
      const path = `/svc/v1/compliance_policies:${verb}`;
      expect((await server.request('GET', path, { as: null })).status).to.equal(401);
      expect((await server.request('GET', path, { as: server.tenant.reader })).status).to.equal(200);
      expect((await server.request('POST', path, { json: {} })).status).to.equal(405);
    }
  });
});
