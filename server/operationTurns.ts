// How a request of an operation takes turns with those of other parties: to be decoded and checked when its body is
// large, and to be answered when it reads many records.
import type { Request, Response } from 'express';
import { createToReadCost } from './fairness/requestCosts.ts';
import type { ServerTurns } from './fairness/serverTurns.ts';
import type { ReceivedBody } from './http/bodies.ts';
import { refuseDisconnected } from './http/bodyBytes.ts';
import { toClientSite } from './http/clientNetworks.ts';
import type { ApiDocument, ApiOperation } from './openapi/document.ts';
import type { Caller } from './openapi/handlers.ts';
import { createValidation } from './openapi/validation.ts';

/** Aborts when the answer is sent, or its client is gone. Few requests need it. */
export const toClosed = (response: Response): AbortSignal => {
  const known = response.locals.closed as AbortSignal | undefined;
  if (known !== undefined) return known;
  const closing = new AbortController();
  const close = (): void => closing.abort(refuseDisconnected());
  if (response.closed) close();
  else response.once('close', close);
  response.locals.closed = closing.signal;
  return closing.signal;
};

/** Nobody reads the answer of a handler that ended because its client is gone. Any other error is thrown again. */
export const ignoreClosed = ({ locals }: Response, error: unknown): undefined => {
  const closed = locals.closed as AbortSignal | undefined;
  if (closed?.aborted !== true || error !== closed.reason) throw error;
};

/** Who a request counts for when it takes turns: a tenant, or without a token a client network. */
export const toRequestParty = (request: Request, { locals }: Response): string =>
  (locals.caller as Caller | undefined)?.tenantIdentity ?? toClientSite(request.ip ?? '');

interface TurnDeps extends ServerTurns {
  /** Records on a page when the client specifies no `page_size`. */
  readonly listRecordsMax: number;
}

/** Runs the handler of a request that reads many records in a turn of its party, and any other one at once. */
export const createTakeTurn = (operation: ApiOperation, { runRead, listRecordsMax }: TurnDeps) => {
  const toCost = createToReadCost(operation, listRecordsMax);
  return <T>(request: Request, response: Response, query: object, task: () => Promise<T>): Promise<T> => {
    const cost = toCost(query);
    if (cost === 0) return task();
    return runRead(toRequestParty(request, response), task, { cost, signal: toClosed(response) });
  };
};

interface CheckDeps extends Pick<ServerTurns, 'runBody'> {
  readonly document: ApiDocument;
}

/** A larger body takes a turn when it is decoded and checked, which needs about a millisecond for 16 KiB. */
const SMALL_BODY_BYTES = 8_192;

/** Decodes and validates a request. Resolves with the parameters of its query. */
export const createCheck = (operation: ApiOperation, { document, runBody }: CheckDeps) => {
  const validate = createValidation(document, operation);
  return async (request: Request, response: Response, received: ReceivedBody | undefined): Promise<object> => {
    const check = (): object => {
      received?.decode();
      return validate(request);
    };
    const bytes = received?.bytes ?? 0;
    return bytes <= SMALL_BODY_BYTES ? check() : runBody(toRequestParty(request, response), async () => check());
  };
};
