// Asserts the documented shape of every error (decision 8), down to the last key.
import { expect } from 'chai';
import { CATALOGUE, type LedgerErrorCode } from '../../../ledger/errors.ts';
import type { ServerAnswer } from './testServer.ts';

const GRPC_CODE: Record<number, number> = {
  400: 3,
  401: 16,
  402: 8,
  403: 7,
  404: 5,
  405: 12,
  408: 4,
  409: 6,
  412: 9,
  413: 8,
  415: 3,
  416: 11,
  429: 8,
  431: 8,
  500: 13,
  501: 12,
  503: 14,
  507: 8,
};

const expectDetail = (detail: Record<string, unknown>): void => {
  expect(Object.keys(CATALOGUE)).to.include(detail.error);
  const { error: _, ...rest } = detail;
  if (Object.keys(rest).length > 0) expect(rest).to.have.all.keys('field', 'description');
};

/** Asserts a refusal with this status and code and, when `field` is given, that it names exactly this field. */
export const expectProblem = (answer: ServerAnswer, status: number, error: LedgerErrorCode, field?: string): void => {
  expect({ status: answer.status, body: answer.body }).to.have.property('status', status);
  expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expect(answer.body).to.have.all.keys('code', 'message', 'details');
  expect(answer.body.code).to.equal(GRPC_CODE[status]);
  expect(answer.body.message).to.be.a('string').that.is.not.empty;
  expect(answer.body.details).to.be.an('array').that.is.not.empty;
  for (const detail of answer.body.details) expectDetail(detail);
  expect(answer.body.details[0].error).to.equal(error);
  if (field !== undefined) expect(answer.body.details.map((detail: { field: string }) => detail.field)).to.eql([field]);
};
