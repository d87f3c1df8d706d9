// A page token carries the query and a position in terms of the API, and no key of the index.
import { expect } from 'chai';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { createALocation, createAnAsset, createAPolicy } from '../support/requests.ts';
import { useServer } from '../support/useServer.ts';

const HEAD_BYTES = 33;

describe('page tokens', () => {
  const server = useServer();
  before(async () => {
    for (const name of ['a', 'b']) {
      await createAnAsset(server);
      await createALocation(server, { display_name: name });
      await createAPolicy(server, {
        compliance_type: 'COMPLIANCE_RICHNESS',
        display_name: name,
        richness_assertions: [{ or: ['a=1'] }],
      });
    }
  });

  const LISTS: readonly [list: string, members: string[]][] = [
    ['v2/assets?', ['accepted', 'before']],
    ['v2/assets?order_by=SIMPLEHASHV1&', ['atMs', 'identity']],
    ['v2/assets/-/events?', ['accepted', 'before']],
    ['v2/assets/-/events?order_by=SIMPLEHASHV1&', ['atMs', 'identity']],
    ['v2/locations?order_by=DISPLAY_NAME&', ['name', 'identity']],
    ['v1/compliance_policies?order_by=DISPLAY_NAME&', ['name', 'identity']],
    ['iam/v1/applications?', ['accepted', 'before']],
  ];
  for (const [list, members] of LISTS) {
    it(`carry no key of the index: ${list}`, async () => {
      const { body } = await server.request('GET', `/svc/${list}page_size=1`, { as: server.tenant.root });
      const bytes = Buffer.from(body.next_page_token, 'base64url');
      const content = JSON.parse(bytes.subarray(HEAD_BYTES).toString());
      expect(content).to.have.all.keys('filters', 'pageSize', 'position');
      expect(JSON.parse(content.position)).to.have.all.keys(...members);
      expect(bytes.toString('hex')).not.to.include(toHex(toKey(server.tenant.identity)).slice('0x'.length));
    });
  }
});
