// Gas limits of batches against the gas that real blocks used for them, of one and several tenants: a limit is always
// enough, so that no node has to estimate it, and not much more, so that nodes fit many transactions into a block.
import { expect } from 'chai';
import { type AppendGas, createAppendGas } from '../../chain/writing/appendGas.ts';
import { createSubmission, type SubmittedRecord } from '../../chain/writing/submission.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { anEvent, assetOf, eventOf } from '../support/records.ts';

const TENANTS = 4;
/** A limit in percent of the used gas, by the records of a batch. Known streams need less, and count as new ones. */
const PERCENT_MAX: Readonly<Record<number, number>> = { 1: 250, 10: 210, 100: 165 };

describe('the gas limit of a batch on a node', () => {
  let node: ExternalNode;
  let fixture: NetworkFixture;
  let tenants: FixtureTenant[];
  let assets = 0;
  before(async () => {
    node = await startNode(QUICK_NODE);
    fixture = await openNetworkFixture(node, toNetwork(node.url));
    tenants = [fixture.alpha];
    while (tenants.length < TENANTS)
      tenants.push(await createFixtureTenant(fixture.ledger, fixture, `tenant ${tenants.length}`));
  });
  after(async () => {
    await fixture?.close();
    await node?.kill();
  });

  // Records of as many assets, an equal share for each tenant.
  const makeRecords = (count: number, tenantCount: number, noteBytes: number, event: number): SubmittedRecord[] =>
    Array.from({ length: count }, (_, at) => {
      const record = anEvent({
        identity: eventOf(assets + at, event),
        event_attributes: { note: 'n'.repeat(noteBytes) },
      });
      const payload = encodePayload(record);
      const { identity: tenantIdentity } = tenants[at % tenantCount]!;
      return { tenantIdentity, streamIdentity: assetOf(assets + at), record, payload };
    });

  // Submits in one transaction, with limits that no receipt has corrected.
  const submit = async (records: readonly SubmittedRecord[]): Promise<{ limit: number; used: number }> => {
    const { chain, contract, relayer, wallets } = fixture.ledger;
    const measured = createAppendGas(chain);
    let limit = 0;
    const gas: AppendGas = {
      ...measured,
      toLimit: (size) => {
        limit = measured.toLimit(size);
        return limit;
      },
    };
    const submission = createSubmission({ chain, contract, relayer, authorOf: wallets.authorOf, gas });
    const mined = await submission.submit(records);
    expect(mined.outcome).to.equal('succeeded');
    const { used, of } = await readUsed(mined.hash);
    expect(of).to.equal(limit);
    return { limit, used };
  };
  const readUsed = async (hash: string): Promise<{ used: number; of: number }> => {
    const receipt = (await node.request('eth_getTransactionReceipt', [hash])) as { gasUsed: string };
    const transaction = (await node.request('eth_getTransactionByHash', [hash])) as { gas: string };
    return { used: Number(receipt.gasUsed), of: Number(transaction.gas) };
  };

  for (const count of [1, 10, 100])
    for (const tenantCount of [1, TENANTS].filter((each) => each <= count))
      for (const noteBytes of [0, 500]) {
        it(`is enough for ${count} records of ${tenantCount} tenants with ${noteBytes} further bytes each`, async () => {
          for (const event of [1, 2]) {
            const { limit, used } = await submit(makeRecords(count, tenantCount, noteBytes, event));
            expect(limit).to.be.at.least(used);
            expect((limit * 100) / used).to.be.at.most(PERCENT_MAX[count]!);
          }
          assets += count;
        });
      }
});
