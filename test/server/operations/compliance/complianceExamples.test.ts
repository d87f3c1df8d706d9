// The acceptance examples of docs/decisions.md, checked over HTTP, now and at past times.
import { expect } from 'chai';
import { check, createAssetAt, evaluateAt, recordAt, setClock } from '../../support/compliance.ts';
import { createAnAsset, createAPolicy } from '../../support/requests.ts';
import { useNewServer } from '../../support/useServer.ts';

const START = '2026-11-20T00:00:00.000Z';
const HOUR_MS = 3_600_000;
const later = (ms: number): string => new Date(Date.parse(START) + ms).toISOString();

describe('compliance, by the acceptance examples', () => {
  const server = useNewServer();
  beforeEach(() => {
    setClock(server, START);
  });

  it('SINCE of 10 s', async () => {
    setClock(server, '2026-11-20T16:20:00.000Z');
    const { identity } = await createAPolicy(server, {
      compliance_type: 'COMPLIANCE_SINCE',
      event_display_type: 'Maintenance',
      time_period_seconds: 10,
    });
    const asset = await createAssetAt(server, '2026-11-20T16:20:30.000Z');
    expect(await evaluateAt(server, asset, '2026-11-20T16:20:30.000Z')).to.eql([false, 'No events found']);
    const event = await recordAt(server, asset, { at: '2026-11-20T16:20:37.759Z', type: 'Maintenance' });
    setClock(server, '2026-11-20T16:30:00.000Z');
    expect(await evaluateAt(server, asset, '2026-11-20T16:20:39Z')).to.eql([true]);
    expect(await evaluateAt(server, asset, '2026-11-20T16:20:47.759Z')).to.eql([true]);
    expect(await evaluateAt(server, asset, '2026-11-20T16:20:58Z')).to.eql([false, 'Duration 20s exceeds limit 10s']);
    const { compliance, compliant_at } = await check(server, asset, 'compliant_at=2026-11-20T17:20:58%2B01:00');
    expect(compliant_at).to.equal('2026-11-20T16:20:58.000Z');
    expect(compliance).to.eql([
      {
        compliance_policy_identity: identity,
        compliant: false,
        reason: 'Duration 20s exceeds limit 10s',
        evidence: {
          events: [{ identity: event, timestamp_accepted: '2026-11-20T16:20:37.759Z' }],
          events_total: 1,
          event_display_type: 'Maintenance',
          limit_seconds: '10',
          elapsed_seconds: 20.241,
        },
      },
    ]);
  });

  it('CURRENT_OUTSTANDING of Open and Close', async () => {
    await createAPolicy(server, {
      compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING',
      event_display_type: 'Open',
      closing_event_display_type: 'Close',
    });
    const asset = await createAssetAt(server, START);
    expect(await evaluateAt(server, asset, START)).to.eql([true]);
    const open = await recordAt(server, asset, { at: later(1), type: 'Open', correlation: 'c' });
    expect(await evaluateAt(server, asset, later(1))).to.eql([false, 'No closing event for Open']);
    const close = await recordAt(server, asset, { at: later(11_000), type: 'Close', correlation: 'c' });
    const { compliant, compliance } = await check(server, asset);
    expect(compliant).to.equal(true);
    expect(compliance[0].evidence).to.eql({
      events: [
        { identity: open, timestamp_accepted: later(1) },
        { identity: close, timestamp_accepted: later(11_000), answers: open },
      ],
      events_total: 2,
      event_display_type: 'Open',
      closing_event_display_type: 'Close',
      pairs: 1,
      open: 0,
    });
    expect(await evaluateAt(server, asset, later(6_000))).to.eql([false, 'No closing event for Open']);
  });

  it('RICHNESS of rad<7 or rad=10', async () => {
    await createAPolicy(server, {
      compliance_type: 'COMPLIANCE_RICHNESS',
      richness_assertions: [{ or: ['rad<7', 'rad=10'] }],
    });
    const verdicts: [string, boolean][] = [];
    for (const rad of ['6', '8', '10', '7']) {
      verdicts.push([rad, (await check(server, await createAnAsset(server, { attributes: { rad } }))).compliant]);
    }
    expect(verdicts).to.eql([
      ['6', true],
      ['8', false],
      ['10', true],
      ['7', false],
    ]);
    const { compliant } = await check(server, await createAnAsset(server));
    expect(compliant).to.equal(false);
  });

  it('RICHNESS of two policies, of which one holds', async () => {
    const rich = (assertion: string) =>
      createAPolicy(server, { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: [assertion] }] });
    const radiation = await rich('radiation_level<7');
    const weight = await rich('weight<=10');
    const asset = await createAnAsset(server, { attributes: { radiation_level: '9', weight: '8' } });
    const { compliant, compliance } = await check(server, asset);
    expect(compliant).to.equal(false);
    expect(compliance.map((each: Record<string, unknown>) => [each.compliance_policy_identity, each.compliant])).to.eql(
      [
        [weight.identity, true],
        [radiation.identity, false],
      ],
    );
    expect(compliance[1].evidence).to.deep.include({
      assertions: ['radiation_level<7'],
      attributes: { radiation_level: '9' },
    });
  });

  it('PERIOD_OUTSTANDING of 259200 s', async () => {
    await createAPolicy(server, {
      compliance_type: 'COMPLIANCE_PERIOD_OUTSTANDING',
      event_display_type: 'Open',
      closing_event_display_type: 'Close',
      time_period_seconds: '259200',
    });
    const cases: [closedAfterHours: number | undefined, evaluatedAfterHours: number, ...string[]][] = [
      [71, 100],
      [73, 100, 'Duration 73h0m0s exceeds limit 72h0m0s'],
      [undefined, 71],
      [undefined, 73, 'Duration 73h0m0s exceeds limit 72h0m0s'],
    ];
    for (const [index, [closed, requested, ...reasons]] of cases.entries()) {
      const afterHours = (hours: number) => later((1000 * index + hours) * HOUR_MS);
      const asset = await createAssetAt(server, afterHours(0));
      await recordAt(server, asset, { at: afterHours(0), type: 'Open', correlation: 'c' });
      if (closed !== undefined) {
        await recordAt(server, asset, { at: afterHours(closed), type: 'Close', correlation: 'c' });
      }
      setClock(server, afterHours(200));
      expect(await evaluateAt(server, asset, afterHours(requested))).to.eql([reasons.length === 0, ...reasons]);
    }
  });

  it('DYNAMIC_TOLERANCE of a window', async () => {
    await createAPolicy(server, {
      compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE',
      event_display_type: 'Open',
      closing_event_display_type: 'Close',
      dynamic_window: 86400,
      dynamic_variability: '1.5',
    });
    const asset = await createAssetAt(server, START);
    for (const [index, seconds] of [10, 10, 10, 60].entries()) {
      const correlation = String(index);
      await recordAt(server, asset, { at: later(index * 100_000), type: 'Open', correlation });
      await recordAt(server, asset, { at: later(index * 100_000 + seconds * 1000), type: 'Close', correlation });
    }
    const { compliant, compliance } = await check(server, asset);
    expect(compliant).to.equal(false);
    expect(compliance[0].evidence).to.include({ pairs: 4, exceeding: 1, mean_seconds: 22.5, elapsed_seconds: 60 });
    expect(await evaluateAt(server, asset, later(299_999))).to.eql([true]);
    setClock(server, later(86_400_000 + 350_000));
    expect((await check(server, asset)).compliant).to.equal(true);
  });

  it('a filter on type, vendor and place', async () => {
    const { identity } = await createAPolicy(server, {
      compliance_type: 'COMPLIANCE_RICHNESS',
      richness_assertions: [{ or: ['checked=yes'] }],
      asset_filter: [
        { or: ['type=Pump', 'type=Valve'] },
        { or: ['vendor=Synsation'] },
        { or: ['loc=West', 'loc=East'] },
      ],
    });
    const cases: [attributes: object, matches: boolean][] = [
      [{ type: 'Valve', vendor: 'Synsation', loc: 'East' }, true],
      [{ type: 'Pump', vendor: 'Synsation', loc: 'South' }, false],
      [{ type: 'Pump', vendor: 'Another', loc: 'West' }, false],
      [{ type: 'Door', vendor: 'Synsation', loc: 'West' }, false],
      [{}, false],
    ];
    for (const [attributes, matches] of cases) {
      const { compliant, compliance } = await check(server, await createAnAsset(server, { attributes }));
      expect([attributes, compliant, compliance.length]).to.eql([attributes, !matches, matches ? 1 : 0]);
      if (matches) expect(compliance[0].compliance_policy_identity).to.equal(identity);
    }
  });
});
