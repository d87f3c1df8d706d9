// Access policies that name groups in the tokens of other issuers.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type OidcIssuer, startOidcIssuer } from '../../../support/startOidcIssuer.ts';
import { type OidcServer, signToken, startOidcServer, toSettings } from '../../support/oidcServer.ts';
import { anAccessPolicy, createAnAccessPolicy, createAnAsset } from '../../support/requests.ts';

const AUDIENCE = 'https://ledger.example';
const MANY = Array.from({ length: 199 }, () => randomUUID());

describe('groups in access policies', () => {
  let issuer: OidcIssuer;
  let server: OidcServer;
  before(async () => {
    issuer = await startOidcIssuer('RS256');
    const settings = { ...toSettings(issuer.url, { tokenTypes: ['at+jwt', 'jwt'] }), tenant: '' };
    server = await startOidcServer([settings]);
    settings.tenant = server.tenant.identity;
    await createAnAsset(server);
    for (const claim of ['groups=site managers', 'group:maintainers']) {
      const permission = { user_attributes: [{ or: [claim] }], asset_attributes_read: ['*'] };
      await createAnAccessPolicy(server, anAccessPolicy({ access_permissions: [permission] }));
    }
  });
  after(async () => {
    await server.close();
    await issuer.stop();
  });

  const count = async (claims: Record<string, unknown>): Promise<number> => {
    const iat = Math.floor(server.clock.atMs / 1000);
    const given = { iss: issuer.url, aud: AUDIENCE, sub: 'a', iat, exp: iat + 600, ...claims };
    return (await server.get(await signToken(issuer, given), '/svc/v2/assets')).body.assets.length;
  };

  it('match any item of a claim that is a list, also of 200, and of one with blanks', async () => {
    for (const groups of [['site managers'], ['b', 'site managers'], [...MANY, 'site managers'], 'site managers'])
      expect(await count({ groups })).to.equal(1);
    for (const group of [['maintainers'], 'maintainers', [7, null, { a: 'b' }, 'maintainers']])
      expect(await count({ group })).to.equal(1);
  });

  it('match no part of an item, no word of a text, and no other claim', async () => {
    for (const groups of [
      [],
      MANY,
      ['site', 'managers'],
      'all site managers',
      [['site managers']],
      { a: 'site managers' },
    ])
      expect(await count({ groups })).to.equal(0);
    expect(await count({ group: ['site managers'], groups: ['maintainers'] })).to.equal(0);
  });
});
