// Two servers of one organisation in processes of their own, killed in turn while clients fail over to the other with
// the same Idempotency-Key. Every answered record is there exactly once.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { closeOrganisations, type Organisation, openOrganisations } from '../support/organisations.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const CLIENTS = 8;
const KILLS = 4;
const EVENTS_BETWEEN_KILLS = 20;

interface EventPage {
  readonly events: EventResource[];
  readonly next_page_token: string;
}

describe('two servers of one organisation that are killed while clients write', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let organisation: Organisation;
  let contract: string;
  const processes: ServerProcess[] = [];
  before(async () => {
    node = await startNode(QUICK_NODE);
    const organisations = await openOrganisations(node, await createDirectory());
    organisation = organisations[1];
    contract = organisation.servers[0].ledger.contract;
    await closeOrganisations(organisations);
    processes.push(await start(0), await start(1));
  });
  after(async () => {
    for (const server of processes) await server.stop('SIGKILL');
    await node.kill();
  });

  const start = (at: number): Promise<ServerProcess> =>
    startServerProcess(organisation.servers[at]!.dataDir, [], {
      CHAIN_RPC_URL: node.url,
      LEDGER_CONTRACT: contract,
      KEYS_SHARED_DIR: organisation.sharedKeys,
      BLOBS_DIR: organisation.blobsDir,
      CHECKPOINT_SECONDS: '0',
      LOG_LEVEL: 'silent',
    });
  const ask = <T>(at: number, path: string, options: { body?: object; headers?: Record<string, string> } = {}) =>
    send<T>(`${processes[at]!.url}/archivist/v2/${path}`, organisation.servers[0].tenant.token, options);

  // Sends the same request to one server after the other until one has recorded it.
  const recordUntilAnswered = async (asset: AssetResource, key: string): Promise<EventResource> => {
    const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { key } };
    const options = { body, headers: { 'Idempotency-Key': key } };
    let event: EventResource | undefined;
    let attempt = key.length;
    await until(async () => {
      attempt += 1;
      const answer = await ask<EventResource>(attempt % 2, `${asset.identity}/events`, options).catch(() => undefined);
      // A server that starts doesn't answer yet.
      if (answer !== undefined) expect([200, 404, 503]).to.include(answer.status);
      event = answer?.status === 200 ? answer.body : undefined;
      return event !== undefined;
    });
    return event!;
  };

  it('has every answered record exactly once', async () => {
    const { body: asset } = await ask<AssetResource>(0, 'assets', { body: { attributes: {} } });
    const answered = new Map<string, EventResource>();
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const key = `${randomUUID()}${'x'.repeat(answered.size % 2)}`;
        answered.set(key, await recordUntilAnswered(asset, key));
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = answered.size + EVENTS_BETWEEN_KILLS;
      await until(() => answered.size >= enough);
      await processes[kill % 2]!.stop('SIGKILL');
      processes[kill % 2] = await start(kill % 2);
    }
    isOver = true;
    await Promise.all(clients);
    const expected = [...answered].map(([key, { identity }]) => `${key} ${identity}`).sort();
    const read = async (at: number): Promise<EventResource[]> => {
      const events: EventResource[] = [];
      let query = 'page_size=1000';
      for (let token: string | undefined; token !== ''; ) {
        const { body } = await ask<EventPage>(at, `${asset.identity}/events?${query}`);
        events.push(...body.events);
        token = body.next_page_token;
        query = `page_token=${encodeURIComponent(token)}`;
      }
      return events.filter(({ operation }) => operation === 'Record');
    };
    for (const at of [0, 1]) {
      const isSettled = (event: EventResource): boolean => event.confirmation_status === 'CONFIRMED';
      await until(async () => (await read(at)).length >= expected.length && (await read(at)).every(isSettled));
      const shown = (await read(at)).map(({ identity, event_attributes: { key } }) => `${String(key)} ${identity}`);
      expect(shown.sort()).to.deep.equal(expected);
    }
  });
});
