import { expect } from 'chai';
import { toRequestLine } from '../../../host/watching/requestLog.ts';

const ANSWERED = {
  requestId: 'request-1',
  method: 'GET',
  path: '/archivist/v2/assets',
  operationId: 'listAssets',
  status: 200,
  isComplete: true,
  refusal: undefined,
  durationMs: 3.123,
  tenantIdentity: 'tenant/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11',
  subject: 'root@tenant',
  address: '127.0.0.1',
};

describe('a line of the request log', () => {
  it('has method, status, path, milliseconds and tenant', () => {
    expect(toRequestLine(ANSWERED, false)).to.equal('GET    200 /archivist/v2/assets 3.1 ms  3f0e9f6c…');
    const anonymous = { ...ANSWERED, method: 'DELETE', tenantIdentity: undefined, durationMs: 1234.5 };
    expect(toRequestLine(anonymous, false)).to.equal('DELETE 200 /archivist/v2/assets 1235 ms');
  });

  it('has the first 8 characters of each UUID, so that it fits a terminal', () => {
    const [asset, event] = ['6e2d9c4f-7a1b-4f38-9c05-8d7e6f5a4b3c', 'B1A7C3E2-4D5F-4E6A-8B90-1C2D3E4F5A6B'];
    const path = `/archivist/v2/assets/${asset}/events/${event}:publicurl`;
    const line = toRequestLine({ ...ANSWERED, path }, false);
    expect(line).to.equal('GET    200 /archivist/v2/assets/6e2d9c4f…/events/B1A7C3E2…:publicurl 3.1 ms  3f0e9f6c…');
  });

  it('reports a client that disconnected', () => {
    expect(toRequestLine({ ...ANSWERED, isComplete: false }, false)).to.match(/ {2}the client disconnected$/);
  });

  it('has a colour for each class of status codes', () => {
    const colors = [200, 304, 404, 503].map((status) => {
      const line = toRequestLine({ ...ANSWERED, status }, true);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colours are control sequences.
      return /\x1b\[(\d+)m\d{3}/.exec(line)?.[1];
    });
    expect(colors).to.eql(['32', '36', '33', '31']);
  });
});
