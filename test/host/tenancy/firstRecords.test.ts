import { expect } from 'chai';
import { assertNewTenant, newFirstRecords, toFirstRecords } from '../../../host/tenancy/firstRecords.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { ALPHA } from '../../support/records.ts';

const ROOT = { issuer: 'https://idp.example', subject: 'ann' };

describe('a new tenant', () => {
  const fieldOf = (name: string, root?: typeof ROOT): string | undefined => {
    try {
      assertNewTenant({ name, root });
      return undefined;
    } catch (error) {
      const { code, violations } = error as LedgerError;
      return `${code} ${violations[0]?.field}`;
    }
  };

  it('has a name of 1 to 63 letters, digits, spaces and marks', () => {
    for (const name of ['a', '7', 'Alpha 1._-', 'x'.repeat(63)]) expect(fieldOf(name), name).to.equal(undefined);
    for (const name of ['', ' a', '-a', 'a/b', 'é', 'x'.repeat(64)])
      expect(fieldOf(name), name).to.equal('REQUEST_INVALID name');
  });

  it('has a root principal whose issuer and subject have 1 to 1,024 characters', () => {
    const [longest, long] = ['x'.repeat(1_024), 'x'.repeat(1_025)];
    for (const root of [ROOT, { issuer: longest, subject: longest }]) expect(fieldOf('a', root)).to.equal(undefined);
    for (const changes of [{ issuer: '' }, { subject: '' }, { issuer: long }, { subject: long }])
      expect(fieldOf('a', { ...ROOT, ...changes })).to.equal('REQUEST_INVALID root');
  });

  it('begins with a tenant and an application, whose secret is known by its hash alone', () => {
    const { first, clientSecret } = newFirstRecords({ name: 'Alpha', root: ROOT });
    const origin = { tenantIdentity: ALPHA, issuer: 'https://ledger.example', timestamp: '2026-01-01T00:00:00.000Z' };
    const { tenant, application } = toFirstRecords(first, origin);
    expect(tenant.display_name).to.equal('Alpha');
    expect(tenant.root_principals.map(({ issuer, subject }) => [issuer, subject])).to.eql([
      ['https://ledger.example', `root@${ALPHA}`],
      ['https://idp.example', 'ann'],
    ]);
    expect(application).to.deep.include({ roles: ['writer', 'administrator'], is_deleted: false });
    expect(JSON.stringify([first, tenant, application])).to.not.include(clientSecret);
    const without = toFirstRecords(newFirstRecords({ name: 'Alpha' }).first, origin);
    expect(without.tenant.root_principals).to.have.length(1);
  });
});
