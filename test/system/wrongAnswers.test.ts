// Answers of nodes that are wrong in a way that no hash disproves at once: records don't wait for them without end, and
// the operator learns of them.
import { expect } from 'chai';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { INVALID_HEADERS, INVENTED_RECEIPT } from '../support/falseAnswers.ts';
import { createLyingProxy, type LyingProxy } from '../support/lyingProxy.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { until } from '../support/until.ts';

describe('a wrong answer of the only node', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let node: ExternalNode;
  let liar: LyingProxy;
  let fixture: NetworkFixture;

  beforeEach(async () => {
    node = await startNode(QUICK_NODE);
    liar = await createLyingProxy(node.url);
    fixture = await openNetworkFixture(node, toNetwork(liar.url), { commitWaitMs: 100 });
    closing.push(node.kill, liar.close, fixture.close);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const isLeft = (): boolean => fixture.ledger.chain.readNodes!()[0]!.isLeft;

  it('that is an invented receipt is not believed, and the record is committed when the node is honest again', async () => {
    const asset = await fixture.alpha.createAsset();
    await node.request('evm_setAutomine', [false]);
    liar.answer(INVENTED_RECEIPT);
    const { body } = await fixture.alpha.record(asset, 'one');
    expect(body.confirmation_status).to.equal('PENDING');
    await until(isLeft);
    liar.answer(undefined);
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    await until(() => fixture.ledger.outbox.pendingCount() === 0);
    const { body: event } = await fixture.alpha.get<typeof body>(body.identity);
    expect(event.confirmation_status).to.equal('CONFIRMED');
    expect(fixture.problems.filter((problem) => problem.includes('npm run rebuild'))).to.deep.equal([]);
  });

  it('that is an invalid header leaves the node, so that readyz says so', async () => {
    const find = createFindHealthIssues(
      () => readLedgerState(fixture.ledger),
      () => false,
    );
    liar.answer(INVALID_HEADERS);
    await node.request('evm_mine', []);
    await until(async () => (await find()).some(({ name }) => name === 'chain'));
    expect(fixture.ledger.chain.readNodes!()[0]!.falseAnswers).to.be.greaterThan(0);
    liar.answer(undefined);
    await until(async () => (await find()).length === 0);
  });
});
