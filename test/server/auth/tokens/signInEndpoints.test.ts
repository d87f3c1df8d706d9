import { expect } from 'chai';
import { fetchSignInEndpoints } from '../../../../server/auth/tokens/signInEndpoints.ts';
import { DISCOVERY_PATH, type OidcIssuer, startOidcIssuer } from '../../../support/startOidcIssuer.ts';

describe('fetchSignInEndpoints', () => {
  let issuer: OidcIssuer;
  before(async () => {
    issuer = await startOidcIssuer();
  });
  after(() => issuer.stop());

  const fetchFrom = async (changes: object) => {
    const endpoints = { authorization_endpoint: `${issuer.url}/authorize`, token_endpoint: `${issuer.url}/token` };
    const body = JSON.stringify({ issuer: issuer.url, ...endpoints, ...changes });
    await issuer.misbehave(DISCOVERY_PATH, { body });
    return fetchSignInEndpoints(issuer.url);
  };
  const expectRefused = async (changes: object): Promise<void> => {
    const error = await fetchFrom(changes).catch((refusal: unknown) => refusal);
    expect(error, JSON.stringify(changes)).to.be.instanceOf(Error);
  };

  it('finds the endpoints, and whether the issuer names itself in its answers', async () => {
    const endpoints = { authorization_endpoint: `${issuer.url}/authorize`, token_endpoint: `${issuer.url}/token` };
    for (const [given, expected] of [
      [undefined, false],
      [true, true],
      ['true', false],
    ])
      expect(await fetchFrom({ authorization_response_iss_parameter_supported: given })).to.deep.equal({
        ...endpoints,
        authorization_response_iss_parameter_supported: expected,
        id_token_signing_alg_values_supported: ['RS256'],
      });
    const { id_token_signing_alg_values_supported: algorithms } = await fetchFrom({
      id_token_signing_alg_values_supported: ['none', 'ES256', 1],
    });
    expect(algorithms).to.deep.equal(['ES256']);
  });

  it('refuses endpoints that are missing, insecure, programs, or could change a content security policy', async () => {
    for (const name of ['authorization_endpoint', 'token_endpoint'])
      for (const uri of [
        undefined,
        1,
        'http://login.example/x',
        'javascript:alert(1)',
        'https://u:p@login.example/x',
        'https://login.example/x#a',
        'https://a;script-src/x',
        "https://a,default-src'/x",
        'https://*/x',
      ])
        await expectRefused({ [name]: uri });
  });

  it('refuses another issuer, and one that says that it has no PKCE with S256', async () => {
    await expectRefused({ issuer: 'https://other.example' });
    await expectRefused({ code_challenge_methods_supported: ['plain'] });
    await expectRefused({ code_challenge_methods_supported: 'S256' });
    await fetchFrom({ code_challenge_methods_supported: ['plain', 'S256'] });
  });
});
