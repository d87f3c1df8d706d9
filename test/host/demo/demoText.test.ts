import { expect } from 'chai';
import type { EventVerdict } from '../../../chain/verification/eventVerification.ts';
import { DEMO_SCALE } from '../../../host/demo/demoScale.ts';
import { type DemoReport, toDemoLines } from '../../../host/demo/demoText.ts';
import { planDemo } from '../../../host/demo/planDemo.ts';

const URL_OF = 'http://127.0.0.1:8080';
const assets = planDemo(DEMO_SCALE).map((plan) => ({ plan, identity: `assets/${plan.name}`, events: [] }));
const verdict: EventVerdict = { isVerified: true, findings: [], uncovered: [] };

const toReport = (hasPages: boolean): DemoReport => ({
  server: { url: URL_OF, rpcUrl: 'http://127.0.0.1:8545', contract: '0x00', chainId: 1 },
  demo: { name: '7-24-600', assets },
  red: [{ asset: assets[0]!, reasons: ['Cold enough: too warm'] }],
  recovered: { asset: assets[1]!, redAt: '2026-11-24T00:00:00.000Z' },
  forgery: {
    identity: 'assets/container-0/events/1',
    genuinePath: '/tmp/a b/event.json',
    forgedPath: '/tmp/a b/forged-event.json',
    genuine: verdict,
    forged: verdict,
  },
  certificatePath: '/tmp/a b/certificate.pdf',
  hasPages,
});

const toDemoText = (report: DemoReport): string => toDemoLines(report).join('\n');

const linksOf = (text: string): string[] =>
  text
    .match(/http:\S+/g)!
    .filter((link) => link.startsWith(`${URL_OF}/`))
    .map((link) => link.slice(URL_OF.length));

describe('the text at the end of the demo', () => {
  it('links the pages of a server that has them', () => {
    expect(linksOf(toDemoText(toReport(true)))).to.deep.equal([
      '/assets?attributes.demo=7-24-600',
      '/assets/container-0',
      '/assets/container-1',
      '/assets/container-1?at=2026-11-24T00:00:00.000Z',
      '/p/assets/container-1',
      '/p/assets/gauge-0',
      '/assets/container-0/events/1',
    ]);
  });

  it('links the API of any other', () => {
    expect(linksOf(toDemoText(toReport(false)))).to.deep.equal([
      '/archivist/v2/assets?attributes.demo=7-24-600',
      '/archivist/v2/assets/container-0',
      '/archivist/v2/assets/container-1',
      '/archivist/v1/compliance/assets/container-1?compliant_at=2026-11-24T00:00:00.000Z',
      '/archivist/v2/publicassets/container-1',
      '/archivist/v2/publicassets/gauge-0',
      '/archivist/v2/assets/container-0/events/1',
    ]);
  });

  it('quotes the path in the command that checks the forgery', () => {
    expect(toDemoText(toReport(true))).to.include("npm run verify -- '/tmp/a b/forged-event.json' --rpc http");
  });

  it('says nothing of a recovered asset where there is none', () => {
    const text = toDemoText({ ...toReport(true), recovered: undefined });
    expect(text).not.to.include(`${URL_OF}/assets/container-1`);
    expect(text).to.include('600 events');
  });
});
