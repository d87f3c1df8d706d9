import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createRequestParties } from '../../../server/fairness/requestParties.ts';

describe('the parties of requests', () => {
  const parties = createRequestParties(() => '192.0.2.7');
  const share = (headers: Record<string, string> = {}, url = '/archivist/v2/assets') =>
    parties.readShare({ headers, url } as unknown as IncomingMessage);
  parties.findTenantsBy((token) => (token === 'known.token' ? 'tenants/1' : undefined));

  it('are the tenant of a token that was verified before, else the network', () => {
    expect(share({ authorization: 'Bearer known.token' }).party).to.equal('tenants/1');
    for (const headers of [{}, { authorization: 'Bearer other' }, { authorization: 'Basic known.token' }])
      expect(share(headers as Record<string, string>).party).to.equal('192.0.2.7');
  });

  it('are others for probes of the same network', () => {
    const usual = share().party;
    for (const url of ['/healthz', '/readyz?x']) expect(share({}, url).party).not.to.equal(usual);
    expect(share({}, '/healthz/x').party).to.equal(usual);
  });

  it('have shares that a large body makes dearer, up to a bound', () => {
    const costs = ['10', '8192', '99999999999', 'x'].map((length) => share({ 'content-length': length }).cost);
    expect(costs).to.deep.equal([1, 3, 65, 1]);
  });
});
