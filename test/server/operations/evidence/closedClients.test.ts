// What a handler of evidence learns of its client: whether the answer is sent, or the client is gone.
import { expect } from 'chai';
import type { EvidenceSource } from '../../../../server/evidenceSource.ts';
import { until } from '../../../support/until.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const PATH = `/archivist/v1/absence:evidence?identity=assets/${UUID}`;
const NONE = {} as EvidenceSource;

describe('evidence for a client', () => {
  let server: TestServer;
  let signal: AbortSignal | undefined;
  afterEach(() => server.close());

  const start = async (answer: (signal: AbortSignal) => Promise<string>): Promise<void> => {
    signal = undefined;
    const makeAbsenceEvidence: EvidenceSource['makeAbsenceEvidence'] = (_tenant, _identity, given) => {
      signal = given!.signal!;
      return answer(signal);
    };
    server = await startTestServer({ evidence: { ...NONE, makeAbsenceEvidence } });
  };

  it('that is gone ends, and is no unexpected error', async () => {
    await start(
      (given) => new Promise((_, reject) => given.addEventListener('abort', () => reject(given.reason as Error))),
    );
    const client = new AbortController();
    const { token } = await server.tokens.issue(server.tenant.writer);
    const headers = { authorization: `Bearer ${token}` };
    const gone = fetch(`${server.url}${PATH}`, { headers, signal: client.signal }).catch(() => 'gone');
    await until(() => signal !== undefined);
    expect(signal!.aborted).to.equal(false);
    client.abort();
    expect(await gone).to.equal('gone');
    await until(() => signal!.aborted);
    expect(server.unexpected).to.deep.equal([]);
  });

  it('ends its signal when the answer is sent', async () => {
    await start(async () => '{}');
    expect((await server.request('GET', PATH)).status).to.equal(200);
    await until(() => signal!.aborted);
  });

  it('that fails otherwise is an unexpected error', async () => {
    await start(async () => Promise.reject(new Error('broken')));
    expect((await server.request('GET', PATH)).status).to.equal(500);
    expect(server.unexpected).to.have.length(1);
  });
});
