// Answers with JSON. Express' own method looks up settings, parses the content type that it has just set, and copies
// the text into a buffer, which Node then writes apart from the headers.
import { ServerResponse } from 'node:http';
import type { Response } from 'express';

type AnswerJson = Response['json'];

/** The headers that every answer has, as names and values in turn. */
export type ToCommonHeaders = (response: Response) => readonly string[];

const TYPE = ['Content-Type', 'application/json; charset=utf-8'] as const;

// Node keeps headers that are set one by one in an object, each in an array.
const writeHead = (response: Response, common: readonly string[], bytes: number): void => {
  if (response.getHeaderNames().length === 0) {
    const fields = [...common, ...TYPE, 'Content-Length', String(bytes)];
    ServerResponse.prototype.writeHead.call(response, response.statusCode, fields);
    return;
  }
  response.setHeader(...TYPE);
  response.setHeader('Content-Length', bytes);
};

/**
 * A replacement for the `json` method of Express' responses, for an application without settings for JSON and without
 * tags. A request for a changed document only (RFC 9110 section 13) goes to the `json` that it replaces. Where the
 * answer has no other headers, its head is written with the common ones.
 */
export const createAnswerJson = (answerByExpress: AnswerJson, toCommonHeaders: ToCommonHeaders): AnswerJson =>
  function answerJson(this: Response, body: unknown): Response {
    const { 'if-none-match': known, 'if-modified-since': since } = this.req.headers;
    if (known !== undefined || since !== undefined) return answerByExpress.call(this, body);
    const text = JSON.stringify(body);
    writeHead(this, toCommonHeaders(this), Buffer.byteLength(text));
    return this.req.method === 'HEAD' ? this.end() : this.end(text);
  };
