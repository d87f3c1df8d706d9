// Answers requests for the paths of a prefix without Express' list of middlewares, which takes longer than finding the
// path and the operation. Express answers all others, and those that fail.
import type { RequestListener } from 'node:http';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { runAsWork } from './currentWork.ts';
import { adoptMessages } from './expressMessages.ts';
import type { Observe } from './requestObserver.ts';

/**
 * Answers a request for a path without its prefix. Undefined if the path is unknown. Throws or rejects with the error
 * of the request; calls `next` with an error that follows.
 */
export type AnswerPath = (
  path: string,
  request: Request,
  response: Response,
  next: NextFunction,
) => Promise<void> | undefined;

/** The paths below a prefix, which begins with a slash and doesn't end with one. */
export interface MountedPaths {
  readonly prefix: string;
  readonly answer: AnswerPath;
}

// No fragment, and nothing that Express would have to parse.
const PLAIN_TARGET = /^\/[!"$-~]*$/;

const findMount = (target: string, mounts: readonly MountedPaths[]): MountedPaths | undefined =>
  mounts.find(({ prefix }) => target.startsWith(prefix) && target[prefix.length] === '/');

// Express refuses a request whose headers are not acceptable.
const isAcceptable = (request: Request, assertHeaders: (request: Request) => void): boolean => {
  try {
    assertHeaders(request);
    return true;
  } catch {
    return false;
  }
};

// What a request began may outlive it, so the description keeps neither the request nor its response.
const toDescription = (method: string, locals: Response['locals']) => (): string => {
  const { requestId, operationId } = locals as { requestId?: string; operationId?: string };
  return `request ${requestId} (${method} ${operationId ?? 'without an operation'})`;
};

/** What a listener does besides Express. */
export interface ListenerOptions {
  /** Called first for each request. */
  readonly observe: Observe;
  /** Throws for a request that Express refuses before it finds a route. */
  readonly assertHeaders: (request: Request) => void;
  readonly mounts: readonly MountedPaths[];
}

/** Passes the error of a mounted path to Express; undefined where there is none. */
export const raiseFailure: RequestHandler = (_request, response, next) => next(response.locals.failure);

/**
 * The listener of an application. The middlewares of the application must include `raiseFailure`, and must answer
 * requests for mounted paths in any other form than that of most clients.
 */
export const createListener = (app: Express, { observe, assertHeaders, mounts }: ListenerOptions): RequestListener => {
  const answerByExpress = (request: Request, response: Response, failure?: unknown): void => {
    request.url = request.originalUrl;
    request.baseUrl = '';
    response.locals.failure = failure;
    app(request, response);
  };

  const answerMounted = ({ prefix, answer }: MountedPaths, request: Request, response: Response): void => {
    const { originalUrl: target } = request;
    const query = target.indexOf('?');
    request.baseUrl = prefix;
    request.url = target.slice(prefix.length);
    const fail = (error: unknown): void => answerByExpress(request, response, error);
    try {
      const path = query < 0 ? request.url : target.slice(prefix.length, query);
      const answered = answer(path, request, response, fail);
      if (answered === undefined) answerByExpress(request, response);
      else answered.catch(fail);
    } catch (error) {
      fail(error);
    }
  };

  const answer = (request: Request, response: Response): void => {
    observe(request, response);
    const { originalUrl: target } = request;
    const mount = PLAIN_TARGET.test(target) ? findMount(target, mounts) : undefined;
    if (mount !== undefined && isAcceptable(request, assertHeaders)) answerMounted(mount, request, response);
    else answerByExpress(request, response);
  };

  return (incoming, outgoing) => {
    const [request, response] = adoptMessages(app, incoming, outgoing);
    runAsWork(toDescription(request.method, response.locals), () => answer(request, response));
  };
};
