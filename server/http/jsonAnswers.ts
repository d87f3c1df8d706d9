// Answers with JSON. Express' own method looks up settings, parses the content type that it has just set, and copies
// the text into a buffer, which Node then writes apart from the headers.
import type { Response } from 'express';

type AnswerJson = Response['json'];

/**
 * A replacement for the `json` method of Express' responses, for an application without settings for JSON and without
 * tags. A request for a changed document only (RFC 9110 section 13) goes to the `json` that it replaces.
 */
export const createAnswerJson = (answerByExpress: AnswerJson): AnswerJson =>
  function answerJson(this: Response, body: unknown): Response {
    const { 'if-none-match': known, 'if-modified-since': since } = this.req.headers;
    if (known !== undefined || since !== undefined) return answerByExpress.call(this, body);
    const text = JSON.stringify(body);
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
    this.setHeader('Content-Length', Buffer.byteLength(text));
    return this.req.method === 'HEAD' ? this.end() : this.end(text);
  };
