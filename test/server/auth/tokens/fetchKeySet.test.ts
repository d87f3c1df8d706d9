import { expect } from 'chai';
import { toIssuerUrl } from '../../../../server/auth/tokens/discovery.ts';
import { fetchKeySet } from '../../../../server/auth/tokens/fetchKeySet.ts';
import {
  DISCOVERY_PATH,
  KEYS_PATH,
  type Misbehaviour,
  type OidcIssuer,
  startOidcIssuer,
} from '../../../support/startOidcIssuer.ts';

describe('fetchKeySet', () => {
  let issuer: OidcIssuer;
  beforeEach(async () => {
    issuer = await startOidcIssuer();
  });
  afterEach(() => issuer.stop());

  const expectRefused = async (path: string, how: Misbehaviour): Promise<void> => {
    await issuer.misbehave(path, how);
    const error = await fetchKeySet(issuer.url).catch((refusal: unknown) => refusal);
    expect(error, JSON.stringify(how).slice(0, 100)).to.be.instanceOf(Error);
    await issuer.misbehave(path, undefined);
  };
  const discovery = (changes: object): Misbehaviour => ({
    body: JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}${KEYS_PATH}`, ...changes }),
  });

  it('finds the keys that an issuer publishes', async () => {
    const keys = await fetchKeySet(issuer.url);
    expect(await keys({ alg: 'ES256', kid: 'key-1' })).to.include({ type: 'public' });
  });

  it('refuses a discovery document of another issuer', async () => {
    for (const named of [`${issuer.url}/`, 'https://other.example', undefined, [issuer.url]]) {
      await expectRefused(DISCOVERY_PATH, discovery({ issuer: named }));
    }
    expect(await issuer.fetches()).to.equal(0);
  });

  it('fetches keys by https only, or on this machine for an issuer on this machine', async () => {
    const port = new URL(issuer.url).port;
    for (const uri of [
      'http://192.0.2.1/keys',
      'file:///etc/passwd',
      'data:application/json,{"keys":[]}',
      'keys',
      1,
      undefined,
    ]) {
      await expectRefused(DISCOVERY_PATH, discovery({ jwks_uri: uri }));
    }
    await expectRefused(DISCOVERY_PATH, discovery({ jwks_uri: `http://user:secret@127.0.0.1:${port}${KEYS_PATH}` }));
    expect(await issuer.fetches()).to.equal(0);
  });

  it('does not fetch keys on this machine for an issuer elsewhere', () => {
    const elsewhere = 'https://login.example';
    expect(toIssuerUrl('https://keys.example/k', 'jwks_uri', elsewhere).href).to.equal('https://keys.example/k');
    for (const host of ['localhost', '127.0.0.1', '127.1', '0x7f000001', '2130706433', '[::1]']) {
      expect(() => toIssuerUrl(`https://${host}/keys`, 'jwks_uri', elsewhere)).to.throw();
      expect(() => toIssuerUrl(`http://${host}/keys`, 'jwks_uri', elsewhere)).to.throw();
    }
  });

  it('follows no redirect', async () => {
    const location = `${issuer.url}${KEYS_PATH}`;
    for (const status of [301, 302, 307, 308])
      await expectRefused(KEYS_PATH, { status, headers: { location: `${location}?` } });
    for (const status of [302, 307]) await expectRefused(DISCOVERY_PATH, { status, headers: { location } });
    expect(await issuer.fetches()).to.equal(4);
  });

  it('refuses an error status, and a body that is not the expected document', async () => {
    for (const how of [
      { status: 500 },
      { status: 404, body: '{}' },
      { status: 204 },
      { body: '' },
      { body: '{' },
      { body: '[]' },
      { body: 'null' },
    ]) {
      await expectRefused(DISCOVERY_PATH, how);
      await expectRefused(KEYS_PATH, how);
    }
    for (const body of ['{}', '{"keys":{}}', '{"keys":[1]}']) await expectRefused(KEYS_PATH, { body });
  });

  it('reads a limited number of bytes of any document', async () => {
    const filler = ' '.repeat(262_144);
    await expectRefused(KEYS_PATH, { body: `{"keys":[]${filler}}` });
    await expectRefused(DISCOVERY_PATH, { body: `${discovery({}).body}${filler}` });
  });

  it('aborts an endless response', async () => {
    await expectRefused(KEYS_PATH, { endless: true });
  });

  it('rejects when the issuer does not answer', async () => {
    await issuer.stop();
    const error = await fetchKeySet(issuer.url).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(Error);
  });
});
