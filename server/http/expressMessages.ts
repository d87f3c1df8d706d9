// Requests and responses that have Express' methods from the beginning. Express gives each of Node's objects another
// prototype instead, which takes longer than the rest of its work for a request. Every answer has the common headers.
import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import { setCommonHeaders, toCommonHeaders } from './commonHeaders.ts';
import { createAnswerJson } from './jsonAnswers.ts';

class ExpressRequest extends IncomingMessage {}
class ExpressResponse extends ServerResponse<ExpressRequest> {}
Object.setPrototypeOf(ExpressRequest.prototype, express.request);
Object.setPrototypeOf(ExpressResponse.prototype, express.response);

const REQUEST = ExpressRequest.prototype as unknown as Request;
const RESPONSE = ExpressResponse.prototype as unknown as Response;
RESPONSE.json = createAnswerJson(express.response.json, toCommonHeaders);

const { writeHead } = ServerResponse.prototype;

// Called once for each answer, by Node where nothing else does. Only adopted responses are answers of an application.
RESPONSE.writeHead = function writeCommonHead(this: Response, ...head: unknown[]): Response {
  if (this.locals !== undefined && !this.headersSent) setCommonHeaders(this);
  return Reflect.apply(writeHead, this, head) as Response;
} as Response['writeHead'];

/** Options of a server of Node, with which its requests and responses have Express' methods. */
export const EXPRESS_MESSAGES = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } as const;

/** Makes an application use these requests and responses. Each must be adopted before one of its methods is used. */
export const useExpressMessages = (app: Express): void => {
  app.request = REQUEST;
  app.response = RESPONSE;
};

/** A request and its response, as a handler of Express gets them. */
export type Messages = readonly [request: Request, response: Response];

/** Prepares a request and its response for an application, as Express does. They may be those of any server. */
export const adoptMessages = (app: Express, incoming: IncomingMessage, outgoing: ServerResponse): Messages => {
  if (Object.getPrototypeOf(incoming) !== REQUEST) Object.setPrototypeOf(incoming, REQUEST);
  if (Object.getPrototypeOf(outgoing) !== RESPONSE) Object.setPrototypeOf(outgoing, RESPONSE);
  const [request, response] = [incoming as Request, outgoing as Response];
  request.app = app;
  request.res = response;
  request.originalUrl = request.url;
  response.app = app;
  response.req = request;
  response.locals = { requestId: undefined, operationId: undefined, caller: undefined };
  return [request, response];
};
