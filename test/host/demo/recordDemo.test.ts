// What the demo records through the API of a server in this process; runDemo.long.test.ts has the command as a whole.
import { join } from 'node:path';
import { expect } from 'chai';
import { createDemoApi } from '../../../host/demo/demoApi.ts';
import { type DemoApis, openDemoApplications } from '../../../host/demo/demoApplications.ts';
import { toDemoName } from '../../../host/demo/demoScale.ts';
import { planDemo } from '../../../host/demo/planDemo.ts';
import { type RecordedDemo, recordDemo } from '../../../host/demo/recordDemo.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import { useSharedLedger } from '../../support/sharedLedger.ts';

const SCALE = { seed: 3, assets: 8, events: 120 };

describe('recordDemo', () => {
  const shared = useSharedLedger();
  let apis: DemoApis;
  let demo: RecordedDemo;

  const record = () => recordDemo(apis, toDemoName(SCALE), planDemo(SCALE), () => undefined);
  const listEvents = async (): Promise<EventResource[]> =>
    (await shared().alpha.get<{ events: EventResource[] }>('assets/-/events?page_size=500')).body.events;

  before(async () => {
    const { server, alpha, dataDir } = shared();
    const api = { baseUrl: `${server.url}/archivist` };
    const root = createDemoApi(api, async () => alpha.token);
    apis = await openDemoApplications(root, api, join(dataDir, 'demo', 'applications.json'));
    demo = await record();
  });

  it('records as many assets and events as it was asked for, the late one at the end', async () => {
    expect(demo.assets).to.have.length(SCALE.assets);
    const isRecord = ({ operation }: EventResource) => operation !== 'NewAsset';
    expect((await listEvents()).filter(isRecord)).to.have.length(SCALE.events - 1);
    await demo.recordLate();
    expect((await listEvents()).filter(isRecord)).to.have.length(SCALE.events);
  });

  it('records as three applications', async () => {
    const authors = new Set((await listEvents()).map(({ principal_accepted }) => principal_accepted.display_name));
    expect([...authors].sort()).to.deep.equal(['Demo carrier', 'Demo inspector', 'Demo port']);
  });

  it('records nothing when it is run again, and finds the same records', async () => {
    const before = await listEvents();
    const again = await record();
    await again.recordLate();
    expect(await listEvents()).to.deep.equal(before);
    expect({ ...again, recordLate: 0 }).to.deep.equal({ ...demo, recordLate: 0 });
  });
});
