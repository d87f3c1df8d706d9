import { expect } from 'chai';
import { chooseTenant, toTenantChoice } from '../../../host/tenancy/chosenTenant.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { failureOf } from '../../support/refusals.ts';

/** A server's tenants by their names. */
const createLedger = (...names: readonly string[]): Parameters<typeof chooseTenant>[0] => {
  const toIdentity = (name: string): string => `tenant/${name}`;
  const view = {
    readTenantIdentity: async (name: string) => (names.includes(name) ? toIdentity(name) : undefined),
    readTenant: async (identity: string) => {
      const name = identity.slice('tenant/'.length);
      return names.includes(name) ? { display_name: name } : undefined;
    },
  };
  return {
    view,
    wallets: { tenantIdentities: () => [...names, 'requested'].map(toIdentity) },
    serving: { regardless: [], read: () => undefined },
  } as unknown as Parameters<typeof chooseTenant>[0];
};

describe('the tenant of a command', () => {
  it('is the one that is named, else the first one of a ledger, else the only one', async () => {
    const choose = async (name: string | undefined, ...names: readonly string[]): Promise<string> =>
      (await chooseTenant(createLedger(...names), toTenantChoice(name))).name;
    expect(await choose('alpha', 'alpha', 'default')).to.equal('alpha');
    expect(await choose(undefined, 'alpha', 'default')).to.equal('default');
    expect(await choose(undefined, 'alpha')).to.equal('alpha');
  });

  it('has to be named where there are several, and exists', async () => {
    const refuse = async (name: string | undefined, ...names: readonly string[]) =>
      (await failureOf(chooseTenant(createLedger(...names), toTenantChoice(name)))) as LedgerError;
    const several = await refuse(undefined, 'beta', 'alpha');
    expect([several.code, several.message.includes('--tenant: "alpha", "beta"')]).to.deep.equal([
      'TENANT_NOT_FOUND',
      true,
    ]);
    expect((await refuse(undefined)).code).to.equal('TENANT_NOT_FOUND');
    const other = await refuse('default', 'alpha');
    expect([other.code, other.message.includes('"alpha"')]).to.deep.equal(['TENANT_NOT_FOUND', true]);
  });
});
