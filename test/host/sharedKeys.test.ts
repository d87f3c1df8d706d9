// What all servers of an organisation use: the keys of tokens, and the secret of page tokens.
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Keyring, openKeyring } from '../../host/keyring.ts';
import { createTokenAuthority } from '../../server/auth/tokens/tokenAuthority.ts';
import { createPageTokens } from '../../server/lists/pageTokens.ts';

const NAME = 'token-signing';
const SUBJECT = { tenantIdentity: 'tenant/00000000-0000-4000-8000-000000000001', subject: 's', name: 'n' } as const;
const SCOPE = 'assets of a tenant';
const PAGE = { filters: {}, pageSize: null, position: '7' };

const newKey = async (): Promise<JWK> => exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);

describe('the shared keys of an organisation', () => {
  let directory: string;
  let shared: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'provenance-test-'));
    shared = join(directory, 'shared');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const openServer = (name: string, sharedDirectory = shared) => openKeyring(join(directory, name), sharedDirectory);
  // All servers of a ledger have the same issuer and audience.
  const openAuthority = async (keyring: Keyring) => {
    const [privateKeyJwk, ...otherKeyJwks] = await keyring.openSigningKeys(NAME);
    let uuids = 0;
    const newUuid = () => {
      uuids += 1;
      return String(uuids);
    };
    return createTokenAuthority({ privateKeyJwk, otherKeyJwks, issuer: 'i', audience: 'i', now: Date.now, newUuid });
  };
  type Authority = Awaited<ReturnType<typeof openAuthority>>;
  const issue = async (authority: Authority): Promise<string> => {
    const subject = {
      ...SUBJECT,
      roles: ['reader'],
      customClaims: {},
      clientId: undefined,
      secretId: undefined,
    } as const;
    return (await authority.issue(subject)).token;
  };
  const codeOf = (verified: Promise<unknown>): Promise<string> =>
    verified.then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );
  const writeKeys = (...keys: JWK[]) =>
    writeFile(join(shared, `${NAME}.jwk`), JSON.stringify({ keys }), { mode: 0o600 });

  it('make the tokens and page tokens of one server valid on the other', async () => {
    const [one, other] = [await openServer('one'), await openServer('other')];
    const token = await issue(await openAuthority(one));
    expect(await codeOf((await openAuthority(other)).verify(token))).to.equal('accepted');
    const page = createPageTokens(await one.openSecret('page-token')).encode(SCOPE, PAGE);
    expect(createPageTokens(await other.openSecret('page-token')).decode(SCOPE, page)).to.deep.equal(PAGE);
    expect(await readdir(join(directory, 'one'))).to.deep.equal([]);
  });

  it('are not those of another organisation: each refuses the tokens and page tokens of the other', async () => {
    const [one, foreign] = [await openServer('one'), await openServer('foreign', join(directory, 'elsewhere'))];
    const [ours, theirs] = [await openAuthority(one), await openAuthority(foreign)];
    expect(ours.issuer).to.equal(theirs.issuer);
    expect(await codeOf(theirs.verify(await issue(ours)))).to.equal('UNAUTHENTICATED');
    expect(await codeOf(ours.verify(await issue(theirs)))).to.equal('UNAUTHENTICATED');
    const page = createPageTokens(await one.openSecret('page-token')).encode(SCOPE, PAGE);
    const tokens = createPageTokens(await foreign.openSecret('page-token'));
    expect(() => tokens.decode(SCOPE, page))
      .to.throw()
      .with.property('code', 'PAGE_TOKEN_INVALID');
  });

  it('are created once, also by many servers at the same moment', async () => {
    const keyrings = await Promise.all(Array.from({ length: 12 }, (_, at) => openServer(`server-${at}`)));
    const keys = await Promise.all(keyrings.map((keyring) => keyring.openSigningKeys(NAME)));
    const secrets = await Promise.all(keyrings.map((keyring) => keyring.openSecret('page-token')));
    expect(new Set(keys.map((key) => JSON.stringify(key)))).to.have.property('size', 1);
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex')))).to.have.property('size', 1);
    expect((await readdir(shared)).sort()).to.deep.equal(['page-token.secret', `${NAME}.jwk`]);
    expect((await stat(join(shared, `${NAME}.jwk`))).mode & 0o777).to.equal(0o600);
  });

  it('are replaced step by step without a refused token, while servers have different steps', async () => {
    const [older, newer] = [await newKey(), await newKey()];
    const keyring = await openServer('one');
    const steps: Authority[] = [];
    for (const keys of [[older], [older, newer], [newer, older]]) {
      await writeKeys(...keys);
      steps.push(await openAuthority(keyring));
    }
    await writeKeys(newer);
    const last = await openAuthority(keyring);
    // Servers restart one after the other, so two neighbouring steps are in use at once.
    for (const [before, after] of [steps.slice(0, 2), steps.slice(1, 3), [steps[2], last]] as Authority[][]) {
      expect(await codeOf(before!.verify(await issue(after!)))).to.equal('accepted');
      if (after !== last) expect(await codeOf(after!.verify(await issue(before!)))).to.equal('accepted');
    }
    expect(await codeOf(last.verify(await issue(steps[0]!)))).to.equal('UNAUTHENTICATED');
    expect(await codeOf(steps[0]!.verify(await issue(last)))).to.equal('UNAUTHENTICATED');
    expect(steps[1]!.jwks().keys.map(({ x }) => x)).to.deep.equal([older.x, newer.x]);
    expect(JSON.stringify(steps[1]!.jwks())).to.not.include('"d"');
  });

  it('are refused when others can read them, or the file is damaged', async () => {
    const keyring = await openServer('one');
    await keyring.openSigningKeys(NAME);
    const path = join(shared, `${NAME}.jwk`);
    const text = await readFile(path, 'utf8');
    await chmod(path, 0o644);
    const messageOf = () => keyring.openSigningKeys(NAME).then(String, (error: Error) => error.message);
    expect(await messageOf()).to.include('chmod 600');
    await chmod(path, 0o600);
    for (const damaged of ['', text.slice(1), '{"keys":[]}', '{"keys":{}}']) {
      await writeFile(path, damaged);
      expect(await messageOf()).to.include('damaged');
    }
  });
});
