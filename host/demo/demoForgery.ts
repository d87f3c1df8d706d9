// Forges one member of an event, and checks the genuine and the forged event on the contract, without the server.
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import { type EventVerdict, verifyEvent } from '../../chain/verification/eventVerification.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { ServerInfo } from '../operator/controlClient.ts';
import type { DemoApi } from './demoApi.ts';

/** An event and its forgery, in files, and what the contract says of both. */
export interface DemoForgery {
  /** Identity of the event. */
  readonly identity: string;
  readonly genuinePath: string;
  readonly forgedPath: string;
  readonly genuine: EventVerdict;
  readonly forged: EventVerdict;
}

const TIMEOUT_MS = 10_000;
const COMMITTED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 500;
const FORGED_TEMPERATURE = '-18.2';

const fetchCommitted = async (api: DemoApi, identity: string): Promise<EventResource> => {
  const untilMs = performance.now() + COMMITTED_WITHIN_MS;
  for (;;) {
    const event = await api.get<EventResource>(`/v2/${identity}`);
    if (event.confirmation_status === 'CONFIRMED') return event;
    if (event.confirmation_status === 'FAILED' || performance.now() > untilMs)
      throw new Error(`${identity} is ${event.confirmation_status}; see the server's log and GET /readyz`);
    await setTimeout(LOOK_EVERY_MS);
  }
};

const saveJson = (path: string, value: object): Promise<void> =>
  writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`);

/**
 * Writes an event and a copy with another temperature to `event.json` and `forged-event.json` in a directory.
 * @throws Error when the event isn't committed, or the contract doesn't tell the two apart.
 */
export const forgeEvent = async (
  server: ServerInfo,
  { api, identity, directory }: { api: DemoApi; identity: string; directory: string },
): Promise<DemoForgery> => {
  const event = await fetchCommitted(api, identity);
  const changed = { ...event, event_attributes: { ...event.event_attributes, temperature: FORGED_TEMPERATURE } };
  const [genuinePath, forgedPath] = [`${directory}/event.json`, `${directory}/forged-event.json`];
  await saveJson(genuinePath, event);
  await saveJson(forgedPath, changed);
  const request = createRpcClient(server.rpcUrl, TIMEOUT_MS);
  const genuine = await verifyEvent(request, server.contract as Hex, event, { withHistory: true });
  const forged = await verifyEvent(request, server.contract as Hex, changed);
  if (genuine.isVerified && !forged.isVerified) return { identity, genuinePath, forgedPath, genuine, forged };
  throw new Error(`the contract doesn't tell ${genuinePath} from ${forgedPath}`);
};
