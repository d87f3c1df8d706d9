// The demo: records the maintenance of a fire door on a running server, and checks the last event on the contract
// without the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import { type EventVerdict, verifyEvent } from '../../chain/verification/eventVerification.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { readConfig } from '../settings/config.ts';
import { FIRST_TENANT } from '../tenants.ts';
import { findServer, type ServerInfo } from './controlClient.ts';
import { toAnswerLine } from './printAnswers.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

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

const printScene = (text: string): void => console.log(`\n${text}`);
const printValue = (label: string, value: string): void => console.log(`    ${label.padEnd(16)} ${value}`);

const printCommitment = (event: EventResource): void => {
  printValue('event', event.identity);
  printValue('status', event.confirmation_status);
  printValue('block', String(event.block_number));
  printValue('transaction', event.transaction_id);
  printValue('author', event.from);
};

const technician = { issuer: 'https://doors.example', subject: 'technician-17', display_name: 'Ida Holm', email: '' };

const createDoor = async (api: Api): Promise<AssetResource> => {
  printScene('A door comes into service. Its creation is its first record.');
  const door = await api.post<AssetResource>('/v2/assets', {
    attributes: { arc_display_name: 'Door 7, gate B', arc_display_type: 'Fire door', inspection: 'due' },
  });
  printValue('asset', door.identity);
  printValue('owner', door.owner);
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

const printFound = ({ findings }: EventVerdict): void => {
  for (const finding of findings.filter(({ answer }) => answer !== 'not answered'))
    console.log(`    ${toAnswerLine(finding)}`);
};

const checkWithoutServer = async (server: ServerInfo, event: EventResource): Promise<boolean> => {
  printScene(
    `Now a third party, which doesn't trust the server, checks the event on the contract ${server.contract} through ${server.rpcUrl}.`,
  );
  const request = createRpcClient(server.rpcUrl, TIMEOUT_MS);
  const honest = await verifyEvent(request, server.contract as Hex, event, { withHistory: true });
  printFound(honest);
  printScene('The same event, after someone has changed one word of its description:');
  const event_attributes = { ...event.event_attributes, arc_description: 'closer adjusted, seal kept' };
  const forged = await verifyEvent(request, server.contract as Hex, { ...event, event_attributes });
  printFound(forged);
  return honest.isVerified && !forged.isVerified;
};

const openApi = async (dataDir: string, server: ServerInfo): Promise<Api> => {
  const input = { tenant: FIRST_TENANT, role: 'root' };
  const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
  return createApi(`${server.url}/archivist`, token);
};

/**
 * Runs the demo against the running server of the data directory (DATA_DIR), with a pause between its scenes.
 * @throws Error when no server is running, or when the check on the contract has an unexpected result.
 */
export const runDemo = async (pauseMs: number): Promise<void> => {
  const { dataDir } = readConfig();
  const server = await findServer(dataDir);
  const api = await openApi(dataDir, server);
  const door = await createDoor(api);
  await sleep(pauseMs);
  printScene('The yearly inspection finds that it closes too slowly.');
  printCommitment(await recordWork(api, door, 'Inspection', 'closes in 9 s, limit 5 s', 'failed'));
  await sleep(pauseMs);
  printScene('A technician repairs it.');
  const repair = await recordWork(api, door, 'Repair', 'closer adjusted, seal replaced', 'passed');
  printCommitment(repair);
  await sleep(pauseMs);
  const now = await api.get<AssetResource>(`/v2/${door.identity}`);
  printScene(`The door as the server shows it now: inspection ${String(now.attributes.inspection)}.`);
  if (!(await checkWithoutServer(server, repair))) {
    throw new Error('the check on the contract has an unexpected result; compare the lines above');
  }
  printScene('Who did what to which door, and when, is provable without trusting the operator.');
};
