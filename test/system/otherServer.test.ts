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

/** No poll happens while the test runs: only reads that find nothing make the other server look. */
const NEVER_MS = 3_600_000;
const TIMEOUT_MS = 1_000;

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

  it('issues a token for an application that the first one has just created', async () => {
    const applications = `${servers[0]!.url}/archivist/iam/v1/applications`;
    const body = { display_name: 'new', custom_claims: {}, roles: ['writer'] };
    type Created = { client_id: string; credentials: { secret: string }[] };
    const created = await send<Created>(applications, alpha.token, { body });
    const { client_id: clientId, credentials } = created.body;
    expect((await requestToken(clientId, credentials[0]!.secret)).status).to.equal(200);
    expect((await requestToken(clientId, 'wrong')).status).to.equal(401);
  });

  it('refuses what nobody has recorded, and soon when the chain hangs', async () => {
    expect((await readAtOther(`assets/${uuidOf(77)}`)).status).to.equal(404);
    const asset = await alpha.createAsset();
    node.freeze();
    try {
      const beganMs = performance.now();
      const answers = await Promise.all(Array.from({ length: 20 }, () => readAtOther(asset.identity)));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 404));
      expect(performance.now() - beganMs).to.be.below(3 * TIMEOUT_MS);
    } finally {
      node.thaw();
    }
    expect((await readAtOther(asset.identity)).status).to.equal(200);
  });
});
