// What an export of one ledger has is in another one after an import, resource by resource, in any order of lines.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { runAs } from '../../../host/commandProcess.ts';
import { createDemoApi } from '../../../host/demo/demoApi.ts';
import { openDemoApplications } from '../../../host/demo/demoApplications.ts';
import { createDemoPolicies } from '../../../host/demo/demoPolicies.ts';
import { createDraws } from '../../../host/demo/draws.ts';
import { planDemo } from '../../../host/demo/planDemo.ts';
import { recordDemo } from '../../../host/demo/recordDemo.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { EXPORT_RECORDS, importFile } from '../../../host/import/importFile.ts';
import type { ImportRole } from '../../../host/import/importRequests.ts';
import { listenForControl } from '../../../host/operator/controlServer.ts';
import { exportEventsForOperator } from '../../../host/operator/exportEvents.ts';
import { startTestServer, type TestServer } from '../../server/support/testServer.ts';
import { recordRandomLedger } from '../../support/randomLedger.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

type Json = Record<string, unknown>;

const IDENTITY = /(?:assets|locations|blobs|compliance_policies)\/[0-9a-f-]{36}(?:\/events\/[0-9a-f-]{36})?/g;
/** What differs between ledgers: the acceptance, the place on the chain, and the tenant with its wallet. */
const OF_LEDGER = [
  ...['timestamp_accepted', 'timestamp_committed', 'principal_accepted', 'at_time', 'issuer', 'subject'],
  ...['block_number', 'transaction_index', 'transaction_id', 'log_index', 'from', 'owner'],
  ...['tenant_identity', 'tenantid', 'chain_id'],
];

const readAll = async (server: TestServer, path: string, name: string): Promise<Json[]> => {
  const items: Json[] = [];
  for (let token = ''; ; ) {
    const query = token === '' ? '' : `${path.includes('?') ? '&' : '?'}page_token=${encodeURIComponent(token)}`;
    const { body } = await server.request('GET', `/svc/${path}${query}`);
    items.push(...body[name]);
    token = body.next_page_token;
    if (token === '') return items;
  }
};

const readLedger = async (server: TestServer) => ({
  assets: await readAll(server, 'v2/assets?tracked=ANY', 'assets'),
  events: await readAll(server, 'v2/assets/-/events', 'events'),
  locations: await readAll(server, 'v2/locations', 'locations'),
  policies: await readAll(server, 'v1/compliance_policies', 'compliance_policies'),
});

type Read = Awaited<ReturnType<typeof readLedger>>;

const attributesOf = (resource: Json): Json => (resource.event_attributes ?? resource.attributes ?? {}) as Json;
const isCreation = ({ operation }: Json): boolean => operation === 'NewAsset';

// The identities there of what is here. Each file of the source has other bytes, or is attached in the same places.
const toSourceNames = (here: Read, there: Read): Map<string, string> => {
  const names = new Map<string, string>();
  for (const resource of [...here.assets, ...here.locations, ...here.events.filter((event) => !isCreation(event))])
    names.set(String(resource.identity), String(attributesOf(resource).imported_from));
  for (const { identity, display_name: name } of here.policies)
    names.set(String(identity), String(there.policies.find((policy) => policy.display_name === name)!.identity));
  const creations = new Map(there.events.filter(isCreation).map((event) => [event.asset_identity, event.identity]));
  for (const event of here.events.filter(isCreation))
    names.set(String(event.identity), String(creations.get(names.get(String(event.asset_identity))!)));
  return names;
};

const toName = ({ display_name: name }: Json): string => String(name);

const withoutImported = (attributes: Json): Json =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.startsWith('imported_')));

const DECLARED = ['timestamp_declared', 'principal_declared'];

const toComparable = (resource: Json): Json => {
  const kept = Object.entries(resource).filter(
    ([name]) => !OF_LEDGER.includes(name) && !(isCreation(resource) && DECLARED.includes(name)),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name.endsWith('attributes') ? withoutImported(value as Json) : value]),
  );
};

const readContent = async (server: TestServer, identity: string): Promise<Json> => {
  const { body } = await server.request('GET', `/svc/v1/${identity}/info`);
  const bytes = (await server.request('GET', `/svc/v1/${identity}`)).body;
  return { ...toComparable(body), identity: '', bytes };
};

// A file has no attributes: two are the same when the same records name them, and their bytes and types are equal.
const expectSameFiles = async (
  servers: readonly TestServer[],
  texts: readonly string[],
): Promise<Map<string, string>> => {
  const [there, here] = texts.map((text) => text.match(/blobs\/[0-9a-f-]{36}/g) ?? []);
  expect(here).to.have.length(there!.length);
  const names = new Map(here!.map((identity, at) => [identity, there![at]!]));
  for (const [identity, source] of names)
    expect(await readContent(servers[1]!, identity)).to.eql(await readContent(servers[0]!, source));
  return names;
};

describe('a round trip of two ledgers', function () {
  this.timeout(60_000); // records hundreds of events on two servers
  let servers: [TestServer, TestServer];
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  beforeEach(async () => {
    servers = [await startTestServer(), await startTestServer()];
    directory = await createTemporaryDirectory();
  });
  afterEach(async () => {
    for (const server of servers) {
      expect(server.unexpected).to.eql([]);
      await server.close();
    }
    await directory.remove();
  });

  const exportAll = async (server: TestServer): Promise<string> => {
    const all = join(directory.path, 'all');
    const token = async () => server.tokens.issue(server.tenant.reader);
    const commands = { info: async () => ({ url: server.url }), token };
    const close = await listenForControl(dataPaths(directory.path).controlSocket, commands);
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const process = { env: { DATA_DIR: directory.path }, stdout: output, stderr: output };
    try {
      expect(await runAs(process, () => exportEventsForOperator({ tenant: 'first', all }))).to.equal(0);
    } finally {
      await close();
    }
    return all;
  };

  const importAll = async (path: string, server: TestServer) => {
    const failures: unknown[] = [];
    const readToken = async (role: ImportRole) => (await server.tokens.issue(server.tenant[role])).token;
    const onFailure = (...failure: unknown[]) => void failures.push(failure);
    const target = { url: server.url, readToken, pause: async () => {} };
    const counts = await importFile({ path }, target, { onFailure, onProgress: () => {} });
    expect(failures).to.eql([]);
    return counts;
  };

  const shuffle = async (path: string, seed: string): Promise<void> => {
    const records = join(path, EXPORT_RECORDS);
    const lines = (await readFile(records, 'utf8')).trim().split('\n');
    const draws = createDraws(seed);
    const order = new Map(lines.map((line, at) => [line, draws.between(String(at), 0, 1)]));
    await writeFile(records, lines.sort((a, b) => order.get(a)! - order.get(b)!).join('\n'));
  };

  // A list of locations or policies names no time, so lines in any order don't keep theirs.
  const toText = ({ assets, events, locations, policies }: Read): string => {
    const named = [locations, policies].map((list) => list.toSorted((a, b) => (toName(a) < toName(b) ? -1 : 1)));
    const lists = [assets, events, ...named].map((list) => list.map(toComparable));
    return JSON.stringify(lists, sortNames);
  };

  const expectEqual = async (): Promise<void> => {
    const [there, here] = [await readLedger(servers[0]), await readLedger(servers[1])];
    const blobs = await expectSameFiles(servers, [toText(there), toText(here)]);
    const names = new Map([...toSourceNames(here, there), ...blobs]);
    const renamed = toText(here).replace(IDENTITY, (identity) => names.get(identity) ?? identity);
    for (const [list, items] of JSON.parse(toText(there)).entries())
      for (const [n, item] of items.entries()) expect(JSON.parse(renamed)[list][n], `${list} ${n}`).to.eql(item);
    expect(JSON.parse(renamed)).to.eql(JSON.parse(toText(there)));
  };

  it('of a random ledger loses nothing, in any order of lines', async () => {
    const [source, target] = servers;
    const assets = await recordRandomLedger(source, { seed: 'round trip', assets: 12, events: 120 });
    const path = await exportAll(source);
    await shuffle(path, 'lines');
    const counts = await importAll(path, target);
    expect(counts).to.include({ assets: assets.length, locations: 2, policies: 3, failed: 0, left: 0 });
    await expectEqual();
    expect(await importAll(path, target)).to.eql(counts);
    await expectEqual();
  });

  it("of the project's own demo loses nothing", async () => {
    const [source, target] = servers;
    const scale = { seed: 3, assets: 8, events: 120 };
    const api = { baseUrl: `${source.url}/archivist` };
    const root = createDemoApi(api, async () => (await source.tokens.issue(source.tenant.root)).token);
    const apis = await openDemoApplications(root, api, join(directory.path, 'applications.json'));
    const demo = await recordDemo(apis, 'demo', planDemo(scale), () => undefined);
    await demo.recordLate();
    await createDemoPolicies(root, 'demo');
    const counts = await importAll(await exportAll(source), target);
    expect(counts).to.include({ assets: scale.assets, events: scale.events, failed: 0, left: 0 });
    await expectEqual();
    const [there, here] = [await readLedger(source), await readLedger(target)];
    expect([here.locations.map(toName), here.policies.map(toName)]).to.eql([
      there.locations.map(toName),
      there.policies.map(toName),
    ]);
  });
});

/** Objects of the same members are equal texts. */
function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
