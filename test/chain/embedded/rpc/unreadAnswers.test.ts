// Answers that clients request and do not read: the memory that they use is limited over all connections.
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import { expect } from 'chai';
import { createRpcServer, type RpcServer } from '../../../../chain/embedded/rpc/rpcServer.ts';
import { until } from '../../../support/until.ts';

const ANSWER_BYTES = 1_000_000;
const CONNECTIONS = 30;
const BATCH = 4;
const LIMITS = { answersBytesMax: 8_000_000, answerAllowanceBytes: 16_384 };
/** Refusals and the envelopes of answers, on one connection. */
const ENVELOPES_BYTES = 2_000;
const HEADERS = { 'content-type': 'application/json' };

const toRequest = (method: string, id = 0) => ({ jsonrpc: '2.0', id, method });

describe('answers that clients do not read', () => {
  let server: RpcServer;
  const errors: unknown[] = [];
  // The kernel buffers an unknown part of a finished answer, so batches are held before they are finished.
  const gate = new EventEmitter().setMaxListeners(0);
  let isOpen = false;
  let held = 0;
  const open = (): void => {
    isOpen = true;
    gate.emit('open');
  };
  before(async () => {
    const answer = async (method: string): Promise<string> => {
      held += method === 'held' ? 1 : 0;
      if (method === 'held' && !isOpen) await once(gate, 'open');
      return `"${'a'.repeat(method === 'large' ? ANSWER_BYTES : 1)}"`;
    };
    const onError = (error: unknown): void => void errors.push(error);
    server = await createRpcServer({ answer, host: '127.0.0.1', port: 0, onError, limits: LIMITS });
  });
  after(async () => {
    await server.close();
    expect(errors).to.eql([]);
  });

  const begin = async (body: unknown): Promise<http.IncomingMessage> => {
    const { port } = server;
    const request = http.request({ port, host: '127.0.0.1', method: 'POST', headers: HEADERS, agent: false });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  };
  const read = async (response: http.IncomingMessage): Promise<string> =>
    Buffer.concat((await response.toArray()) as Buffer[]).toString();
  const beginMany = () =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        begin([...Array.from({ length: BATCH - 1 }, (_, id) => toRequest('large', id)), toRequest('held', BATCH)]),
      ),
    );

  it('use a limited amount of memory, while small answers are still possible', async () => {
    const beginning = beginMany();
    await until(async () => held === CONNECTIONS);
    expect(JSON.parse(await read(await begin(toRequest('small'))))).to.include({ result: 'a' });
    const refused = JSON.parse(await read(await begin(toRequest('large')))) as { error?: { code: number } };
    expect(refused.error?.code).to.equal(-32005);
    open();
    const texts = await Promise.all((await beginning).map(read));
    const bytes = texts.reduce((sum, text) => sum + text.length, 0);
    const allowances = CONNECTIONS * LIMITS.answerAllowanceBytes + CONNECTIONS * ENVELOPES_BYTES;
    expect(bytes).to.be.within(ANSWER_BYTES, LIMITS.answersBytesMax + allowances);
    for (const text of texts) expect(JSON.parse(text)).to.have.length(BATCH);
  });

  it('release their memory when they are read, or when their clients disconnect', async () => {
    const leave = (response: http.IncomingMessage): Promise<unknown> => once(response.destroy(), 'close');
    for (const end of [read, leave]) {
      await Promise.all((await beginMany()).map((response) => end(response)));
      await until(async () => {
        const again = JSON.parse(await read(await begin(toRequest('large')))) as { result?: string };
        return again.result?.length === ANSWER_BYTES;
      });
    }
  });
});
