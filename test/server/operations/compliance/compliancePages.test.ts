// All pages of a check are made of the block of the first page.
import { expect } from 'chai';
import { check, createAssetAt } from '../../support/compliance.ts';
import { aRecord, createAnEvent, createAPolicy } from '../../support/requests.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const POLICIES = 7;
const rich = (assertion: string) => ({
  compliance_type: 'COMPLIANCE_RICHNESS',
  richness_assertions: [{ or: [assertion] }],
});
const identities = ({ compliance }: { compliance: { compliance_policy_identity: string }[] }): string[] =>
  compliance.map((each) => each.compliance_policy_identity);

describe('the pages of a check', () => {
  let asset: string;
  let matching: string[];
  const server = useNewServer({ limits: { ...LIMITS, policiesMax: 100 } });
  beforeEach(async () => {
    asset = await createAssetAt(server, NOW, { a: 'b' });
    matching = [];
    for (let made = 0; made < POLICIES; made += 1) {
      matching.unshift((await createAPolicy(server, rich('a=b'))).identity);
    }
  });

  it('continue with the policies and the records of the block of the first page', async () => {
    const first = await check(server, asset, 'page_size=2');
    const pages = [first];
    for (let deleted = 3; pages.at(-1).next_page_token !== ''; deleted += 2) {
      await createAnEvent(server, asset, aRecord({ asset_attributes: { a: 'b' } }));
      if (matching[deleted] !== undefined)
        await server.request('DELETE', `/svc/v1/${matching[deleted]}`, { as: server.tenant.administrator });
      pages.push(await check(server, asset, `page_token=${pages.at(-1).next_page_token}`));
    }
    expect(pages.flatMap(identities)).to.eql(matching);
    const blockOf = ({ block_number, block_hash }: typeof first) => [block_number, block_hash];
    expect(first.block_number).to.be.a('number');
    expect(pages.map(blockOf)).to.eql(pages.map(() => blockOf(first)));
    expect(new Set(pages.map(({ headers }) => headers.get('x-total-count')))).to.eql(new Set(['7']));
  });

  it('count what the server has on each page, when the first page counted what waits for the chain', async () => {
    server.ledger.isChainAway = true;
    server.clock.atMs += 1;
    const waiting = (await createAPolicy(server, rich('a=b'))).identity;
    const first = await check(server, asset, 'page_size=3');
    expect([first.block_number, identities(first)[0]]).to.eql([null, waiting]);
    server.ledger.isChainAway = false;
    const deleted = matching[6]!;
    await server.request('DELETE', `/svc/v1/${deleted}`, { as: server.tenant.administrator });
    const second = await check(server, asset, `page_token=${first.next_page_token}`);
    expect(identities(second)).to.eql(matching.slice(2, 5));
    const third = await check(server, asset, `page_token=${second.next_page_token}`);
    expect(identities(third)).to.eql(matching.slice(5, 6));
  });
});
