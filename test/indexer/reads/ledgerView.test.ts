import { expect } from 'chai';
import type { AssetQuery, EventQuery } from '../../../indexer/ledgerView.ts';
import type { UncommittedRecord } from '../../../indexer/reads/uncommitted.ts';
import { toVersionIdentity } from '../../../ledger/identity.ts';
import { AUTHOR_CHECKSUMMED, BEFORE_COMMIT } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aBuiltin,
  aCreation,
  anApplicationRecord,
  anEvent,
  assetOf,
  aTenantRecord,
  BETA,
  eventOf,
  SETTINGS,
  uuidOf,
} from '../../support/records.ts';
import { useView } from '../../support/viewFixture.ts';

const PAGE = { limit: 100, position: undefined, isCounted: true };
const ASSETS: AssetQuery = { tracked: 'TRACKED', attributes: [], fields: [], order: 'newest' };
const eventsOf = (assetUuid: string | undefined): EventQuery => ({
  assetUuid,
  attributes: [],
  fields: [],
  times: [],
  order: 'newest',
});
const creation = aCreation({ asset_attributes: { colour: 'red' } });
const event = anEvent({ asset_attributes: { weight: '1' } });

describe('ledger view', () => {
  const fixture = useView(({ mine }) =>
    mine({ record: aTenantRecord(ALPHA) }, { tenantIdentity: BETA, record: aTenantRecord(BETA) }),
  );

  const readAsset = (tenant = ALPHA) => fixture.view.readAsset(tenant, uuidOf(1));
  const readEvent = (number: number, tenant = ALPHA) => fixture.view.readEvent(tenant, uuidOf(1), uuidOf(number));
  const listAssets = async (tenant = ALPHA) => (await fixture.view.listAssets(tenant, ASSETS, PAGE)).items;
  const listEvents = async (tenant = ALPHA, asset: string | undefined = uuidOf(1)) =>
    (await fixture.view.listEvents(tenant, eventsOf(asset), PAGE)).items.map(
      (each) => `${each.identity} ${each.confirmation_status}`,
    );

  describe('of committed records', () => {
    beforeEach(() => fixture.mine({ record: creation }, { record: event }));

    it('reads the asset with its events applied', async () => {
      expect(await readAsset()).to.deep.equal({
        identity: assetOf(1),
        tenant_identity: ALPHA,
        owner: AUTHOR_CHECKSUMMED,
        confirmation_status: 'CONFIRMED',
        state: { ...SETTINGS, attributes: { colour: 'red', weight: '1' }, tracked: 'TRACKED' },
      });
      expect(await listAssets()).to.deep.equal([await readAsset()]);
    });

    it('reads the asset in the state of its creation', async () => {
      await fixture.mine({ record: aBuiltin('StopTracking') });
      const created = await fixture.view.readCreatedAsset(ALPHA, uuidOf(1));
      expect(created).to.deep.equal({
        ...(await readAsset()),
        state: { ...SETTINGS, attributes: { colour: 'red' }, tracked: 'TRACKED' },
      });
    });

    it('reads an event with its place in the chain', async () => {
      const { type: _, ...fields } = event;
      expect(await readEvent(1)).to.deep.equal({
        ...fields,
        asset_identity: assetOf(1),
        tenant_identity: ALPHA,
        confirmation_status: 'CONFIRMED',
        timestamp_committed: '2026-11-20T12:00:02Z',
        block_number: 2,
        transaction_index: 0,
        log_index: 1,
        transaction_id: `0x${'2'.padStart(64, '0')}`,
        from: AUTHOR_CHECKSUMMED,
      });
      expect((await fixture.view.listEvents(ALPHA, eventsOf(uuidOf(1)), PAGE)).items[0]).to.deep.equal(
        await readEvent(1),
      );
    });

    it('does not list an asset that is not tracked, and reads it and its events', async () => {
      await fixture.mine({ record: aBuiltin('StopTracking') });
      expect(await listAssets()).to.deep.equal([]);
      expect((await readAsset())?.state.tracked).to.equal('NOT_TRACKED');
      expect(await listEvents()).to.have.length(3);
      await fixture.mine({ record: aBuiltin('StartTracking', undefined, { identity: eventOf(1, 3) }) });
      expect(await listAssets()).to.have.length(1);
    });

    it('finds nothing that does not exist', async () => {
      expect(await fixture.view.readAsset(ALPHA, uuidOf(2))).to.equal(undefined);
      expect(await fixture.view.readCreatedAsset(ALPHA, uuidOf(2))).to.equal(undefined);
      expect(await readEvent(9)).to.equal(undefined);
      expect(await fixture.view.readEvent(ALPHA, uuidOf(2), uuidOf(1))).to.equal(undefined);
      expect(await fixture.view.listEvents(ALPHA, eventsOf(uuidOf(2)), PAGE)).to.deep.equal({
        items: [],
        nextPosition: undefined,
        total: 0,
      });
    });

    it('shows, counts and reveals nothing to another tenant', async () => {
      fixture.pend(anEvent({ identity: eventOf(1, 5) }));
      fixture.pend(aCreation({ identity: eventOf(2, 0) }));
      expect(await readAsset(BETA)).to.equal(undefined);
      expect(await fixture.view.readCreatedAsset(BETA, uuidOf(1))).to.equal(undefined);
      for (const number of [0, 1, 5]) expect(await readEvent(number, BETA)).to.equal(undefined);
      const nothing = { items: [], nextPosition: undefined, total: 0 };
      expect(await fixture.view.listAssets(BETA, ASSETS, PAGE)).to.deep.equal(nothing);
      for (const asset of [undefined, uuidOf(1), uuidOf(2)]) {
        expect(await fixture.view.listEvents(BETA, eventsOf(asset), PAGE)).to.deep.equal(nothing);
      }
    });
  });

  describe('of uncommitted records', () => {
    it('shows a pending creation as an asset', async () => {
      fixture.pend(creation);
      expect(await readAsset()).to.deep.equal({
        identity: assetOf(1),
        tenant_identity: ALPHA,
        owner: '',
        confirmation_status: 'PENDING',
        state: { ...SETTINGS, attributes: { colour: 'red' }, tracked: 'TRACKED' },
      });
      expect(await fixture.view.readCreatedAsset(ALPHA, uuidOf(1))).to.deep.equal(await readAsset());
      expect(await listAssets()).to.deep.equal([await readAsset()]);
      expect(await listEvents()).to.deep.equal([`${eventOf(1, 0)} PENDING`]);
      expect(await readEvent(0)).to.deep.include({ confirmation_status: 'PENDING', ...BEFORE_COMMIT });
    });

    it('shows a pending event and its changes', async () => {
      await fixture.mine({ record: creation });
      fixture.pend(event);
      expect(await readAsset()).to.deep.include({ confirmation_status: 'CONFIRMED', owner: AUTHOR_CHECKSUMMED });
      expect((await readAsset())?.state.attributes).to.deep.equal({ colour: 'red', weight: '1' });
      expect((await fixture.view.readCreatedAsset(ALPHA, uuidOf(1)))?.state.attributes).to.deep.equal({
        colour: 'red',
      });
      expect(await readEvent(1)).to.deep.include({ confirmation_status: 'PENDING', ...BEFORE_COMMIT });
      const events = [`${eventOf(1, 1)} PENDING`, `${eventOf(1, 0)} CONFIRMED`];
      expect(await listEvents()).to.deep.equal(events);
      expect(await listEvents(ALPHA, undefined)).to.deep.equal(events);
    });

    it('shows a failed event, which changes nothing', async () => {
      await fixture.mine({ record: creation });
      fixture.pend(event, { status: 'FAILED', failureReason: 'IDENTITY_PRESENT' });
      expect((await readAsset())?.state.attributes).to.deep.equal({ colour: 'red' });
      const failed = { confirmation_status: 'FAILED', failure_reason: 'IDENTITY_PRESENT', ...BEFORE_COMMIT };
      expect(await readEvent(1)).to.deep.include(failed);
      expect(await readAsset()).not.to.have.property('failure_reason');
      expect(await listEvents()).to.deep.equal([`${eventOf(1, 1)} FAILED`, `${eventOf(1, 0)} CONFIRMED`]);
    });

    it('shows a failed creation as a failed asset', async () => {
      fixture.pend(creation, { status: 'FAILED', failureReason: 'AUTHOR_UNAVAILABLE' });
      const failed = { confirmation_status: 'FAILED', failure_reason: 'AUTHOR_UNAVAILABLE' };
      expect(await readAsset()).to.include({ ...failed, owner: '' });
      expect(await readEvent(0)).to.include(failed);
      expect(await listEvents()).to.deep.equal([`${eventOf(1, 0)} FAILED`]);
    });

    it('shows a record that is in the index and still in the outbox once, as committed', async () => {
      fixture.pend(creation);
      fixture.pend(event);
      await fixture.mine({ record: creation }, { record: event });
      const before = [await readAsset(), await readEvent(1), await listAssets(), await listEvents()];
      expect(before[0]).to.deep.include({ confirmation_status: 'CONFIRMED' });
      expect(before[3]).to.deep.equal([`${eventOf(1, 1)} CONFIRMED`, `${eventOf(1, 0)} CONFIRMED`]);
      const { total } = await fixture.view.listEvents(ALPHA, eventsOf(uuidOf(1)), PAGE);
      fixture.removeOldest();
      fixture.removeOldest();
      expect([await readAsset(), await readEvent(1), await listAssets(), await listEvents()]).to.deep.equal(before);
      expect([total, (await fixture.view.listEvents(ALPHA, eventsOf(uuidOf(1)), PAGE)).total]).to.deep.equal([2, 2]);
    });

    it('shows an asset in a list in the same way as alone', async () => {
      await fixture.mine({ record: creation });
      fixture.pend(event);
      fixture.pend(aCreation({ identity: eventOf(2, 0) }));
      fixture.pend(anEvent({ identity: eventOf(2, 1), asset_attributes: { weight: '2' } }));
      const alone = [await fixture.view.readAsset(ALPHA, uuidOf(2)), await readAsset()];
      expect(await listAssets()).to.deep.equal(alone);
    });
  });

  describe('of tenancy', () => {
    const version = (number: number, display_name: string) =>
      aTenantRecord(ALPHA, { identity: toVersionIdentity(ALPHA, uuidOf(number)), display_name });
    const application = (number: number, display_name: string) =>
      anApplicationRecord(1, {
        identity: toVersionIdentity(`applications/${uuidOf(1)}`, uuidOf(number)),
        display_name,
      });
    const nameOfTenant = async () => (await fixture.view.readTenant(ALPHA))?.display_name;
    const nameOfApplication = async () => {
      const found = await fixture.view.readApplication(uuidOf(1));
      return found && `${found.application.display_name} of ${found.tenantIdentity}`;
    };

    it('reads the newest version of a tenant and an application', async () => {
      await fixture.mine({ record: version(2, 'second') }, { record: application(1, 'gate') });
      await fixture.mine({ record: application(2, 'door') });
      expect(await nameOfTenant()).to.equal('second');
      expect(await fixture.view.readTenantIdentity('second')).to.equal(ALPHA);
      expect(await nameOfApplication()).to.equal(`door of ${ALPHA}`);
    });

    it('reads the newest pending version over the committed one, and never a failed one', async () => {
      const states: [UncommittedRecord['status'], number][] = [
        ['PENDING', 3],
        ['PENDING', 4],
        ['FAILED', 5],
      ];
      await fixture.mine({ record: application(1, 'gate') });
      for (const [status, number] of states) {
        fixture.pend(version(number, `name ${number}`), { status });
        fixture.pend(application(number, `name ${number}`), { status });
      }
      expect(await nameOfTenant()).to.equal('name 4');
      expect(await nameOfApplication()).to.equal(`name 4 of ${ALPHA}`);
      expect(await fixture.view.readTenantIdentity('name 4')).to.equal(ALPHA);
      expect(await fixture.view.readTenantIdentity('name 5')).to.equal(undefined);
    });

    it('finds nothing that does not exist', async () => {
      expect(await fixture.view.readTenant(`tenant/${uuidOf(9)}`)).to.equal(undefined);
      expect(await fixture.view.readTenantIdentity('nobody')).to.equal(undefined);
      expect(await fixture.view.readApplication(uuidOf(9))).to.equal(undefined);
    });
  });
});
