import { expect } from 'chai';
import fc from 'fast-check';
import type { LedgerError } from '../../../ledger/errors.ts';
import { assertCustomClaims, CLAIMS_BYTES_MAX, isCustomClaimName } from '../../../ledger/tenancy/customClaims.ts';

// Claims of RFC 7519 section 4.1, RFC 8693 section 4, RFC 9068 section 2.2 and OpenID Connect Core 5.1, and of this
// server.
const MEANT =
  'iss sub aud exp nbf iat jti act scope client_id may_act auth_time acr amr roles groups entitlements name email ' +
  'preferred_username azp nonce cnf tenant tenant_id secret_id secret scp permissions';

const violationsOf = (claims: Record<string, string>): string[] => {
  try {
    assertCustomClaims(claims);
    return [];
  } catch (error) {
    expect((error as LedgerError).code).to.equal('APPLICATION_INVALID');
    return (error as LedgerError).violations.map(({ field }) => field);
  }
};

describe('custom claims', () => {
  it('have no reserved name, in any case of its letters', () => {
    for (const name of MEANT.split(' ')) {
      for (const written of [name, name.toUpperCase(), name[0]!.toUpperCase() + name.slice(1)]) {
        expect([written, isCustomClaimName(written)]).to.eql([written, false]);
      }
    }
  });

  it('have plain names', () => {
    for (const name of [
      'serial_number',
      'A',
      'https://doors.example/floor',
      'x-1.y:z',
      'subject_of_work',
      'x'.repeat(128),
    ]) {
      expect([name, isCustomClaimName(name)]).to.eql([name, true]);
    }
    const wrong = ['', '1', '_a', 'a b', 'a\n', 'é', 'a\0', '__proto__', 'constructor', 'a~', 'a"', 'x'.repeat(129)];
    for (const name of wrong) expect([name, isCustomClaimName(name)]).to.eql([name, false]);
  });

  it('are each refused by name', () => {
    expect(violationsOf({ fine: 'x', 'a/b~c': 'x', sub: 'x', 'd e': '' })).to.eql([
      'custom_claims/a~1b~0c',
      'custom_claims/sub',
      'custom_claims/d e',
    ]);
    expect(violationsOf(JSON.parse('{"__proto__":"x"}'))).to.eql(['custom_claims/__proto__']);
  });

  it('are limited by the bytes of their JSON', () => {
    const claims = (length: number) => ({ a: 'é'.repeat(10), b: 'x'.repeat(length) });
    const room = CLAIMS_BYTES_MAX - Buffer.byteLength(JSON.stringify(claims(0)));
    expect(violationsOf(claims(room))).to.eql([]);
    expect(violationsOf(claims(room + 1))).to.eql(['custom_claims']);
  });

  it('that are accepted are no claims of a token', () => {
    const own = new Set(MEANT.split(' '));
    const check = fc.property(fc.dictionary(fc.string(), fc.string()), (claims) => {
      if (violationsOf(claims).length > 0) return;
      expect(Object.keys(claims).filter((name) => own.has(name.toLowerCase()))).to.eql([]);
    });
    fc.assert(check);
  });
});
