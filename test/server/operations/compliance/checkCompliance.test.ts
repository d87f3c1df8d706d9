import { expect } from 'chai';
import { check, createAssetAt, evaluateAt, PATH, recordAt, setClock } from '../../support/compliance.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aPolicy, aRecord, createAnAsset, createAnEvent, createAPolicy } from '../../support/requests.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const NO_UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const NOW = '2026-11-20T10:00:00.000Z';
const later = (ms: number): string => new Date(Date.parse(NOW) + ms).toISOString();
const rich = (assertion: string, condition?: string) => ({
  compliance_type: 'COMPLIANCE_RICHNESS',
  richness_assertions: [{ or: [assertion] }],
  ...(condition === undefined ? {} : { asset_filter: [{ or: [condition] }] }),
});

describe('GET v1/compliance/assets/{uuid}', () => {
  let asset: string;
  const server = useNewServer({ limits: { ...LIMITS, policiesMax: 100 } });
  beforeEach(async () => {
    asset = await createAssetAt(server, NOW, { a: 'b' });
  });

  it('returns compliant for an asset without a matching policy', async () => {
    await createAPolicy(server, rich('a=c', 'a=c'));
    const { compliant, compliance, compliant_at, next_page_token, status, headers } = await check(server, asset);
    expect({ compliant, compliance, compliant_at, next_page_token, status }).to.eql({
      compliant: true,
      compliance: [],
      compliant_at: NOW,
      next_page_token: '',
      status: 200,
    });
    expect(headers.get('x-total-count')).to.equal('0');
  });

  it('answers 404 for an asset that is missing, created later, or of another tenant', async () => {
    const before = `compliant_at=${later(-1)}`;
    for (const path of [`${PATH}/${NO_UUID}`, `${PATH}/${asset}?${before}`]) {
      expectProblem(await server.request('GET', path), 404, 'ASSET_NOT_FOUND');
    }
    const as = server.otherTenant.root;
    expectProblem(await server.request('GET', `${PATH}/${asset}`, { as }), 404, 'ASSET_NOT_FOUND');
    expectProblem(await server.request('GET', `${PATH}/asset`), 400, 'IDENTITY_INVALID', 'uuid');
    expectProblem(await server.request('GET', `${PATH}/${asset}`, { as: null }), 401, 'UNAUTHENTICATED');
    expect((await server.request('GET', `${PATH}/${asset}`, { as: server.tenant.reader })).status).to.equal(200);
  });

  it("evaluates only the policies of the asset's tenant and the events of the asset", async () => {
    await createAPolicy(server, rich('a=c'), { as: server.otherTenant.administrator });
    expect(await evaluateAt(server, asset, NOW)).to.eql([true]);
    await createAPolicy(server);
    const other = await createAssetAt(server, later(1));
    await recordAt(server, other, { at: later(1), type: 'Inspection' });
    expect(await evaluateAt(server, asset, later(1))).to.eql([false, 'No events found']);
    expect(await evaluateAt(server, other, later(1))).to.eql([true]);
  });

  it('treats a future time as now, and refuses an invalid time', async () => {
    expect((await check(server, asset, `compliant_at=${later(1)}`)).compliant_at).to.equal(NOW);
    expect((await check(server, asset, 'compliant_at=9999-12-31T00:00:00Z')).compliant_at).to.equal(NOW);
    for (const at of ['now', '2026-11-20', '2026-02-30T00:00:00Z', '2026-11-20T10:15:30+01:00']) {
      const answer = await server.request('GET', `${PATH}/${asset}?compliant_at=${at}`);
      expectProblem(answer, 400, 'TIMESTAMP_INVALID', 'compliant_at');
    }
  });

  it('refuses unknown parameters by name', async () => {
    const cases: [query: string, field: string][] = [
      ['compliant_at=', 'compliant_at'],
      ['order_by=DISPLAY_NAME', 'order_by'],
      ['page_size=0', 'page_size'],
      ['page_size=1001', 'page_size'],
      ['at_time=2026-11-20T10:15:30Z', 'at_time'],
      ['asked_at=2026-11-20T10:15:30.000Z', 'asked_at'],
      ['compliance_type=COMPLIANCE_SINCE', 'compliance_type'],
    ];
    for (const [query, field] of cases) {
      expectProblem(await server.request('GET', `${PATH}/${asset}?${query}`), 400, 'REQUEST_INVALID', field);
    }
    const token = await server.request('GET', `${PATH}/${asset}?page_token=x`);
    expectProblem(token, 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });

  it('evaluates policies and filters by the attributes of that time', async () => {
    await createAPolicy(server, rich('weight<10', 'kind=Drum'));
    await recordAt(server, asset, {
      at: later(1000),
      type: 'Weighed',
      asset_attributes: { kind: 'Drum', weight: '12' },
    });
    await recordAt(server, asset, { at: later(2000), type: 'Weighed', asset_attributes: { weight: '9' } });
    await recordAt(server, asset, { at: later(3000), type: 'Painted', asset_attributes: { kind: 'Barrel' } });
    const found: [number, boolean, number][] = [];
    for (const ms of [0, 1000, 1999, 2000, 3000]) {
      const { compliant, compliance } = await check(server, asset, `compliant_at=${later(ms)}`);
      found.push([ms, compliant, compliance.length]);
    }
    expect(found).to.eql([
      [0, true, 0],
      [1000, false, 1],
      [1999, false, 1],
      [2000, true, 1],
      [3000, true, 0],
    ]);
  });

  it('evaluates the past by the current policies, and not by a deleted one', async () => {
    setClock(server, later(60_000));
    const { identity } = await createAPolicy(server);
    expect(await evaluateAt(server, asset, NOW)).to.eql([false, 'No events found']);
    await server.request('DELETE', `/svc/v1/${identity}`, { as: server.tenant.administrator });
    expect(await evaluateAt(server, asset, NOW)).to.eql([true]);
  });

  it('evaluates an untracked asset', async () => {
    await createAPolicy(server);
    await createAnEvent(server, asset, { behaviour: 'Builtin', operation: 'StopTracking' });
    expect(await evaluateAt(server, asset, NOW)).to.eql([false, 'No events found']);
  });

  it('counts events that wait for the chain, and names them', async () => {
    server.ledger.isChainAway = true;
    await createAPolicy(server);
    const waiting = await createAssetAt(server, NOW);
    const first = await recordAt(server, waiting, { at: NOW, type: 'Inspection' });
    const { compliant, compliance } = await check(server, waiting);
    expect([compliant, compliance[0].evidence.events]).to.eql([true, [{ identity: first, timestamp_accepted: NOW }]]);
    const second = await recordAt(server, asset, { at: later(5), type: 'Inspection' });
    expect((await check(server, asset)).compliance[0].evidence.events).to.eql([
      { identity: second, timestamp_accepted: later(5) },
    ]);
  });

  it('uses the correlation value if there is no correlation id', async () => {
    const types = { event_display_type: 'Open', closing_event_display_type: 'Close' };
    await createAPolicy(server, { compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING', ...types });
    const record = (arc_display_type: string, correlation: object) =>
      createAnEvent(server, asset, aRecord({ event_attributes: { arc_display_type, ...correlation } }));
    await record('Open', { arc_correlation_value: 'x' });
    expect((await check(server, asset)).compliant).to.equal(false);
    await record('Close', { arc_correlation_id: 'y', arc_correlation_value: 'x' });
    expect((await check(server, asset)).compliant).to.equal(false);
    await record('Close', { arc_correlation_value: 'x' });
    expect((await check(server, asset)).compliant).to.equal(true);
  });

  it('names many deciding events once each, with their number', async () => {
    const types = { event_display_type: 'Open', closing_event_display_type: 'Close' };
    for (let made = 0; made < 2; made += 1) {
      await createAPolicy(server, { compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING', ...types });
    }
    const opened: string[] = [];
    for (let made = 0; made < 102; made += 1) {
      opened.push(await recordAt(server, asset, { at: later(made), type: 'Open', correlation: String(made) }));
    }
    const { compliance } = await check(server, asset);
    for (const { evidence } of compliance) {
      expect(evidence).to.deep.include({ events_total: 102, open: 102 });
      expect(evidence.events).to.have.length(100);
      expect(opened).to.include.members(evidence.events.map(({ identity }: { identity: string }) => identity));
    }
  });

  describe('page by page', () => {
    const matching: string[] = [];
    beforeEach(async () => {
      matching.length = 0;
      for (let made = 0; made < 2; made += 1) await createAPolicy(server, rich('a=b', 'a=other'));
      for (let made = 0; made < 7; made += 1) {
        // The oldest is the one that fails, so it is on the last page.
        matching.unshift((await createAPolicy(server, rich(made === 0 ? 'a=c' : 'a=b'))).identity);
        if (made % 3 === 0) await createAPolicy(server, rich('a=b', 'a=other'));
      }
    });

    const identities = ({ compliance }: { compliance: { compliance_policy_identity: string }[] }): string[] =>
      compliance.map((each) => each.compliance_policy_identity);

    const walk = async (query: string, betweenPages = async () => {}, at = NOW): Promise<string[]> => {
      const seen: string[] = [];
      let next = query;
      while (next !== '') {
        const page = await check(server, asset, next);
        expect([page.status, page.compliant, page.compliant_at]).to.eql([200, false, at]);
        seen.push(...identities(page));
        next = page.next_page_token === '' ? '' : `page_token=${page.next_page_token}`;
        await betweenPages();
      }
      return seen;
    };

    it('shows each policy that matches once, the newest first, and the verdict of all on each page', async () => {
      for (const size of [1, 2, 3, 6, 7, 8, 1000]) {
        expect(await walk(`page_size=${size}`)).to.eql(matching);
        expect(await walk(`page_size=${size}&compliant_at=${later(5)}`)).to.eql(matching);
      }
    });

    it('returns exactly the requested number, no empty page, and always counts', async () => {
      for (const size of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const first = await check(server, asset, `page_size=${size}`);
        expect([size, first.compliance.length, first.headers.get('x-total-count')]).to.eql([
          size,
          Math.min(size, 7),
          '7',
        ]);
        expect([size, first.next_page_token === '']).to.eql([size, size >= 7]);
        expect(first.headers.has('content-range')).to.equal(false);
        if (size >= 7) continue;
        for (const rest of [7 - size, 1000]) {
          const last = await check(server, asset, `page_token=${first.next_page_token}&page_size=${rest}`);
          expect([identities(last), last.next_page_token]).to.eql([matching.slice(size), '']);
          expect(last.headers.get('x-total-count')).to.equal('7');
        }
      }
    });

    it('ends at the limit with 206 when no page_size is given', async () => {
      const first = await check(server, asset);
      expect([first.status, first.headers.get('content-range'), first.headers.get('x-total-count')]).to.eql([
        206,
        'items 0-5/7',
        '7',
      ]);
      expect(first.compliant).to.equal(false);
      const last = await check(server, asset, `page_token=${first.next_page_token}`);
      expect([last.status, identities(last)]).to.eql([200, matching.slice(5)]);
    });

    it('continues at the time of the first page, whatever happens in the meantime', async () => {
      for (const query of ['page_size=2', `page_size=2&compliant_at=${later(1_000_000)}`]) {
        await createAnEvent(server, asset, aRecord({ asset_attributes: { a: 'b' } }));
        const change = async () => {
          server.clock.atMs += 10_000;
          await createAnEvent(server, asset, aRecord({ asset_attributes: { a: 'other' } }));
          await createAPolicy(server, rich('a=z', 'a=elsewhere'));
        };
        const seen = await walk(query, change, new Date(server.clock.atMs).toISOString());
        expect(seen).to.eql(matching);
      }
    });

    it('shows each policy once when policies are created and deleted between pages', async () => {
      let deleted = 0;
      const seen = await walk('page_size=2', async () => {
        await createAPolicy(server, rich('a=b'));
        deleted += 1;
        // The last of the page that was shown.
        if (deleted < 3)
          await server.request('DELETE', `/svc/v1/${matching[2 * deleted - 1]}`, { as: server.tenant.administrator });
      });
      expect(seen).to.eql(matching);
    });

    it('continues over policies that wait for the chain', async () => {
      server.ledger.isChainAway = true;
      const waiting: string[] = [];
      for (let made = 0; made < 3; made += 1) {
        server.clock.atMs += 1;
        waiting.unshift((await createAPolicy(server, rich('a=b'))).identity);
      }
      const at = new Date(server.clock.atMs).toISOString();
      expect(await walk('page_size=2', undefined, at)).to.eql([...waiting, ...matching]);
    });

    it('accepts a token with the same time or alone, and not with another time, asset or tenant', async () => {
      const query = `compliant_at=${later(0)}`;
      const { next_page_token } = await check(server, asset, `page_size=2&${query}`);
      const token = `page_token=${next_page_token}`;
      for (const beside of ['', `&${query}`, '&order_by=DEFAULT']) {
        expect(identities(await check(server, asset, `${token}${beside}`))).to.eql(matching.slice(2, 4));
      }
      const other = await createAnAsset(server);
      const refused = [
        await server.request('GET', `${PATH}/${asset}?${token}&compliant_at=${later(1)}`),
        await server.request('GET', `${PATH}/${other}?${token}`),
        await server.request('GET', `${PATH}/${asset}?${token}`, { as: server.otherTenant.root }),
        await server.request('GET', `/svc/v1/compliance_policies?${token}`),
      ];
      for (const answer of refused) expectProblem(answer, 400, 'PAGE_TOKEN_INVALID', 'page_token');
    });
  });

  it('applies the periods of policies to the millisecond', async () => {
    await createAPolicy(server, aPolicy({ time_period_seconds: 1 }));
    await recordAt(server, asset, { at: NOW, type: 'Inspection' });
    setClock(server, later(10_000));
    expect(await evaluateAt(server, asset, later(1000))).to.eql([true]);
    expect((await evaluateAt(server, asset, later(1001)))[0]).to.equal(false);
  });
});
