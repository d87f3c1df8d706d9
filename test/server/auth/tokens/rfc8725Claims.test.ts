// Attacks on the serialization and the claims of JWTs, over HTTP: those in RFC 8725, and those known since. Tokens are
// forged with the issuer's own key where that strengthens the attack. Numbers are sections of RFC 8725.
import { forEveryIssuer } from '../../support/everyIssuer.ts';
import { forge, signParts, toPart } from '../../support/forgers.ts';

forEveryIssuer('RFC 8725, claims', (fixture) => {
  it('3.3, 2.3: refuses tokens that are encrypted or nested, or contain no set of claims', async () => {
    const { forger, good, expectRefused } = fixture();
    await expectRefused(await signParts(forger, JSON.stringify({ ...forger.header(), cty: 'JWT' }), good));
    for (const payload of [good, `"${good}"`, '[]', 'null', '1', '', '{', `[${JSON.stringify(forger.claims())}]`]) {
      await expectRefused(await signParts(forger, JSON.stringify(forger.header()), payload));
    }
    const encrypted = toPart({ alg: 'ECDH-ES', enc: 'A256GCM' });
    await expectRefused(`${encrypted}..AAAA.AAAA.AAAA`);
    await expectRefused(await forge(forger, {}, { enc: 'A256GCM' }));
  });

  it('3.4, 2.6: refuses JSON that parsers interpret differently', async () => {
    const { forger, expectRefused } = fixture();
    const header = JSON.stringify(forger.header());
    const claims = JSON.stringify(forger.claims());
    const twice = (json: string, member: string) => json.replace('{', `{${member},`);
    for (const member of ['"sub":"mallory"', '"su\\u0062":"mallory"', '"exp":9999999999', '"roles":["writer"]']) {
      await expectRefused(await signParts(forger, header, twice(claims, member)));
      await expectRefused(await signParts(forger, header, claims.replace(/}$/, `,${member}}`)));
    }
    await expectRefused(await signParts(forger, header, twice(claims, '"x":{"a":1,"a":2}')));
    for (const member of ['"alg":"none"', '"kid":"x"', '"al\\u0067":"HS256"']) {
      await expectRefused(await signParts(forger, twice(header, member), claims));
    }
    const bytes = Buffer.from(claims);
    for (const payload of [
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      Buffer.concat([bytes, Buffer.from([0])]),
      Buffer.from(claims.replace('"jti":"a"', '"jti":"\xff"'), 'latin1'),
      Buffer.from(claims, 'utf16le'),
      Buffer.concat([bytes, bytes]),
    ]) {
      await expectRefused(await signParts(forger, header, payload));
    }
  });

  it('refuses other serializations of the same token', async () => {
    const { good, expectRefusedInside, expectRefused } = fixture();
    const parts = good.split('.') as [string, string, string];
    const [header, payload, signature] = parts;
    const last = signature.at(-1)!;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sameBytes = alphabet[alphabet.indexOf(last) + 1]!;
    for (const token of [
      `${good}=`,
      `${good}==`,
      `${header}=.${payload}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}${sameBytes}`,
      `${good}.`,
      `${good}.${signature}`,
      `.${good}`,
      `${header}..${signature}`,
      `${header}.${payload}`,
      good.replaceAll('-', '+').replaceAll('_', '/').replace('.', '+.'),
    ]) {
      await expectRefused(token);
    }
    for (const token of [
      ` ${good}`,
      `${good}\n`,
      `${header}.\n${payload}.${signature}`,
      `${header} .${payload}.${signature}`,
    ]) {
      await expectRefusedInside(token);
    }
    await expectRefusedInside(JSON.stringify({ protected: header, payload, signature }));
  });

  it('3.8: refuses another issuer, and an invalid subject', async () => {
    const { forger, forgers, expectRefused } = fixture();
    const { issuer } = forger;
    const others = forgers.map((one) => one.issuer).filter((one) => one !== issuer);
    for (const iss of [
      ...others,
      undefined,
      null,
      '',
      [issuer],
      `${issuer}/`,
      issuer.toUpperCase(),
      `${issuer} `,
      'https://accounts.google.com',
    ]) {
      await expectRefused(await forge(forger, { iss }));
    }
    for (const sub of [undefined, null, 1, ['a'], { sub: 'a' }]) await expectRefused(await forge(forger, { sub }));
  });

  it('3.9: refuses other audiences', async () => {
    const { forger, expectAccepted, expectRefused } = fixture();
    const { aud } = forger.claims();
    for (const other of [undefined, null, '', 1, {}, [], [[aud]], 'x', ['x', 'y'], `${aud}/`, `${aud} x`]) {
      await expectRefused(await forge(forger, { aud: other }));
    }
    await expectAccepted(await forge(forger, { aud: ['x', aud] }));
  });

  it('refuses a token that has expired, is not valid yet, or never expires', async () => {
    const { forger, nowSeconds, expectRefused } = fixture();
    const now = nowSeconds;
    for (const exp of [now - 31, 0, -1, undefined, null, `${now + 60}`, [now + 60], true]) {
      await expectRefused(await forge(forger, { exp }));
    }
    for (const iat of [now + 60, undefined, null, `${now}`, now - 90_000])
      await expectRefused(await forge(forger, { iat }));
    for (const nbf of [now + 60, `${now}`, null]) await expectRefused(await forge(forger, { nbf }));
    const endless = JSON.stringify(forger.claims()).replace(/"exp":\d+/, '"exp":1e999');
    await expectRefused(await signParts(forger, JSON.stringify(forger.header()), endless));
  });

  it('accepts a token issued seconds ahead of the clock, and refuses one issued a minute ahead', async () => {
    const { forger, nowSeconds, expectAccepted, expectRefused } = fixture();
    const ahead = await forge(forger, { iat: nowSeconds + 20, nbf: nowSeconds + 20, exp: nowSeconds + 620 });
    await expectAccepted(ahead);
    await expectRefused(await forge(forger, { iat: nowSeconds + 60, exp: nowSeconds + 660 }));
  });

  it('refuses huge tokens, and accepts deeply nested ones', async () => {
    const { forger, expectAccepted, expectRefusedInside, expectRefused } = fixture();
    await expectAccepted(await forge(forger, { pad: 'x'.repeat(24_000) }));
    await expectRefused(await forge(forger, { pad: 'x'.repeat(26_000) }));
    await expectRefusedInside(await forge(forger, { pad: 'x'.repeat(1_000_000) }));
    await expectRefusedInside(`${'a'.repeat(1_000_000)}.b.c`);
    const deep = `${'['.repeat(1500)}${']'.repeat(1500)}`;
    const claims = JSON.stringify(forger.claims()).replace('{', `{"deep":${deep},`);
    await expectAccepted(await signParts(forger, JSON.stringify(forger.header()), claims));
  });

  it('3.11, 3.12: accepts access tokens only', async () => {
    const { forger, expectAccepted, expectRefused } = fixture();
    for (const typ of [
      undefined,
      'JWT',
      'jwt',
      'logout+jwt',
      'dpop+jwt',
      'secevent+jwt',
      '',
      'at+jwt+x',
      1,
      ['at+jwt'],
    ]) {
      await expectRefused(await forge(forger, {}, { typ }));
    }
    for (const typ of ['AT+JWT', 'application/at+jwt']) await expectAccepted(await forge(forger, {}, { typ }));
  });
});
