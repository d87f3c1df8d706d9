// How long the server of another ledger is waited for, and how it is asked again for evidence that it doesn't have yet.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Mock, mock } from 'node:test';
import { expect } from 'chai';
import { createOtherLedger } from '../../../host/evidence/otherLedger.ts';
import { until } from '../../support/until.ts';

const PAUSE_MS = 1_000;
const ASSET = 'assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a';
const EVENT = `${ASSET}/events/7d0f2b9a-3c51-4a57-8f0e-2b1c9d4e6f80`;
// Timers may be early by a millisecond.
const EARLY_MS = 10;

/** Records an event on a ledger whose server answers so. */
const recordAt = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const other = createOtherLedger({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    assetIdentity: ASSET,
    readCredentials: async () => ({ token: 'token' }),
  });
  try {
    return await other.record({ key: 'key', attributes: {} }, new AbortController().signal);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

describe('evidence of another ledger that is not there yet', () => {
  for (const [name, retryAfter, seconds] of [
    ['no number of seconds', 'Wed, 21 Oct 2026 07:28:00 GMT', 1],
    ['two seconds', '2', 2],
  ] as const)
    it(`is asked for again after ${seconds} s at least when its server names ${name}`, async () => {
      const asked: number[] = [];
      const text = await recordAt((request, response) => {
        if (request.method === 'POST')
          return response.end(JSON.stringify({ identity: EVENT, confirmation_status: 'CONFIRMED' }));
        asked.push(performance.now());
        if (asked.length === 2) return response.end('evidence');
        return response.writeHead(503, { 'retry-after': retryAfter }).end();
      });
      expect(text).to.equal('evidence');
      expect(asked[1]! - asked[0]!).to.be.at.least(seconds * PAUSE_MS - EARLY_MS);
    });
});

describe('an answer of another ledger', () => {
  let limit: AbortController;
  let timeout: Mock<typeof AbortSignal.timeout>;
  beforeEach(() => {
    limit = new AbortController();
    timeout = mock.method(AbortSignal, 'timeout', () => limit.signal);
  });
  afterEach(() => timeout.mock.restore());

  for (const [name, sent] of [
    ['never begins', ''],
    ['never ends', '{"identity":'],
  ] as const)
    it(`that ${name} is waited for 30 s`, async () => {
      let isAsked = false;
      const failed = recordAt((_request, response) => {
        if (sent !== '') response.write(sent);
        isAsked = true;
      }).catch((error: unknown) => error);
      await until(() => isAsked);
      const late = new Error('late');
      limit.abort(late);
      expect(await failed).to.equal(late);
      expect(timeout.mock.calls.map((call) => call.arguments)).to.deep.equal([[30_000]]);
    });
});
