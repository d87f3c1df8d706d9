import { expect } from 'chai';
import fc from 'fast-check';
import { type AnsweredRequest, createPathRedaction } from '../../../server/http/requestObserver.ts';
import { readDocument } from '../../../server/openapi/document.ts';
import { until } from '../../support/until.ts';
import { createAnAsset } from '../support/requests.ts';
import { LIMITS, SECRET, startTestServer } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

const UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('the request observer', () => {
  const answered: AnsweredRequest[] = [];
  const server = useServer({ onAnswered: (one) => answered.push(one) });
  beforeEach(() => answered.splice(0));

  const observe = async (send: () => Promise<unknown>): Promise<AnsweredRequest> => {
    await send();
    await until(async () => answered.length > 0);
    return answered[0]!;
  };

  it('reports caller, operation and result of a request', async () => {
    const asset = await createAnAsset(server);
    answered.splice(0);
    const observed = await observe(() =>
      server.request('GET', `/svc/v2/assets/${asset}`, { as: server.tenant.reader }),
    );
    expect(observed).to.deep.include({
      method: 'GET',
      path: `/svc/v2/assets/${asset}`,
      operationId: 'getAsset',
      status: 200,
      isComplete: true,
      refusal: undefined,
      tenantIdentity: server.tenant.identity,
      subject: server.tenant.reader.subject,
      address: '127.0.0.1',
    });
    expect(observed.durationMs).to.be.greaterThan(0);
  });

  it('reports requests without an operation or a caller', async () => {
    const observed = await observe(() => server.request('GET', '/svc/v9/assets', { as: null }));
    expect(observed).to.include({ path: '/svc/*/assets', status: 404 });
    expect([observed.operationId, observed.tenantIdentity, observed.subject]).to.eql([undefined, undefined, undefined]);
  });

  const ids: [string, string, boolean][] = [
    ['a well-formed id', 'a-Z_9.x', true],
    ['an id of 64 characters', 'x'.repeat(64), true],
    ['a longer id', 'x'.repeat(65), false],
    ['an id with a space', 'a b', false],
    ['an id with a line feed', 'a%0ab', false],
  ];
  for (const [title, id, isKept] of ids) {
    it(`${isKept ? 'keeps' : 'replaces'} ${title}`, async () => {
      const { headers } = await server.request('GET', '/healthz', { as: null, headers: { 'x-request-id': id } });
      const given = headers.get('x-request-id')!;
      if (isKept) expect(given).to.equal(id);
      else expect(given).to.match(/^[0-9a-f-]{36}$/);
      expect((await observe(async () => undefined)).requestId).to.equal(given);
    });
  }

  it('names the request of an unexpected error', async () => {
    const ids: unknown[] = [];
    const other = await startTestServer({ onUnexpectedError: (_error, requestId) => ids.push(requestId) });
    other.ledger.beforeAppend = async () => {
      throw new Error('unexpected');
    };
    const { status, headers } = await other.request('POST', '/svc/v2/assets', { json: {} });
    expect([status, ids]).to.eql([500, [headers.get('x-request-id')]]);
    await other.close();
  });

  it('reports only the parts of a path that the document describes', () => {
    const redact = createPathRedaction(readDocument(LIMITS));
    expect(redact(`/archivist/v2/assets/${UUID}/events/${UUID}:publicurl`)).to.equal(
      `/archivist/v2/assets/${UUID}/events/${UUID}:publicurl`,
    );
    expect(redact('/v1/compliance_policies:caps')).to.equal('/*/compliance_policies:caps'.replace('*', 'v1'));
    expect(redact(`/svc/v2/assets/${SECRET}`)).to.equal('/svc/v2/assets/*');
    const segment = fc.string({ minLength: 12 }).filter((text) => !/[/:?]/.test(text));
    fc.assert(
      fc.property(segment, segment, (one, other) => {
        expect(redact(`/${one}/v2/${other}:${one}`)).to.equal('/*/v2/*:*');
      }),
    );
  });
});
