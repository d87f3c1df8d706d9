import { expect } from 'chai';
import { CATALOGUE, LedgerError, type LedgerErrorCode } from '../../../ledger/errors.ts';
import { STATUS, toProblem } from '../../../server/http/problems.ts';
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
