// Pages of a list while several transactions are in flight: a record whose asset is in one of them is committed after
// newer records of other assets.
import { expect } from 'chai';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import type { JsonAnswer } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface EventPage {
  readonly events: EventResource[];
  readonly next_page_token: string;
}

describe('pages of a list while several transactions are in flight', () => {
  let node: ExternalNode;
  let fixture: NetworkFixture;
  before(async () => {
    node = await startNode(QUICK_NODE);
    fixture = await openNetworkFixture(node, toNetwork(node.url));
  });
  after(async () => {
    await fixture.close();
    await node.kill();
  });

  const countSent = async (): Promise<number> =>
    Number(await node.request('eth_getTransactionCount', [fixture.ledger.relayer.address, 'pending']));
  const untilSent = (what: string, count: number): Promise<void> =>
    until(
      async () => (await countSent()) === count,
      () => `${what} is in the node's pool`,
    );
  const readPage = async (query: string): Promise<EventPage> =>
    (await fixture.alpha.get<EventPage>(`assets/-/events?operation=Record&${query}`)).body;
  const notesOf = ({ events }: EventPage): unknown[] => events.map((event) => event.event_attributes.note);

  it('show each record of the first page’s moment once, also one that the chain took after a newer one', async () => {
    const { alpha, ledger } = fixture;
    const [first, second] = [await alpha.createAsset(), await alpha.createAsset()];
    await node.request('evm_setAutomine', [false]);
    const sent = await countSent();
    const answers: Promise<JsonAnswer<EventResource>>[] = [];
    answers.push(alpha.record(first, '1'));
    await untilSent('the first record', sent + 1);
    answers.push(alpha.record(first, '2'));
    await until(() => ledger.outbox.pendingCount() === 2);
    answers.push(alpha.record(second, '3'));
    await untilSent('the record of the other asset', sent + 2);

    let page = await readPage('page_size=1');
    expect(notesOf(page)).to.deep.equal(['3']);
    await node.request('evm_mine', []);
    await untilSent('the second record', sent + 3);
    await node.request('evm_mine', []);
    await Promise.all(answers);
    const seen: unknown[] = [];
    while (page.next_page_token !== '') {
      page = await readPage(`page_token=${page.next_page_token}`);
      seen.push(...notesOf(page));
    }
    expect(seen).to.deep.equal(['2', '1']);
    expect(notesOf(await readPage('page_size=9'))).to.deep.equal(['2', '3', '1']);
  });
});
