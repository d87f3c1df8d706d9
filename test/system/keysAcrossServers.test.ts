// `Idempotency-Key` holds across the servers of one organisation: the ledger decides which record is the first.
import { expect } from 'chai';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { openSecondServer, type SecondServer } from '../support/secondServer.ts';
import type { JsonAnswer } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

/** The answer to a line of a bulk request. */
interface Line {
  readonly status: number;
  readonly event?: EventResource;
}
interface Problem {
  readonly details: readonly { readonly error: string }[];
}
interface EventPage {
  readonly events: EventResource[];
}

const noteOf = (note: string) => ({ behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note } });
const locationAt = (latitude: string) => ({ display_name: 'Berth 4', latitude, longitude: '4.5' });
const statusesOf = (answers: readonly JsonAnswer<unknown>[]): number[] => answers.map(({ status }) => status).sort();

describe('two servers of one organisation, and an Idempotency-Key', () => {
  let node: ExternalNode;
  let first: NetworkFixture;
  let second: SecondServer;
  let keys = 0;
  before(async () => {
    node = await startNode(QUICK_NODE);
    first = await openNetworkFixture(node, toNetwork(node.url));
    second = await openSecondServer(node, toNetwork(node.url), first);
  });
  after(async () => {
    await second.close();
    await first.close();
    await node.kill();
  });
  const nextKey = () => {
    keys += 1;
    return { 'Idempotency-Key': `key-${keys}` };
  };
  const failedOf = ({ ledger }: Pick<SecondServer, 'ledger'>) => ledger.outbox.failedCount();
  const expectNoFailure = () => expect([failedOf(first), failedOf(second)]).to.deep.equal([0, 0]);

  // Both servers have accepted their record before either is in a block.
  const race = async <T>(requests: readonly (() => Promise<JsonAnswer<T>>)[]): Promise<JsonAnswer<T>[]> => {
    await node.request('evm_setAutomine', [false]);
    const answers = requests.map((request) => request());
    await until(() => [first, second].every(({ ledger }) => ledger.outbox.pendingCount() > 0));
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    return Promise.all(answers);
  };
  const raceTo = <T>(path: string, bodies: readonly [object, object], key: Record<string, string>) =>
    race<T>([first.alpha, second.alpha].map((tenant, at) => () => tenant.post<T>(path, bodies[at]!, key)));
  const createShared = async (): Promise<AssetResource> => {
    const asset = await first.alpha.createAsset();
    await until(async () => (await second.alpha.get(asset.identity)).status === 200);
    return asset;
  };

  it('gives the same request the same answer when both get it at the same moment', async () => {
    const asset = await createShared();
    const body = { attributes: { arc_display_name: 'Door 9' } };
    const [one, other] = await raceTo<AssetResource>('assets', [body, body], nextKey());
    expect([one!.status, other!.body]).to.deep.equal([200, one!.body]);
    const events = await raceTo<EventResource>(`${asset.identity}/events`, [noteOf('a'), noteOf('a')], nextKey());
    expect(statusesOf(events)).to.deep.equal([200, 200]);
    expect(events[1]!.body).to.deep.equal(events[0]!.body);
    expect(events[0]!.body.confirmation_status).to.equal('CONFIRMED');
    const locations = await raceTo('locations', [locationAt('51.5'), locationAt('51.5')], nextKey());
    expect([statusesOf(locations), locations[1]!.body]).to.deep.equal([[200, 200], locations[0]!.body]);
    expectNoFailure();
  });

  it('answers a different request with 409 at the server whose record came second, and records one', async () => {
    const asset = await createShared();
    const path = `${asset.identity}/events`;
    const answers = await raceTo<EventResource>(path, [noteOf('a'), noteOf('b')], nextKey());
    expect(statusesOf(answers)).to.deep.equal([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!.body as unknown as Problem;
    expect(refused.details[0]!.error).to.equal('IDEMPOTENCY_CONFLICT');
    const recorded = answers.find(({ status }) => status === 200)!.body;
    for (const { alpha } of [first, second]) {
      const { events } = (await alpha.get<EventPage>(path)).body;
      expect(events.map(({ identity }) => identity)).to.include(recorded.identity);
      expect(events).to.have.length(2);
      const { body: shown } = await alpha.get<EventResource>(recorded.identity);
      expect(shown.confirmation_status).to.equal('CONFIRMED');
      expect(shown).not.to.have.property('failure_reason');
    }
    expect(statusesOf(await raceTo('locations', [locationAt('1'), locationAt('2')], nextKey()))).to.deep.equal([
      200, 409,
    ]);
    expectNoFailure();
  });

  it('holds for each line of a bulk request', async () => {
    const asset = await createShared();
    const toLine = (note: string, at: number) =>
      `${JSON.stringify({ asset_identity: asset.identity, idempotency_key: `line-${at}`, ...noteOf(note) })}\n`;
    const post = async ({ url }: { url: string }, notes: readonly string[]): Promise<JsonAnswer<Line[]>> => {
      const headers = { authorization: `Bearer ${first.alpha.token}`, 'content-type': 'application/x-ndjson' };
      const answer = await fetch(`${url}/archivist/v2/events:bulk`, {
        method: 'POST',
        headers,
        body: notes.map(toLine).join(''),
      });
      const body = (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      return { status: answer.status, headers: answer.headers, body };
    };
    const [one, other] = await race([() => post(first, ['a', 'b', 'c']), () => post(second, ['a', 'x', 'c'])]);
    const [ones, others] = [one!.body, other!.body];
    const conflicting = [ones[1]!.status, others[1]!.status].sort();
    expect(conflicting).to.deep.equal([200, 409]);
    expect([others[0]!.event, others[2]!.event]).to.deep.equal([ones[0]!.event, ones[2]!.event]);
    expectNoFailure();
  });

  it('does not delay or harm other records of the batch that the contract refused', async () => {
    const asset = await createShared();
    const path = `${asset.identity}/events`;
    const key = nextKey();
    await node.request('evm_setAutomine', [false]);
    const keyed = [first, second].map(({ alpha }) => alpha.post<EventResource>(path, noteOf('keyed'), key));
    const others = Array.from({ length: 10 }, (_, at) =>
      [first, second].map(({ alpha }) => alpha.record(asset, `${at}`)),
    );
    await until(() => first.ledger.outbox.pendingCount() + second.ledger.outbox.pendingCount() === 22);
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    const answers = await Promise.all([...keyed, ...others.flat()]);
    expect(answers.map(({ body }) => body.confirmation_status)).to.deep.equal(answers.map(() => 'CONFIRMED'));
    await until(async () => {
      const pages = await Promise.all([first, second].map(({ alpha }) => alpha.get<EventPage>(path)));
      return pages.every(({ body }) => body.events.length === 22);
    });
    expectNoFailure();
  });
});
