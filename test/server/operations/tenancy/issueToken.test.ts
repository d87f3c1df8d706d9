import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset } from '../../support/requests.ts';
import { AUDIENCE, ISSUER, SECRET } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

const FORM = 'application/x-www-form-urlencoded';

describe('POST iam/v1/appidp/token', () => {
  const server = useServer();

  const requestToken = (fields: Record<string, string> | string, contentType = FORM) =>
    server.request('POST', '/archivist/iam/v1/appidp/token', {
      as: null,
      headers: { 'content-type': contentType },
      body: new URLSearchParams(fields).toString(),
    });
  const right = () => ({
    grant_type: 'client_credentials',
    client_id: server.tenant.writer.clientId!,
    client_secret: SECRET,
  });

  it('issues a token of one hour that identifies the application', async () => {
    const { status, body, headers } = await requestToken(right());
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('access_token', 'expires_in', 'token_type');
    expect(body).to.include({ expires_in: 3600, token_type: 'Bearer' });
    expect(headers.get('cache-control')).to.equal('no-store');
    const claims = decodeJwt(body.access_token);
    expect(claims).to.have.all.keys(
      'iss',
      'aud',
      'sub',
      'iat',
      'exp',
      'jti',
      'tenant',
      'roles',
      'name',
      'client_id',
      'secret_id',
    );
    expect(claims).to.deep.include({
      iss: ISSUER,
      aud: AUDIENCE,
      sub: server.tenant.writer.clientId,
      tenant: server.tenant.identity,
      roles: ['writer'],
      name: server.tenant.writer.name,
    });
    expect(claims.exp! - claims.iat!).to.equal(3600);
    expect(decodeProtectedHeader(body.access_token)).to.include({ alg: 'ES256', typ: 'at+jwt' });
  });

  it('takes the credentials by HTTP Basic, encoded as in a form, and not in two ways', async () => {
    const { client_id: id, client_secret: secret } = right();
    const request = (pair: string, fields: Record<string, string> = {}) =>
      server.request('POST', '/archivist/iam/v1/appidp/token', {
        as: null,
        headers: { 'content-type': FORM, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
      });
    const encoded = id.replaceAll('-', '%2D');
    for (const pair of [`${id}:${secret}`, `${encoded}:${secret}`]) {
      expect((await request(pair)).status).to.equal(200);
      expect((await request(pair, { client_id: id })).status).to.equal(200);
    }
    expectProblem(await request(`${id}:${secret}`, { client_secret: secret }), 400, 'REQUEST_INVALID', 'client_secret');
    expectProblem(await request(`${id}:${secret}`, { client_id: 'x' }), 400, 'REQUEST_INVALID', 'client_id');
    for (const pair of [`${id}:x`, `x:${secret}`, id, `:${secret}`, `${id}:%`, '']) {
      const answer = await request(pair);
      expectProblem(answer, 401, 'CLIENT_REFUSED');
      expect(answer.headers.get('www-authenticate')).to.equal('Basic realm="token"');
    }
  });

  it('accepts 10 parameters, and refuses more, repeated ones too, by the body', async () => {
    const more = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`other${at}`, 'x']));
    expect((await requestToken({ ...right(), ...more(7) })).status).to.equal(200);
    expectProblem(await requestToken({ ...right(), ...more(8) }), 400, 'REQUEST_INVALID', 'body');
    expectProblem(
      await requestToken(`${new URLSearchParams(right())}${'&scope=x'.repeat(8)}`),
      400,
      'REQUEST_INVALID',
      'body',
    );
  });

  it('accepts 4,096 bytes, and refuses more by the body, undecoded', async () => {
    const withBytes = (bytes: number) => {
      const own = new URLSearchParams(right()).toString();
      return `${own}&other=${'x'.repeat(bytes - own.length - '&other='.length)}`;
    };
    expect((await requestToken(withBytes(4_096))).status).to.equal(200);
    expectProblem(await requestToken(withBytes(4_097)), 413, 'REQUEST_TOO_LARGE', 'body');
    const names = Array.from({ length: 26_000 }, (_, at) => at.toString(36)).join('&');
    expectProblem(await requestToken(names), 413, 'REQUEST_TOO_LARGE', 'body');
  });

  it('issues a valid token', async () => {
    const { body } = await requestToken(right());
    const headers = { authorization: `Bearer ${body.access_token}` };
    await createAnAsset(server, {}, { as: null, headers });
  });

  it('ignores unknown parameters, as RFC 6749 requires', async () => {
    expect((await requestToken({ ...right(), scope: 'everything' })).status).to.equal(200);
  });

  it('refuses a wrong secret and an unknown client alike', async () => {
    const wrong = await requestToken({ ...right(), client_secret: `${SECRET}x` });
    const unknown = await requestToken({ ...right(), client_id: '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11' });
    const odd = await requestToken({ ...right(), client_id: '../..' });
    expectProblem(wrong, 401, 'CLIENT_REFUSED');
    for (const { status, body } of [unknown, odd]) expect([status, body]).to.eql([401, wrong.body]);
    expect(JSON.stringify(wrong.body)).not.to.include(SECRET);
  });

  it('refuses a form that lacks a field, repeats one, or requests another grant', async () => {
    for (const field of ['grant_type', 'client_id', 'client_secret'] as const) {
      const { [field]: _, ...rest } = right();
      expectProblem(await requestToken(rest), 400, 'REQUEST_INVALID', field);
      expectProblem(
        await requestToken(`${new URLSearchParams(right())}&${field}=again`),
        400,
        'REQUEST_INVALID',
        field,
      );
    }
    expectProblem(await requestToken({ ...right(), grant_type: 'password' }), 400, 'REQUEST_INVALID', 'grant_type');
    expectProblem(await requestToken({ ...right(), client_secret: '' }), 400, 'REQUEST_INVALID', 'client_secret');
  });

  it('accepts the form only', async () => {
    expectProblem(await requestToken(right(), 'application/json'), 415, 'MEDIA_TYPE_UNSUPPORTED', 'content-type');
  });

  it('publishes the key that signed the token at /.well-known/jwks.json', async () => {
    const { body } = await requestToken(right());
    const jwks = await server.request('GET', '/.well-known/jwks.json', { as: null });
    const { kid } = decodeProtectedHeader(body.access_token);
    expect(jwks.body.keys.map((key: { kid: string }) => key.kid)).to.eql([kid]);
  });
});
