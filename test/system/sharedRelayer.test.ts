// Two servers that were given the same key, by mistake: one of them reports it, and no record is lost or doubled.
import { expect } from 'chai';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { openSecondServer } from '../support/secondServer.ts';
import { openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface EventPage {
  readonly events: EventResource[];
}
const COUNT = 60;
const ROUNDS = 3;

describe('two servers with the same key', () => {
  let node: ExternalNode;
  let first: NetworkFixture;
  before(async () => {
    node = await startNode(QUICK_NODE);
    first = await openNetworkFixture(node, toNetwork(node.url));
  });
  after(async () => {
    await first.close();
    await node.kill();
  });

  for (const name of ['relayer', 'author'] as const) {
    it(`of the ${name} record everything exactly once, under load`, async () => {
      const second = await openSecondServer(node, toNetwork(node.url), first, { sameKeys: [name] });
      const isReported = second.problems.some((line) => line.includes('uses the same relayer.key'));
      expect(isReported).to.equal(name === 'relayer');
      const asset = await first.alpha.createAsset();
      await until(async () => (await second.alpha.get(asset.identity)).status === 200);
      const recordAll = async (alpha: NetworkFixture['alpha'], round: number): Promise<string[]> => {
        const notes = Array.from({ length: COUNT }, (_, at) => `${round} ${at}`);
        const answers = await Promise.all(notes.map((note) => alpha.record(asset, note)));
        expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
        return answers.map(({ body }) => body.identity);
      };
      const answered: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        answered.push(...(await Promise.all([first, second].map(({ alpha }) => recordAll(alpha, round)))).flat());
      await until(() => [first, second].every(({ ledger }) => ledger.outbox.pendingCount() === 0));
      expect([first, second].map(({ ledger }) => ledger.outbox.failedCount())).to.deep.equal([0, 0]);
      for (const { alpha } of [first, second]) {
        const read = async () => (await alpha.get<EventPage>(`${asset.identity}/events?page_size=1000`)).body.events;
        await until(async () => (await read()).length >= answered.length + 1);
        const recorded = (await read()).filter(({ operation }) => operation === 'Record');
        expect(recorded.map(({ identity }) => identity).sort()).to.deep.equal([...answered].sort());
        expect(new Set(recorded.map((event) => event.confirmation_status))).to.deep.equal(new Set(['CONFIRMED']));
      }
      await second.close();
    });
  }

  it('of the relayer are not reported where each server has its own', async () => {
    const second = await openSecondServer(node, toNetwork(node.url), first);
    await second.alpha.createAsset();
    await second.close({ keeps: true });
    const problems: string[] = [];
    const ledger = await openTestLedger(second.dataDir, { network: toNetwork(node.url), problems });
    await ledger.close();
    await second.remove();
    expect([...second.problems, ...problems].filter((line) => line.includes('relayer'))).to.deep.equal([]);
  });
});
