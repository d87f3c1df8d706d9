// The stories of assets and events over REST, on any servers: request, outbox, chain, index, answer.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { FixtureTenant } from './fixtureTenant.ts';
import { send } from './testLedger.ts';

interface EventPage {
  readonly events: EventResource[];
  readonly next_page_token: string;
}
interface AssetPage {
  readonly assets: AssetResource[];
  readonly next_page_token: string;
}

/** What the stories use: a ledger, one of its servers, and two tenants. */
export interface StoryParts {
  readonly ledger: Pick<Ledger, 'chain'>;
  readonly server: { readonly url: string };
  readonly alpha: FixtureTenant;
  readonly beta: FixtureTenant;
  /** The accounts of alpha's authors, one for each server; undefined: there is one. */
  readonly authors?: readonly string[];
}

/** Registers the tests. */
export const describeRestStories = (name: string, useParts: () => () => StoryParts): void => {
  describe(`an asset and its events on ${name}`, () => {
    const shared = useParts();

    it('are committed to the chain before they are answered', async () => {
      const { alpha, ledger } = shared();
      const asset = await alpha.createAsset({ arc_display_name: 'Door 7' });
      expect(asset.confirmation_status).to.equal('CONFIRMED');
      expect(asset.tracked).to.equal('TRACKED');
      expect(asset.behaviours).to.deep.equal(['AssetCreator', 'Builtin', 'RecordEvidence']);
      const { body: event } = await alpha.record(asset, 'seen');
      expect(event.confirmation_status).to.equal('CONFIRMED');
      const receipt = (await ledger.chain.request('eth_getTransactionReceipt', [event.transaction_id])) as Record<
        string,
        unknown
      >;
      expect(Number(receipt.blockNumber)).to.equal(event.block_number);
      expect(receipt.status).to.equal('0x1');
      const { authors = [asset.owner] } = shared();
      expect(authors).to.include.members([event.from, asset.owner]);
      expect(event.tenant_identity).to.equal(alpha.identity);
      expect((await alpha.get<EventResource>(event.identity)).body).to.deep.equal(event);
    });

    it('have the same answers under both prefixes', async () => {
      const { alpha, server } = shared();
      const asset = await alpha.createAsset();
      const answer = await send<AssetResource>(`${server.url}/svc/v2/${asset.identity}`, alpha.token);
      expect(answer.body.identity).to.equal(asset.identity);
    });

    it('begin with the event that created the asset', async () => {
      const { alpha } = shared();
      const asset = await alpha.createAsset({ weight: '10' });
      const { body } = await alpha.get<EventPage>(`${asset.identity}/events`);
      expect(body.events).to.have.length(1);
      const [creation] = body.events;
      expect(creation!.operation).to.equal('NewAsset');
      expect(creation!.behaviour).to.equal('AssetCreator');
      expect(creation!.asset_attributes).to.deep.equal({ weight: '10' });
    });

    it('change the asset by the asset attributes of its events', async () => {
      const { alpha } = shared();
      const asset = await alpha.createAsset({ weight: '10', colour: 'red' });
      const body = { behaviour: 'RecordEvidence', operation: 'Record', asset_attributes: { weight: '11' } };
      await alpha.post(`${asset.identity}/events`, body);
      const now = await alpha.get<AssetResource>(asset.identity);
      expect(now.body.attributes).to.deep.equal({ weight: '11', colour: 'red' });
    });

    it("change the asset's behaviours and tracking by Builtin events", async () => {
      const { alpha } = shared();
      const asset = await alpha.createAsset();
      const act = (operation: string, event_attributes: object = {}) =>
        alpha.post(`${asset.identity}/events`, { behaviour: 'Builtin', operation, event_attributes });
      const listed = async () => (await alpha.get<AssetPage>('assets')).body.assets.map(({ identity }) => identity);
      await act('Add', { arc_behaviour_name: 'Firmware' });
      await act('Remove', { arc_behaviour_name: 'RecordEvidence' });
      await act('StopTracking');
      const changed = (await alpha.get<AssetResource>(asset.identity)).body;
      expect(changed.behaviours).to.deep.equal(['AssetCreator', 'Builtin', 'Firmware']);
      expect(changed.tracked).to.equal('NOT_TRACKED');
      expect(await listed()).to.not.include(asset.identity);
      expect((await alpha.record(asset, 'now refused')).status).to.equal(400);
      await act('StartTracking');
      expect(await listed()).to.include(asset.identity);
    });

    it('are listed newest first, page by page, each once', async () => {
      const { alpha } = shared();
      const asset = await alpha.createAsset();
      for (let count = 0; count < 6; count += 1) await alpha.record(asset, `note ${count}`);
      const first = await alpha.get<EventPage>(`${asset.identity}/events?page_size=3`);
      expect(first.headers.get('x-total-count')).to.equal('7');
      const seen = [...first.body.events];
      for (let token = first.body.next_page_token; token !== ''; ) {
        const page = await alpha.get<EventPage>(`${asset.identity}/events?page_token=${encodeURIComponent(token)}`);
        seen.push(...page.body.events);
        token = page.body.next_page_token;
      }
      const notes = seen.map(({ event_attributes, operation }) => event_attributes.note ?? operation);
      expect(notes).to.deep.equal([5, 4, 3, 2, 1, 0].map((count) => `note ${count}`).concat('NewAsset'));
    });

    it('are listed under - for all assets of the tenant, and of no other tenant', async () => {
      const { alpha, beta } = shared();
      const asset = await beta.createAsset();
      await beta.record(asset, 'of beta');
      const { body } = await beta.get<EventPage>('assets/-/events');
      expect(body.events.map(({ tenant_identity }) => tenant_identity)).to.deep.equal([beta.identity, beta.identity]);
      const others = await alpha.get<EventPage>('assets/-/events');
      expect(others.body.events.some(({ tenant_identity }) => tenant_identity === beta.identity)).to.equal(false);
    });

    it('of another tenant are answered like those that do not exist', async () => {
      const { alpha, beta } = shared();
      const asset = await alpha.createAsset();
      const { body: event } = await alpha.record(asset, 'mine');
      const uuid = randomUUID();
      for (const [real, unreal] of [
        [asset.identity, `assets/${uuid}`],
        [event.identity, `${asset.identity}/events/${uuid}`],
        [`${asset.identity}/events`, `assets/${uuid}/events`],
      ] as const) {
        const refused = await beta.get(real);
        const missing = await beta.get(unreal);
        expect({ ...refused, headers: 0 }).to.deep.equal({ ...missing, headers: 0 });
      }
      expect((await beta.get(event.identity)).status).to.equal(404);
      expect((await beta.get<EventPage>(`${asset.identity}/events`)).body.events).to.deep.equal([]);
      expect((await beta.record(asset, 'not mine')).status).to.equal(404);
      expect((await alpha.get<EventPage>(`${asset.identity}/events`)).body.events).to.have.length(2);
    });

    it('are created once per Idempotency-Key, in repeated and in simultaneous requests', async () => {
      const { alpha } = shared();
      const headers = { 'Idempotency-Key': 'one-door' };
      const ask = () => alpha.post<AssetResource>('assets', { attributes: { arc_display_name: 'Door 8' } }, headers);
      const answers = await Promise.all(Array.from({ length: 8 }, ask));
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.identity))).to.have.property('size', 1);
      const asset = answers[0]!.body;
      const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note: 'once' } };
      const key = { 'Idempotency-Key': 'one-event' };
      const events = await Promise.all(
        Array.from({ length: 8 }, () => alpha.post<EventResource>(`${asset.identity}/events`, body, key)),
      );
      for (const event of events) expect(event.body).to.deep.equal(events[0]!.body);
      const changed = { ...body, event_attributes: { note: 'twice' } };
      expect((await alpha.post(`${asset.identity}/events`, changed, key)).status).to.equal(409);
      expect((await alpha.get<EventPage>(`${asset.identity}/events`)).body.events).to.have.length(2);
      expect((await ask()).body).to.include({ identity: asset.identity, at_time: asset.at_time });
    });

    it('leave no records when they are refused', async () => {
      const { alpha, ledger } = shared();
      const asset = await alpha.createAsset();
      const head = await ledger.chain.fetchFinalHead();
      const path = `${asset.identity}/events`;
      const plain = { behaviour: 'RecordEvidence', operation: 'Record' };
      const refused = [
        await alpha.post(path, { ...plain, operation: 'Destroy' }),
        await alpha.post(path, { ...plain, behaviour: 'Nonsense' }),
        await alpha.post(path, { ...plain, event_attributes: { weight: 10 } }),
        await alpha.post(path, { ...plain, unknown: 'field' }),
        await alpha.post(path, { ...plain, timestamp_declared: '2026-02-30T00:00:00Z' }),
        await alpha.post(path, { behaviour: 'Builtin', operation: 'Add', event_attributes: {} }),
        await alpha.post(path, { behaviour: 'AssetCreator', operation: 'NewAsset' }),
      ];
      expect(refused.map(({ status }) => status)).to.deep.equal(refused.map(() => 400));
      expect(await ledger.chain.fetchFinalHead()).to.deep.equal(head);
    });

    it('of 60 KiB are accepted, and larger ones are refused', async () => {
      const { alpha } = shared();
      const asset = await alpha.createAsset();
      const attributes = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 'x'.repeat(4096)]));
      const post = (count: number) =>
        alpha.post<EventResource>(`${asset.identity}/events`, {
          behaviour: 'RecordEvidence',
          operation: 'Record',
          event_attributes: attributes(count),
        });
      expect((await post(15)).body.confirmation_status).to.equal('CONFIRMED');
      expect((await post(17)).status).to.equal(413);
    });
  });
};
