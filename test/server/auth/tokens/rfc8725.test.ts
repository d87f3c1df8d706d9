// Attacks on the keys, algorithms and signatures of JWTs, over HTTP: those in RFC 8725, and those known since. Tokens
// are forged with the issuer's own key where that strengthens the attack. Numbers are sections of RFC 8725.
import { type JsonWebKey as CryptoJwk, createHmac, createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { forEveryIssuer } from '../../support/everyIssuer.ts';
import { forge, signEs256, signParts, type TokenMembers, toPart } from '../../support/forgers.ts';

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

forEveryIssuer('RFC 8725', (fixture) => {
  it('accepts the valid token', () => fixture().expectAccepted(fixture().good));

  it('3.1: refuses a token without a signature, for any spelling of `none`', async () => {
    const { forger, expectRefused, good } = fixture();
    const parts = good.split('.') as [string, string, string];
    for (const alg of ['none', 'None', 'NONE', 'nOnE', ' none', '', null, 0, undefined, ['none'], ['ES256']]) {
      const text = `${toPart({ ...forger.header(), alg })}.${parts[1]}`;
      for (const signature of ['', parts[2], 'AA']) await expectRefused(`${text}.${signature}`);
      await expectRefused(`${text}.${await forger.sign(text)}`);
    }
    await expectRefused(`${parts[0]}.${parts[1]}.`);
  });

  it('3.1: refuses HMAC with any public value as its secret', async () => {
    const { forger, expectRefused, good } = fixture();
    const parts = good.split('.') as [string, string, string];
    const key = createPublicKey({ key: forger.publicJwk as CryptoJwk, format: 'jwk' });
    const pem = key.export({ type: 'spki', format: 'pem' }).toString();
    const { x, n } = forger.publicJwk;
    const secrets = [pem, pem.trim(), JSON.stringify(forger.publicJwk), JSON.stringify({ keys: [forger.publicJwk] })];
    const raw = [key.export({ type: 'spki', format: 'der' }), Buffer.from((x ?? n)!, 'base64url'), '', 'secret'];
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      const text = `${toPart({ ...forger.header(), alg })}.${parts[1]}`;
      for (const secret of [...secrets, ...raw]) {
        await expectRefused(`${text}.${createHmac(hash, secret).update(text).digest('base64url')}`);
      }
    }
  });

  it('3.1: refuses every algorithm that the issuer and the key do not have', async () => {
    const { forger, expectRefused } = fixture();
    const others = ['ES256', 'RS256', 'PS256', 'ES384', 'ES256K', 'EdDSA', 'RS1', 'ES256 ', 'es256', 'dir', 'RSA-OAEP'];
    for (const alg of others.filter((name) => name !== forger.publicJwk.alg)) {
      await expectRefused(await forge(forger, {}, { alg }));
    }
  });

  it('3.2: refuses invalid signatures, and signatures of other content', async () => {
    const { forger, expectRefused, good } = fixture();
    const parts = good.split('.') as [string, string, string];
    const other = (await forge(forger, { sub: 'mallory' })).split('.');
    const bytes = Buffer.from(parts[2], 'base64url');
    const flipped = Buffer.from(bytes);
    flipped[0]! ^= 1;
    for (const signature of [flipped, Buffer.alloc(bytes.length), bytes.subarray(1), Buffer.concat([bytes, bytes])]) {
      await expectRefused(`${parts[0]}.${parts[1]}.${toPart(signature)}`);
    }
    await expectRefused(`${parts[0]}.${other[1]}.${parts[2]}`);
    await expectRefused(`${other[0]}.${parts[1]}.${other[2]}`);
  });

  it('refuses tokens of one issuer that another issuer signed', async () => {
    const { server, forger, forgers, expectRefused } = fixture();
    for (const other of forgers.filter((one) => one !== forger)) {
      server.clock.atMs += 10_000;
      await expectRefused(await signParts(other, JSON.stringify(other.header()), JSON.stringify(forger.claims())));
      await expectRefused(
        await signParts(
          { ...forger, sign: other.sign },
          JSON.stringify(forger.header()),
          JSON.stringify(forger.claims()),
        ),
      );
    }
  });

  // (r, n - s) is a valid signature whenever (r, s) is. Both tokens have the same content, and a token is not
  // identified by its text.
  it('accepts the second ECDSA signature of a token as the same token', async () => {
    const { server, forger, good, expectAccepted } = fixture();
    const parts = good.split('.') as [string, string, string];
    if (forger.publicJwk.kty !== 'EC') return;
    const bytes = Buffer.from(parts[2], 'base64url');
    const s = P256_ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
    const token = `${parts[0]}.${parts[1]}.${toPart(other)}`;
    await expectAccepted(token);
    expect(await server.tokens.verify(token)).to.eql(await server.tokens.verify(good));
  });

  it('3.5, 3.10: finds no key by a `kid` that is a path, a query or a URL', async () => {
    const { server, forger, forgers } = fixture();
    const kids = forgers.map(({ publicJwk }) => publicJwk.kid).filter((kid) => kid !== forger.publicJwk.kid);
    const odd = [
      '../../../../dev/null',
      '/dev/null',
      'key.pem\0',
      "' OR '1'='1",
      'x; rm -rf /',
      'http://127.0.0.1/k',
      'key-1 ',
    ];
    const names = ['__proto__', 'constructor', 'x'.repeat(257), 'x'.repeat(4000), '', ...kids];
    // None of them is known: 401 if a fetch has confirmed that, else 503.
    for (const kid of [...odd, ...names, 1, null, ['key-1'], { kid: 'key-1' }]) {
      const { status, body } = await server.get(await forge(forger, {}, { kid }));
      expect([status, body.details[0].error]).to.be.deep.oneOf([
        [401, 'UNAUTHENTICATED'],
        [503, 'ISSUER_UNAVAILABLE'],
      ]);
      server.clock.atMs += 10_000;
    }
  });

  it('3.10: trusts no key in a token, and fetches no URL in it', async () => {
    const { forger, expectRefused, good } = fixture();
    const { expectAccepted, server } = fixture();
    const parts = good.split('.') as [string, string, string];
    let visits = 0;
    const trap = createServer((_request, response) => {
      visits += 1;
      response.end(JSON.stringify({ keys: [] }));
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/keys`;
    const pair = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    const privateJwk: JWK = await exportJWK(pair.privateKey);
    const headers: TokenMembers[] = [{ jwk }, { jku: url }, { x5u: url }, { x5c: ['AAAA'] }];
    for (const header of headers) {
      // Then a fetch confirms that a key is unknown.
      server.clock.atMs += 10_000;
      const text = `${toPart({ ...forger.header(), alg: 'ES256', ...header })}.${parts[1]}`;
      await expectRefused(`${text}.${signEs256(text, privateJwk)}`);
      // They are ignored.
      await expectAccepted(await forge(forger, {}, header));
    }
    // The issuer of a token is looked up in a list; its URL is never fetched.
    await expectRefused(await forge(forger, { iss: url }));
    trap.close();
    expect(visits).to.equal(0);
  });

  it('refuses critical header parameters that it does not support, including unencoded payloads', async () => {
    const { forger, expectRefused } = fixture();
    await expectRefused(await forge(forger, {}, { crit: ['exp'], exp: 1 }));
    await expectRefused(await forge(forger, {}, { crit: [] }));
    await expectRefused(await forge(forger, {}, { b64: false, crit: ['b64'] }));
    await expectRefused(await forge(forger, {}, { b64: true, crit: ['b64'] }));
    await expectRefused(await forge(forger, {}, { b64: false }));
    await expectRefused(await forge(forger, {}, { zip: 'DEF' }));
  });
});
