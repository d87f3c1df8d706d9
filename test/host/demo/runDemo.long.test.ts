// The demo as an operator runs it, on a real server, and what the API says afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { toCheckDigit } from '../../../host/demo/containerNumber.ts';
import { type ServerProcess, startServerProcess } from '../../../host/lifecycle/serverProcess.ts';
import { sendCommand } from '../../../host/operator/controlClient.ts';
import type { AssetResource } from '../../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import { type Run, runScript, toProblems } from '../../support/runScript.ts';
import { createTemporaryDirectory, send } from '../../support/testLedger.ts';

const SCALE = ['--seed', '3', '--assets', '8', '--events', '120'];
const NAME = '3-8-120';
const script = fileURLToPath(new URL('../../../scripts/demo.ts', import.meta.url));

interface Statement {
  readonly compliant: boolean;
  readonly compliance_policy_identity: string;
}

describe('npm run demo', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: ServerProcess;
  let token: string;
  let assets: AssetResource[];
  let first: Run;

  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await send<T>(`${server.url}/archivist/${path}`, token);
    expect(status, path).to.equal(200);
    return body;
  };
  const listEvents = async (query: string, name = NAME): Promise<EventResource[]> =>
    (await get<{ events: EventResource[] }>(`v2/assets/-/events?page_size=500&asset.attributes.demo=${name}${query}`))
      .events;
  const check = (asset: AssetResource, query = '') =>
    get<{ compliant: boolean; compliance: Statement[] }>(`v1/compliance/${asset.identity}${query}`);
  const assetsOf = (type: string) => assets.filter(({ attributes }) => attributes.arc_display_type === type);
  const findAsset = (identity: string) => assets.find((asset) => asset.identity === identity)!;
  const readHeight = async (): Promise<string> =>
    (await get<{ blockchain_nodes: { block_height: string }[] }>('v1/node')).blockchain_nodes[0]!.block_height;
  const failedTypes = async (asset: AssetResource): Promise<string[]> => {
    const failed = (await check(asset)).compliance.filter(({ compliant }) => !compliant);
    const policies = await Promise.all(
      failed.map((one) => get<{ compliance_type: string }>(`v1/${one.compliance_policy_identity}`)),
    );
    return policies.map(({ compliance_type }) => compliance_type.replace('COMPLIANCE_', ''));
  };

  before(async () => {
    ({ path: dataDir, remove } = await createTemporaryDirectory());
    // Without checkpoints, each block has records.
    server = await startServerProcess(dataDir, [], { CHECKPOINT_SECONDS: '0' });
    first = await runScript('demo.ts', dataDir, SCALE);
    token = (await sendCommand<{ token: string }>(dataDir, 'token', { tenant: 'default', role: 'root' }))!.token;
    ({ assets } = await get<{ assets: AssetResource[] }>(`v2/assets?page_size=100&attributes.demo=${NAME}`));
  });
  after(async () => {
    await server.stop('SIGKILL');
    await remove();
  });

  it('records as many assets and events as it was asked for', async () => {
    expect(first.code, first.stderr).to.equal(0);
    expect(assets).to.have.length(8);
    const events = await listEvents('');
    expect(events.filter(({ operation }) => operation !== 'NewAsset')).to.have.length(120);
  });

  it('records nothing when it is run again, and prints the same links', async () => {
    const height = await readHeight();
    const second = await runScript('demo.ts', dataDir, SCALE);
    expect(second.code, second.stderr).to.equal(0);
    expect(await readHeight()).to.equal(height);
    const toLinks = ({ stdout }: Run) => stdout.match(/https?:\S+/g)!;
    expect(toLinks(second)).to.deep.equal(toLinks(first));
    expect(toLinks(first).length).to.be.greaterThan(8);
    expect(toProblems(second)).to.equal('');
  });

  it('gets other secrets for its applications when theirs are lost, and still records nothing else', async () => {
    const path = join(dataDir, 'demo', 'applications.json');
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    await writeFile(path, '{}');
    const third = await runScript('demo.ts', dataDir, SCALE);
    expect(third.code, third.stderr).to.equal(0);
    expect(await listEvents('')).to.have.length(128);
    const { applications } = await get<{ applications: object[] }>('iam/v1/applications?page_size=50');
    expect(applications).to.have.length(4);
  });

  it('records as three applications', async () => {
    const events = await listEvents('');
    const authors = new Set(events.map(({ principal_accepted }) => principal_accepted.display_name));
    expect([...authors].sort()).to.deep.equal(['Demo carrier', 'Demo inspector', 'Demo port']);
    const { subject } = events.find(
      ({ principal_accepted }) => principal_accepted.display_name === 'Demo port',
    )!.principal_accepted;
    const own = await listEvents(`&principal_accepted.subject=${subject}`);
    expect(own.every(({ principal_accepted }) => principal_accepted.display_name === 'Demo port')).to.equal(true);
    expect(own.length).to.be.greaterThan(10).and.lessThan(events.length);
  });

  it('gives containers valid numbers, home locations and positions', async () => {
    const containers = assetsOf('Refrigerated container');
    expect(containers).to.have.length(4);
    for (const { attributes } of containers) {
      const number = String(attributes.arc_serial_number);
      expect(toCheckDigit(number.slice(0, 10))).to.equal(Number(number[10]));
      expect(Number(attributes.arc_gis_lat)).to.be.within(-90, 90);
      expect(Number(attributes.arc_gis_lng)).to.be.within(-180, 180);
      await get(`v2/${String(attributes.arc_home_location_identity)}`);
    }
  });

  it('leaves one asset red for each type of policy that time does not fail later', async () => {
    const red = await Promise.all(assets.map(async (asset) => (await failedTypes(asset)).join()));
    expect(red.filter((types) => !['', 'SINCE'].includes(types)).sort()).to.deep.equal([
      'CURRENT_OUTSTANDING',
      'DYNAMIC_TOLERANCE',
      'PERIOD_OUTSTANDING',
      'RICHNESS',
    ]);
    expect(first.stdout).to.match(/Lifts take as long as usual: Duration (?!0s)/);
    const { compliance_policies } = await get<{ compliance_policies: object[] }>('v1/compliance_policies');
    expect(compliance_policies).to.have.length(5);
  });

  it('demands checks of gauges in continuous duty, and of no others', async () => {
    const gauges = await Promise.all(
      assetsOf('Pressure gauge').map(async (gauge) => {
        const created = (await listEvents('&operation=NewAsset')).find((one) => one.asset_identity === gauge.identity)!;
        const unchecked = await check(gauge, `?compliant_at=${created.timestamp_accepted}`);
        return [gauge.attributes.duty, unchecked.compliant];
      }),
    );
    expect(gauges.sort()).to.deep.equal([
      ['continuous', false],
      ['continuous', false],
      ['occasional', true],
    ]);
  });

  it('links the verdict of the past of a container that recovered', async () => {
    const [, identity, at] = /\/(assets\/[\w-]+)\?(?:compliant_)?at=(\S+)/.exec(first.stdout)!;
    const recovered = findAsset(identity!);
    expect((await check(recovered, `?compliant_at=${at}`)).compliant).to.equal(false);
    expect((await check(recovered)).compliant).to.equal(true);
  });

  it('has who touched the open seal last', async () => {
    const open = assetsOf('Refrigerated container').filter(({ attributes }) => attributes.seal === 'open');
    expect(open).to.have.length(1);
    const { events } = await get<{ events: EventResource[] }>(
      `v2/${open[0]!.identity}/events?attributes.component=seal`,
    );
    expect(events[0]!.event_attributes.arc_display_type).to.equal('Seal opened');
    expect(events[0]!.principal_declared.display_name).to.equal('Amara Okafor');
  });

  it('attaches certificates to gauges, one of them superseded, and saves one that the ledger finds', async () => {
    const counts = assetsOf('Pressure gauge').map(({ attributes }) => (attributes.arc_attachments as object[]).length);
    expect(counts.sort()).to.deep.equal([1, 1, 2]);
    const [superseded] = await listEvents('&attributes.arc_display_type=Certificate%20superseded');
    const gauge = findAsset(superseded!.asset_identity);
    expect(superseded!.event_attributes.valid_certificate).to.equal(gauge.attributes.certificate);
    expect(superseded!.event_attributes.superseded_certificate).not.to.equal(gauge.attributes.certificate);
    const bytes = await readFile(join(dataDir, 'demo', NAME, 'certificate.pdf'));
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    const { blobs } = await get<{ blobs: { mime_type: string }[] }>(`v1/blobs?hash=${hash}`);
    expect(blobs.map(({ mime_type }) => mime_type)).to.deep.equal(['application/pdf']);
  });

  it('makes two assets public', async () => {
    const links = [...first.stdout.matchAll(/https?:\S+\/(?:v2\/publicassets|p\/assets)\/\S+/g)].map(([link]) => link);
    expect(links).to.have.length(2);
    for (const link of links) expect((await fetch(link)).status).to.equal(200);
    expect(assets.filter((asset) => asset.public)).to.have.length(2);
  });

  it('tells the times of the data from those of the server', async () => {
    const [reading] = await listEvents('&attributes.arc_display_type=Reading');
    const { timestamp_declared, timestamp_accepted } = reading!;
    expect(Date.parse(timestamp_accepted)).to.be.greaterThan(Date.parse(timestamp_declared));
    const before = new Date(Date.parse(timestamp_accepted) - 5 * 24 * 3_600_000).toISOString();
    const past = await listEvents(`&attributes.arc_display_type=Reading&timestamp_declared_before=${before}`);
    expect(past.length).to.be.greaterThan(5);
  });

  it('proves an event by the contract, and refutes its forgery', async () => {
    expect(first.stdout)
      .to.match(/content +proved/)
      .and.to.match(/content +refuted/);
    const [, forged, rpc, contract] = /verify -- '(\S+)' --rpc (\S+) --contract (\S+)/.exec(first.stdout)!;
    const verify = (path: string) => runScript('verify.ts', dataDir, [path, '--rpc', rpc!, '--contract', contract!]);
    expect((await verify(forged!)).code).to.equal(1);
    expect((await verify(forged!.replace('forged-event', 'event'))).code).to.equal(0);
  });

  it('goes on with new events until it is stopped, with --live', async () => {
    const since = new Date().toISOString();
    const child = spawn(process.execPath, [script, ...SCALE, '--live'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let checks = 0;
    for await (const line of createInterface({ input: child.stdout }))
      if (/^\S+Z {2}.*: Gauge check, /.test(line) && ++checks === 4) child.kill('SIGINT');
    expect(await ended).to.deep.equal([0, null]);
    const events = await listEvents(`&timestamp_declared_since=${since}`);
    const types = new Set(events.map(({ event_attributes }) => event_attributes.arc_display_type));
    expect([...types].sort()).to.deep.equal(['Door test', 'Gauge check', 'Reading']);
    const gauges = await Promise.all(assetsOf('Pressure gauge').map((gauge) => failedTypes(gauge)));
    expect(gauges.flat()).to.deep.equal([]);
  });

  it('completes a run that was killed', async () => {
    const scale = ['--seed', '4', '--assets', '9', '--events', '130'];
    const env = { ...process.env, DATA_DIR: dataDir };
    const child = spawn(process.execPath, [script, ...scale], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stderr }))
      if (line.startsWith('waiting')) child.kill('SIGKILL');
    expect(await ended).to.deep.equal([null, 'SIGKILL']);
    expect(await listEvents('', '4-9-130')).to.have.length(9 + 129);
    const { code, stderr } = await runScript('demo.ts', dataDir, scale);
    expect(code, stderr).to.equal(0);
    expect(await listEvents('', '4-9-130')).to.have.length(9 + 130);
  });

  it('names an option that is out of its bounds', async () => {
    const { code, stderr } = await runScript('demo.ts', dataDir, ['--assets', '7']);
    expect(code).to.equal(1);
    expect(stderr).to.include('--assets is "7"');
  });
});
