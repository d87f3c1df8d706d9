import { expect } from 'chai';
import { isErrorsPageCurrent } from '../../../host/files/errorsPage.ts';
import { CATALOGUE, LedgerError, type LedgerErrorCode } from '../../../ledger/errors.ts';
import { GRPC_CODE, STATUS, toProblem } from '../../../server/http/problems.ts';
import { readDocument } from '../../../server/openapi/document.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { createAnAsset } from '../support/requests.ts';
import { LIMITS } from '../support/testServer.ts';
import { useNewServer } from '../support/useServer.ts';

const CODES = Object.keys(CATALOGUE) as LedgerErrorCode[];

describe('problems', () => {
  const server = useNewServer();

  const postWhenAppendFailsWith = (error: unknown) => {
    server.ledger.beforeAppend = async () => {
      throw error;
    };
    return server.request('POST', '/svc/v2/assets', { json: {} });
  };

  it('have exactly the codes of the catalogue in the document', () => {
    expect(readDocument(LIMITS).components.schemas.ErrorCode!.enum).to.eql(CODES);
  });

  it('have a page of all codes that is current', async () => {
    expect(await isErrorsPageCurrent()).to.equal(true);
  });

  it('have in the document the numbers of the statuses that come, and no others', () => {
    const { description } = readDocument(LIMITS).components.schemas.Problem as { description: string };
    const [, listed] = /gRPC code of the status\s*\(([^)]*)\)/.exec(description)!;
    const found = [...listed!.matchAll(/((?:\d{3}(?:, | and )?)+): (\d+)/g)].flatMap(([, statuses, code]) =>
      statuses!.match(/\d{3}/g)!.map((status) => [status, Number(code)]),
    );
    expect(Object.fromEntries(found)).to.eql(GRPC_CODE);
  });

  it('have examples in the document whose code has the status of the response', () => {
    const { paths, components } = readDocument(LIMITS) as never as {
      paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, { $ref?: string }> }>>;
      components: {
        responses: Record<string, { content?: Record<string, { example?: { details: [{ error: string }?] } }> }>;
      };
    };
    for (const item of Object.values(paths))
      for (const { operationId, responses = {} } of Object.values(item))
        for (const [status, { $ref = '' }] of Object.entries(responses)) {
          const described = components.responses[$ref.slice('#/components/responses/'.length)];
          const error = described?.content?.['application/json']?.example?.details?.[0]?.error;
          if (error !== undefined)
            expect([operationId, error, String(STATUS[error as LedgerErrorCode])]).to.eql([operationId, error, status]);
        }
  });

  it('have one detail for each violation, or one with only the error', () => {
    const violations = [
      { field: 'a', description: 'is missing' },
      { field: 'b', description: 'is too long' },
    ];
    expect(toProblem(new LedgerError('REQUEST_INVALID', { message: 'two things', violations }))).to.eql({
      code: 3,
      message: 'two things',
      details: violations.map((violation) => ({ error: 'REQUEST_INVALID', ...violation })),
    });
    expect(toProblem(new LedgerError('OUTBOX_FULL', { message: 'at /data/outbox' }))).to.eql({
      code: 14,
      message: CATALOGUE.OUTBOX_FULL,
      details: [{ error: 'OUTBOX_FULL' }],
    });
  });

  for (const code of CODES.filter((name) => STATUS[name] !== 500)) {
    it(`have status ${STATUS[code]} for ${code}`, async () => {
      expectProblem(await postWhenAppendFailsWith(new LedgerError(code)), STATUS[code], code);
      expect(server.unexpected).to.eql([]);
    });
  }

  it('state when to retry while the ledger accepts no records', async () => {
    for (const code of ['OUTBOX_FULL', 'CHAIN_UNAVAILABLE', 'STOPPING'] as const) {
      const { headers } = await postWhenAppendFailsWith(new LedgerError(code));
      expect(headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    }
  });

  it('reveal nothing of an internal error, which is reported to the operator', async () => {
    const errors = [
      new Error('secret detail'),
      new TypeError('secret'),
      new LedgerError('CHAIN_CORRUPT', { message: 'secret' }),
    ];
    for (const error of errors) {
      const { status, body } = await postWhenAppendFailsWith(error);
      expect(status).to.equal(500);
      expect(body).to.eql({ code: 13, message: 'Unexpected error', details: [] });
    }
    expect(server.unexpected).to.eql(errors);
  });

  it('include a response that violates the document, if responses are validated', async () => {
    const path = `/svc/v2/assets/${await createAnAsset(server)}`;
    const { readAsset } = server.deps.view;
    server.deps.view.readAsset = async (...requested) => ({ ...(await readAsset(...requested)), owner: 1 }) as never;
    const { status } = await server.request('GET', path);
    expect(status).to.equal(500);
    expect(server.unexpected).to.have.length(1);
  });
});
