// How the server of another ledger is asked again for evidence that it doesn't have yet.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createOtherLedger } from '../../../host/evidence/otherLedger.ts';

const PAUSE_MS = 1_000;
const ASSET = 'assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a';
const EVENT = `${ASSET}/events/7d0f2b9a-3c51-4a57-8f0e-2b1c9d4e6f80`;
// Timers may be early by a millisecond.
const EARLY_MS = 10;

describe('evidence of another ledger that is not there yet', () => {
  for (const [name, retryAfter, seconds] of [
    ['no number of seconds', 'Wed, 21 Oct 2026 07:28:00 GMT', 1],
    ['two seconds', '2', 2],
  ] as const)
    it(`is asked for again after ${seconds} s at least when its server names ${name}`, async () => {
      const asked: number[] = [];
      const server = createServer((request, response) => {
        if (request.method === 'POST')
          return response.end(JSON.stringify({ identity: EVENT, confirmation_status: 'CONFIRMED' }));
        asked.push(performance.now());
        if (asked.length === 2) return response.end('evidence');
        return response.writeHead(503, { 'retry-after': retryAfter }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const other = createOtherLedger({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        assetIdentity: ASSET,
        readCredentials: async () => ({ token: 'token' }),
      });
      const text = await other.record({ key: 'key', attributes: {} }, new AbortController().signal);
      server.closeAllConnections();
      server.close();
      expect(text).to.equal('evidence');
      expect(asked[1]! - asked[0]!).to.be.at.least(seconds * PAUSE_MS - EARLY_MS);
    });
});
