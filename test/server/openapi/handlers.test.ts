// `tsc` asserts the compile errors: an expected error that does not occur fails the compilation.
import { expect } from 'chai';
import type { ServerDeps } from '../../../server/deps.ts';
import { readDocument, toOperations } from '../../../server/openapi/document.ts';
import type { Handler, Handlers } from '../../../server/openapi/handlers.ts';
import { readComplianceDocument } from '../../../server/openapi/readComplianceDocument.ts';
import { operations } from '../../../server/operations.ts';
import { LIMITS } from '../support/testServer.ts';

const getJwks: Handler<'getJwks'> = async () => ({ status: 200, body: { keys: [] } });

// @ts-expect-error: a body that lacks a field
const withLess: Handler<'getAsset'> = async () => ({ status: 200, body: { identity: 'assets/1' } });

// @ts-expect-error: a status that the document does not have
const withStatus: Handler<'getJwks'> = async () => ({ status: 206, body: { keys: [] } });

// @ts-expect-error: an operation that has no handler
const withoutOthers = { getJwks } satisfies Handlers;

// @ts-expect-error: an open operation has no caller
const withCaller: Handler<'getJwks'> = async ({ caller }) => ({ status: 200, body: { keys: [caller] } });

describe('handlers', () => {
  it('exist for exactly the operations of the document', () => {
    expect([getJwks, withLess, withStatus, withoutOthers, withCaller]).to.have.length(5);
    const document = readDocument(LIMITS);
    const ids = Object.keys(document.paths).flatMap((path) => toOperations(document, path).map(({ id }) => id));
    expect(Object.keys(operations({ limits: LIMITS } as ServerDeps, readComplianceDocument(LIMITS)))).to.have.members(
      ids,
    );
  });
});
