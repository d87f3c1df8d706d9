// npm run demo: a door's maintenance, told against the running server, and the last event checked on the contract without it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { createRpcClient } from '../chain/jsonRpc/rpcClient.ts';
import { verifyEvent } from '../chain/verification/eventVerification.ts';
import { findServer, type ServerInfo } from '../host/operator/controlClient.ts';
import { runOperatorCommand } from '../host/operator/runOperatorCommand.ts';
import { readConfig } from '../host/settings/config.ts';
import { FIRST_TENANT } from '../host/tenants.ts';
import type { AssetResource } from '../ledger/assets/assetResource.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import type { EventResource } from '../ledger/records/event.ts';

const TIMEOUT_MS = 10_000;

interface Api {
  post<T>(path: string, body: object): Promise<T>;
  get<T>(path: string): Promise<T>;
}

const createApi = (baseUrl: string, token: string): Api => {
  const call = async <T>(path: string, init: RequestInit): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
    get: (path) => call(path, {}),
  };
};

const say = (text: string): void => console.log(`\n${text}`);
const show = (label: string, value: string): void => console.log(`    ${label.padEnd(16)} ${value}`);

const showCommitment = (event: EventResource): void => {
  show('event', event.identity);
  show('status', event.confirmation_status);
  show('block', String(event.block_number));
  show('transaction', event.transaction_id);
  show('author', event.from);
};

const technician = { issuer: 'https://doors.example', subject: 'technician-17', display_name: 'Ida Holm', email: '' };

const createDoor = async (api: Api): Promise<AssetResource> => {
  say('A door comes into service. Its creation is its first record.');
  const door = await api.post<AssetResource>('/v2/assets', {
    attributes: { arc_display_name: 'Door 7, gate B', arc_display_type: 'Fire door', inspection: 'due' },
  });
  show('asset', door.identity);
  show('owner', door.owner);
  return door;
};

const recordWork = (api: Api, door: AssetResource, type: string, description: string, inspection: string) =>
  api.post<EventResource>(`/v2/${door.identity}/events`, {
    behaviour: 'RecordEvidence',
    operation: 'Record',
    principal_declared: technician,
    event_attributes: { arc_display_type: type, arc_description: description },
    asset_attributes: { inspection },
  });

const checkWithoutServer = async (server: ServerInfo, event: EventResource): Promise<boolean> => {
  say(
    `Now a third party, who doesn't trust the server, asks the contract ${server.contract} through ${server.rpcUrl}.`,
  );
  const request = createRpcClient(server.rpcUrl, TIMEOUT_MS);
  const honest = await verifyEvent(request, server.contract as Hex, event);
  for (const { ok, text } of honest) show(ok ? 'checked' : 'FAILED', text);
  say('The same event, with one word of its description changed by somebody who would rather it said so:');
  const event_attributes = { ...event.event_attributes, arc_description: 'closer adjusted, seal kept' };
  const forged = await verifyEvent(request, server.contract as Hex, { ...event, event_attributes });
  for (const { ok, text } of forged) show(ok ? 'checked' : 'REFUSED', text);
  return honest.every(({ ok }) => ok) && !forged.every(({ ok }) => ok);
};

const tell = async (pauseMs: number): Promise<void> => {
  const { dataDir } = readConfig();
  const server = await findServer(dataDir);
  const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', {
    tenant: FIRST_TENANT,
    role: 'root',
  });
  const api = createApi(`${server.url}/archivist`, token);
  const door = await createDoor(api);
  await sleep(pauseMs);
  say('The yearly inspection finds that it closes too slowly.');
  showCommitment(await recordWork(api, door, 'Inspection', 'closes in 9 s, limit 5 s', 'failed'));
  await sleep(pauseMs);
  say('A technician mends it.');
  const repair = await recordWork(api, door, 'Repair', 'closer adjusted, seal replaced', 'passed');
  showCommitment(repair);
  await sleep(pauseMs);
  const now = await api.get<AssetResource>(`/v2/${door.identity}`);
  say(`The door as the server knows it now: inspection ${String(now.attributes.inspection)}.`);
  if (!(await checkWithoutServer(server, repair)))
    throw new Error('the check on the contract did not come out as it must');
  say('That is all: who did what to which door, and when, and nobody has to believe the operator.');
};

await new Command('demo')
  .description('Tells a short story against the running server of this data directory (DATA_DIR)')
  .option('--pause <ms>', 'pause between the scenes, in milliseconds', '600')
  .action(async ({ pause }: { pause: string }) => {
    try {
      await tell(Number(pause));
    } catch (error) {
      console.error(`the story ends early: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
