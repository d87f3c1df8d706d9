// The program of the sandbox: forks of the chain, one after the other, which read its state from the process that
// started this one. EDR reads over HTTP, so there is a port, on this machine only and with a path that nobody else
// knows.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { collectAnswers } from '../collectAnswers.ts';
import { type ForkPoint, openFork } from '../edr.ts';
import { answerParent, runAsChild, sendToParent } from '../engine/runAsChild.ts';
import type { AnswerText } from '../engine/toEdr.ts';
import type { SandboxStart, ToSandbox } from './sandboxMessages.ts';

/** How the text of a list of requests begins: only those mine blocks. */
const LIST = '[';

// The reads that wait for the chain.
const createReads = () => {
  const waiting = new Map<number, (answer: string) => void>();
  let lastId = 0;
  return {
    read: (body: string): Promise<string> =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        sendToParent({ readId: lastId, body });
      }),
    resolve: (readId: number, answer: string): void => {
      waiting.get(readId)!(answer);
      waiting.delete(readId);
    },
  };
};

// The URL of a port that answers with `read`.
const serveReads = async (read: (body: string) => Promise<string>): Promise<string> => {
  const path = `/${randomUUID()}`;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    const answered = await read(await text(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end(answered);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
};

// Calls leave a fork as it is; a fork that has mined is of no more use.
const createForks = (open: (point: ForkPoint) => Promise<AnswerText>) => {
  let current: { readonly hash: string; readonly answerText: AnswerText } | undefined;
  return async (point: ForkPoint, payload: string): Promise<string> => {
    if (current?.hash !== point.hash) current = { hash: point.hash, answerText: await open(point) };
    const { answerText } = current;
    if (payload.startsWith(LIST)) current = undefined;
    return answerText(payload);
  };
};

runAsChild(async ({ config, cacheDirectory }: SandboxStart) => {
  process.on('exit', () => rmSync(cacheDirectory, { recursive: true, force: true }));
  const reads = createReads();
  const url = await serveReads(reads.read);
  const report = (): void => sendToParent({ memoryBytes: process.memoryUsage.rss() });
  const run = createForks((point) => openFork(config, point, { url, cacheDirectory }));
  report();
  return (message: ToSandbox): void => {
    if ('readId' in message) reads.resolve(message.readId, message.text);
    else
      void answerParent(message.id, () => run(message.point, message.payload))
        .then(collectAnswers)
        .then(report);
  };
});
