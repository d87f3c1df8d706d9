// Applications and tenants from their first version to their last, committed or not.
import { expect } from 'chai';
import { toApplicationIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import type { ApplicationRecord } from '../../../ledger/records/application.ts';
import { ALPHA, anApplicationRecord, aTenantRecord, BETA, uuidOf } from '../../support/records.ts';
import { readPages, useView } from '../../support/viewFixture.ts';

const SECOND_FORM = {
  custom_claims: { site: 'north' },
  secret_valid_from: '2026-11-20T11:00:00.000Z',
  is_deleted: false,
};

const version = (application: number, number: number, fields: Partial<ApplicationRecord> = {}): ApplicationRecord =>
  anApplicationRecord(application, {
    identity: toVersionIdentity(toApplicationIdentity(uuidOf(application)), uuidOf(number)),
    display_name: `version ${number}`,
    ...fields,
  });
const deletion = (application: number, number: number) => version(application, number, { is_deleted: true });

describe('applications of a ledger view', () => {
  const fixture = useView(({ mine }) =>
    mine({ record: aTenantRecord(ALPHA) }, { tenantIdentity: BETA, record: aTenantRecord(BETA) }),
  );

  const read = async (application: number) => (await fixture.view.readApplication(uuidOf(application)))?.application;
  const list = async (tenant = ALPHA): Promise<string[]> => {
    const pages = await readPages((page) => fixture.view.listApplications(tenant, { fields: [] }, page), 2);
    return pages.flatMap(({ items }) => items.map(({ identity, display_name: name }) => `${identity.at(-1)}: ${name}`));
  };

  it('are shown in their newest version, with the fields that the first form lacked', async () => {
    await fixture.mine({ record: version(1, 1, { roles: [] }) }, { record: version(2, 1, SECOND_FORM) });
    expect(await read(1)).to.deep.equal({
      identity: toApplicationIdentity(uuidOf(1)),
      display_name: 'version 1',
      roles: [],
      custom_claims: {},
      secret_sha256: '5e'.repeat(32),
      secret_valid_from: '2026-11-20T12:00:00.000Z',
    });
    const { custom_claims, secret_valid_from } = SECOND_FORM;
    expect(await read(2)).to.deep.include({ custom_claims, secret_valid_from });
    await fixture.mine({ record: version(2, 2) });
    expect(await list()).to.deep.equal(['2: version 2', '1: version 1']);
  });

  it('are missing once they are deleted, committed or not, and found again when the chain refuses the deletion', async () => {
    await fixture.mine({ record: version(1, 1) }, { record: version(2, 1) }, { record: version(3, 1) });
    await fixture.mine({ record: deletion(1, 2) });
    fixture.pend(deletion(2, 2));
    fixture.pend(deletion(3, 2), { status: 'FAILED' });
    expect([await read(1), await read(2)]).to.deep.equal([undefined, undefined]);
    expect((await read(3))?.display_name).to.equal('version 1');
    expect(await list()).to.deep.equal(['3: version 1']);
  });

  it('that are uncommitted are found by their client id, and missing when creation and deletion are both uncommitted', async () => {
    fixture.pend(version(1, 1));
    fixture.pend(version(2, 1), { tenantIdentity: BETA });
    expect((await fixture.view.readApplication(uuidOf(2)))?.tenantIdentity).to.equal(BETA);
    expect([await list(), await list(BETA)]).to.deep.equal([['1: version 1'], ['2: version 1']]);
    fixture.pend(deletion(1, 2));
    expect([await read(1), await list()]).to.deep.equal([undefined, []]);
  });

  it('that the chain refused are missing', async () => {
    fixture.pend(version(1, 1), { status: 'FAILED' });
    expect([await read(1), await list()]).to.deep.equal([undefined, []]);
  });

  it('belong to the first tenant that used their client id, also against uncommitted ones', async () => {
    await fixture.mine({ record: version(1, 1) });
    fixture.pend(version(1, 2), { tenantIdentity: BETA });
    await fixture.mine({ tenantIdentity: BETA, record: deletion(1, 3) });
    expect((await fixture.view.readApplication(uuidOf(1)))?.tenantIdentity).to.equal(ALPHA);
    expect([await list(), await list(BETA)]).to.deep.equal([['1: version 1'], []]);
  });

  it('are, like tenants, in the newest version of the chain when that is newer than the outbox', async () => {
    fixture.pend(version(1, 1));
    fixture.pend(aTenantRecord(ALPHA, { identity: toVersionIdentity(ALPHA, uuidOf(2)), display_name: 'waited' }));
    await fixture.mine(
      { record: version(1, 1) },
      { record: version(1, 2) },
      { record: aTenantRecord(ALPHA, { identity: toVersionIdentity(ALPHA, uuidOf(2)), display_name: 'waited' }) },
      {
        record: aTenantRecord(ALPHA, {
          identity: toVersionIdentity(ALPHA, uuidOf(3)),
          display_name: 'by another writer',
        }),
      },
    );
    expect((await read(1))?.display_name).to.equal('version 2');
    expect((await fixture.view.readTenant(ALPHA))?.display_name).to.equal('by another writer');
  });

  it('of a tenant contain nothing that another tenant wrote, committed or not', async () => {
    const forged = aTenantRecord(ALPHA, { identity: toVersionIdentity(ALPHA, uuidOf(9)), display_name: 'forged' });
    fixture.pend(forged, { tenantIdentity: BETA });
    expect((await fixture.view.readTenant(ALPHA))?.display_name).to.equal(`name of ${ALPHA}`);
    await fixture.mine({ tenantIdentity: BETA, record: forged });
    expect((await fixture.view.readTenant(ALPHA))?.display_name).to.equal(`name of ${ALPHA}`);
  });
});
