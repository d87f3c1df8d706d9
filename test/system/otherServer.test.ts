// Two servers of one organisation: a single read of what the other one has committed finds it at once.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import type { KnownLedger } from '../../host/knownLedger.ts';
import type { Ledger } from '../../host/openLedger.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toUuid } from '../../ledger/identity.ts';
import { deployOn, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { uuidOf } from '../support/records.ts';
import { type ListeningServer, openTestLedger, send, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

/** No poll happens while the test runs: only reads that find nothing make the other server look. */
const NEVER_MS = 3_600_000;
/** Twenty requests that wait for it at the same time end within a test's limit, and one after another don't. */
const TIMEOUT_MS = 4_000;

describe('another server of the same organisation', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let one: Ledger;
  let two: Ledger;
  let servers: ListeningServer[] = [];
  let alpha: FixtureTenant;
  let token: string;

  const requestToken = (clientId: string, secret: string): Promise<Response> =>
    fetch(`${servers[1]!.url}/archivist/iam/v1/appidp/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
    });
  const readAtOther = <T>(path: string, authorization = token) =>
    send<T>(`${servers[1]!.url}/archivist/v2/${path}`, authorization);

  before(async () => {
    node = await startNode(QUICK_NODE);
    const [first, second] = [await createDirectory(), await createDirectory()];
    const network = toNetwork(node.url);
    await deployOn(node, first, network);
    one = await openTestLedger(first, { network });
    servers = [await serveTestLedger(one)];
    alpha = await createFixtureTenant(one, servers[0]!, 'alpha');
    const { contract } = JSON.parse(await readFile(dataPaths(first).network, 'utf8')) as KnownLedger;
    const relayer = await (await openKeyring(dataPaths(second).keys)).openWallet('relayer');
    await setBalance(node, relayer.address);
    two = await openTestLedger(second, {
      network: { ...network, contract: contract as Hex, pollMs: NEVER_MS, timeoutMs: TIMEOUT_MS },
      servedTenants: [alpha.identity],
    });
    servers.push(await serveTestLedger(two));
    const answer = (await (await requestToken(alpha.clientId, alpha.clientSecret)).json()) as { access_token: string };
    token = answer.access_token;
  });
  after(async () => {
    for (const server of servers) await server.close();
    for (const ledger of [one, two]) await ledger?.close();
    await node?.kill();
  });

  it('shows an asset, an event, a location, a policy and a public form that the first one has just answered', async () => {
    const asset = await alpha.createAsset();
    expect((await readAtOther(asset.identity)).status).to.equal(200);
    const { body: event } = await alpha.record(asset, 'seen elsewhere');
    expect((await readAtOther<{ identity: string }>(event.identity)).body.identity).to.equal(event.identity);
    const location = { display_name: 'mint', description: '', latitude: 51.5, longitude: -0.1 };
    const { body: located } = await alpha.post<{ identity: string }>('locations', location);
    expect((await readAtOther(located.identity)).status).to.equal(200);
    const policy = {
      compliance_type: 'COMPLIANCE_SINCE',
      display_name: 'p',
      description: 'd',
      asset_filter: [{ or: ['attributes.a=b'] }],
      event_display_type: 'Oiling',
      time_period_seconds: 10,
    };
    const base = servers.map(({ url }) => `${url}/archivist/v1/compliance_policies`);
    const created = await send<{ identity: string }>(base[0]!, alpha.token, { body: policy });
    const read = await send(`${base[1]}/${toUuid(created.body.identity)}`, token);
    expect([created.status, read.status]).to.deep.equal([200, 200]);
    const { body: shown } = await alpha.post<{ identity: string }>('assets', { attributes: {}, public: true });
    const open = await fetch(`${servers[1]!.url}/archivist/v2/publicassets/${toUuid(shown.identity)}`);
    expect(open.status).to.equal(200);
  });

  it('gives the same verdict for one time and one block, also later, and refuses a block that is not there', async () => {
    const policy = {
      compliance_type: 'COMPLIANCE_RICHNESS',
      display_name: 'has a colour',
      description: '',
      asset_filter: [{ or: ['attributes.kind=Door'] }],
      richness_assertions: [{ or: ['colour=red'] }],
    };
    const policies = `${servers[0]!.url}/archivist/v1/compliance_policies`;
    expect((await send(policies, alpha.token, { body: policy })).status).to.equal(200);
    const asset = await alpha.createAsset({ kind: 'Door', colour: 'red' });
    type Verdict = Record<'compliant_at' | 'block_hash', string> & { block_number: number; compliant: boolean };
    const checkAt = (server: number, query = '') =>
      send<Verdict>(
        `${servers[server]!.url}/archivist/v1/compliance/${asset.identity}${query}`,
        server === 0 ? alpha.token : token,
      );
    const first = await checkAt(0);
    const { block_number: block, block_hash: hash, compliant_at: at } = first.body;
    expect(first.body.compliant).to.equal(true);
    const mined = (await node.request('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])) as { hash: string };
    expect(hash).to.equal(mined.hash);
    // The other server learns of the block by the request.
    const pair = `?compliant_at=${at}&at_block=${block}`;
    expect(await checkAt(1, pair)).to.deep.include({ status: 200, body: first.body });
    const changed = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: {} };
    await alpha.post(`${asset.identity}/events`, { ...changed, asset_attributes: { colour: 'blue' } });
    await send(policies, alpha.token, { body: { ...policy, richness_assertions: [{ or: ['colour=green'] }] } });
    const now = await checkAt(0);
    expect(now.body.compliant).to.equal(false);
    for (const server of [0, 1]) expect((await checkAt(server, pair)).body).to.deep.equal(first.body);
    expect((await checkAt(1, `?at_block=${now.body.block_number}`)).body.compliant).to.equal(false);
    expect((await checkAt(1, `?at_block=${one.deploymentBlock}`)).status).to.equal(404);
    const refused = [
      now.body.block_number + 1_000,
      one.deploymentBlock - 1,
      -1,
      'x',
      '1.5',
      '1e3',
      '0x10',
      '9'.repeat(16),
    ];
    for (const server of [0, 1])
      for (const wrong of refused)
        expect((await checkAt(server, `?at_block=${wrong}`)).status, `${wrong}`).to.equal(400);
  });

  it('issues a token for an application that the first one has just created', async () => {
    const applications = `${servers[0]!.url}/archivist/iam/v1/applications`;
    const body = { display_name: 'new', custom_claims: {}, roles: ['writer'] };
    type Created = { client_id: string; credentials: { secret: string }[] };
    const created = await send<Created>(applications, alpha.token, { body });
    const { client_id: clientId, credentials } = created.body;
    expect((await requestToken(clientId, credentials[0]!.secret)).status).to.equal(200);
    expect((await requestToken(clientId, 'wrong')).status).to.equal(401);
  });

  it('refuses what nobody has recorded, after one timeout for all when the chain hangs', async () => {
    expect((await readAtOther(`assets/${uuidOf(77)}`)).status).to.equal(404);
    const asset = await alpha.createAsset();
    node.freeze();
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, () => readAtOther(asset.identity)));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 404));
    } finally {
      node.thaw();
    }
    await until(async () => (await readAtOther(asset.identity)).status === 200);
  });
});
