import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { LedgerError } from '../../../ledger/errors.ts';
import { createPageTokens, type PageTokenContent } from '../../../server/lists/pageTokens.ts';

const SECRET = Buffer.alloc(32, 1);
const CONTENT: PageTokenContent = { filters: { order_by: 'DEFAULT' }, pageSize: null, position: 'here' };

describe('pageTokens', () => {
  const tokens = createPageTokens(SECRET);
  const expectRefused = (decode: () => unknown): void => {
    expect(decode)
      .to.throw(LedgerError)
      .that.deep.includes({ code: 'PAGE_TOKEN_INVALID' })
      .and.has.nested.property('violations[0].field', 'page_token');
  };

  it('carries any content, and needs no escaping in a URL', () => {
    const filters = fc.dictionary(fc.string(), fc.string());
    const pageSize = fc.option(fc.nat());
    const content = fc.record({ filters, pageSize, position: fc.string() }, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.string(), content, (scope, given) => {
        const token = tokens.encode(scope, given);
        expect(encodeURIComponent(token)).to.equal(token);
        expect(JSON.stringify(tokens.decode(scope, token))).to.equal(JSON.stringify(given));
      }),
    );
  });

  it('is refused when any bit of it is changed', () => {
    const bytes = Buffer.from(tokens.encode('scope', CONTENT), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expectRefused(() => tokens.decode('scope', changed.toString('base64url')));
    }
  });

  it('is refused at every other length', () => {
    const token = tokens.encode('scope', CONTENT);
    for (let length = 0; length < token.length; length += 1) {
      expectRefused(() => tokens.decode('scope', token.slice(0, length)));
    }
    for (const more of ['=', 'A', '!', ' ', '\n']) expectRefused(() => tokens.decode('scope', token + more));
  });

  it('is refused in another scope and under another secret', () => {
    const token = tokens.encode('scope', CONTENT);
    for (const scope of ['', 'scop', 'scope{', 'scopes']) expectRefused(() => tokens.decode(scope, token));
    expectRefused(() => createPageTokens(Buffer.alloc(32, 2)).decode('scope', token));
  });

  it('of the first version, which had no version, is refused', () => {
    const json = Buffer.from(JSON.stringify(CONTENT));
    const scopeMac = createHmac('sha256', SECRET).update('scope').digest();
    const mac = createHmac('sha256', SECRET).update(scopeMac).update(json).digest();
    for (const bytes of [Buffer.concat([mac, json]), Buffer.concat([Uint8Array.of(2), mac, json])])
      expectRefused(() => tokens.decode('scope', bytes.toString('base64url')));
  });

  it('of another version is refused, also with a MAC over that version', () => {
    const json = Buffer.from(JSON.stringify(CONTENT));
    const scopeMac = createHmac('sha256', SECRET).update('scope').digest();
    for (const version of [0, 1, 2, 4]) {
      const mac = createHmac('sha256', SECRET).update(scopeMac).update(Uint8Array.of(version)).update(json).digest();
      const token = Buffer.concat([Uint8Array.of(version), mac, json]).toString('base64url');
      expectRefused(() => tokens.decode('scope', token));
    }
  });

  it('needs a secret of 32 bytes', () => {
    expect(() => createPageTokens(Buffer.alloc(31))).to.throw(TypeError);
  });
});
