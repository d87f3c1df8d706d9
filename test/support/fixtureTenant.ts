// Creates a tenant on a test ledger, with a root token and the requests that most tests send.
import type { Ledger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { type CreatedTenant, createTenant } from '../../host/tenants.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { type JsonAnswer, type ListeningServer, send } from './testLedger.ts';

export interface FixtureTenant extends CreatedTenant {
  readonly token: string;
  get<T>(path: string, headers?: Record<string, string>): Promise<JsonAnswer<T>>;
  post<T>(path: string, body: object, headers?: Record<string, string>): Promise<JsonAnswer<T>>;
  createAsset(attributes?: object): Promise<AssetResource>;
  /** Records a typical event with one event attribute. */
  record(asset: Pick<AssetResource, 'identity'>, note: string): Promise<JsonAnswer<EventResource>>;
}

/** A tenant as the clients of a server reach it with a token. Paths are below `/archivist/v2`. */
export const tenantAt = (server: Pick<ListeningServer, 'url'>, tenant: CreatedTenant, token: string): FixtureTenant => {
  const base = `${server.url}/archivist/v2`;
  const get = <T>(path: string, headers = {}) => send<T>(`${base}/${path}`, token, { headers });
  const post = <T>(path: string, body: object, headers = {}) => send<T>(`${base}/${path}`, token, { body, headers });
  return {
    ...tenant,
    token,
    get,
    post,
    createAsset: async (attributes = {}) => (await post<AssetResource>('assets', { attributes })).body,
    record: (asset, note) =>
      post<EventResource>(`${asset.identity}/events`, {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        event_attributes: { note },
      }),
  };
};

/** Creates a tenant and a root token for it. */
export const createFixtureTenant = async (
  ledger: Ledger,
  server: ListeningServer,
  name: string,
): Promise<FixtureTenant> => {
  const tenant = await createTenant(ledger, { name }, ledger.now());
  const { token } = (await createOperatorCommands(ledger).token!({ tenant: name, role: 'root' })) as { token: string };
  return tenantAt(server, tenant, token);
};
