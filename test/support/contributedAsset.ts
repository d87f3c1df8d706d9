// An asset of a tenant, alpha, on which another tenant of the same server, beta, may record measurements.
import { randomUUID } from 'node:crypto';
import type { Ledger } from '../../host/openLedger.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toContribution } from '../../ledger/records/contribution.ts';
import type { EventRecord } from '../../ledger/records/event.ts';
import { createFixtureTenant, type FixtureTenant } from './fixtureTenant.ts';
import { anEvent } from './records.ts';
import { type ListeningServer, send } from './testLedger.ts';

const SELF = 'subjects/00000000-0000-0000-0000-000000000000';

/** A measurement that beta may record. */
export const MEASURE = {
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: { arc_display_type: 'Measure' },
  asset_attributes: { weight: '8' },
};

/** Two tenants with an asset of the first. */
export interface Parties {
  readonly ledger: Ledger;
  readonly alpha: FixtureTenant;
  readonly beta: FixtureTenant;
  readonly asset: AssetResource;
  /** Identities of alpha's subject for beta, and of the policy that lets beta write. */
  readonly subject: string;
  readonly policy: string;
  /** Deletes the policy. */
  readonly revoke: () => Promise<unknown>;
}

/** Creates both tenants and an asset of alpha, and lets beta measure its weight. */
export const shareAsset = async (
  ledger: Ledger,
  server: ListeningServer,
  [owner, writer]: readonly [string, string] = ['owner', 'writer'],
): Promise<Parties> => {
  const iam = `${server.url}/archivist/iam/v1`;
  const alpha = await createFixtureTenant(ledger, server, owner);
  const beta = await createFixtureTenant(ledger, server, writer);
  const { body: self } = await send<object>(`${iam}/${SELF}`, beta.token);
  const create = async (collection: string, body: object): Promise<string> =>
    (await send<{ identity: string }>(`${iam}/${collection}`, alpha.token, { body })).body.identity;
  const subject = await create('subjects', { ...self, display_name: 'beta' });
  const permission = {
    subjects: [subject],
    behaviours: ['RecordEvidence'],
    asset_attributes_write: ['weight'],
    event_arc_display_type_write: ['Measure'],
  };
  const policy = await create('access_policies', {
    display_name: 'beta measures',
    filters: [],
    access_permissions: [permission],
  });
  const revoke = () => send(`${iam}/${policy}`, alpha.token, { method: 'DELETE' });
  return { ledger, alpha, beta, asset: await alpha.createAsset({ weight: '7' }), subject, policy, revoke };
};

/** Lets beta record a contribution that no server checks, with these changes of a measurement. */
export const recordUnchecked = async (
  { ledger, alpha, beta, asset }: Parties,
  fields: Partial<EventRecord> = {},
): Promise<void> => {
  const event = anEvent({ ...MEASURE, identity: `${asset.identity}/events/${randomUUID()}`, ...fields });
  await ledger.writer.append(beta.identity, toContribution(event, alpha.identity));
};

/** Changes the types that beta may record. */
export const permitTypes = async (
  { alpha, policy, subject }: Parties,
  server: Pick<ListeningServer, 'url'>,
  types: readonly string[],
): Promise<void> => {
  const permission = {
    subjects: [subject],
    behaviours: ['RecordEvidence'],
    asset_attributes_write: ['weight'],
    event_arc_display_type_write: types,
  };
  const { status } = await send(`${server.url}/archivist/iam/v1/${policy}`, alpha.token, {
    method: 'PATCH',
    body: { access_permissions: [permission] },
  });
  if (status !== 200) throw new Error(`the policy is not changed: ${status}`);
};
