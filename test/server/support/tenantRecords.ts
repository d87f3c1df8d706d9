// Creates one record of each kind in a tenant, or two where a list needs a second page, with a marker in their texts.
import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toUuid } from '../../../ledger/identity.ts';
import { createAnApplication } from './applications.ts';
import {
  anAccessPolicy,
  aPolicy,
  aSubject,
  createALocation,
  createAnAccessPolicy,
  createAnAsset,
  createAPolicy,
  createASubject,
} from './requests.ts';
import type { TestServer, TestTenant } from './testServer.ts';
import { upload } from './uploads.ts';

/** The names by which requests refer to a tenant's records: UUIDs, and the hash of a file. */
export interface Names {
  readonly tenant: string;
  readonly asset: string;
  readonly event: string;
  readonly location: string;
  readonly blob: string;
  readonly sha256: string;
  readonly policy: string;
  readonly accessPolicy: string;
  readonly subject: string;
  readonly application: string;
}

export interface TenantRecords extends Names {
  /** A public asset and its event. */
  readonly public: Pick<Names, 'asset' | 'event'>;
}

const MARKER = 'known-to-its-tenant-alone';
/** The Idempotency-Key of every record. */
export const KEY = 'a-key-of-the-tenant';
/** The content of a tenant's file. */
export const fileOf = ({ identity }: Pick<TestTenant, 'identity'>): string => `a file of ${identity}: ${MARKER}`;

const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Names that no record has. */
export const unknownNames = (): Names => ({
  tenant: randomUUID(),
  asset: randomUUID(),
  event: randomUUID(),
  location: randomUUID(),
  blob: randomUUID(),
  sha256: sha256Of(randomUUID()),
  policy: randomUUID(),
  accessPolicy: randomUUID(),
  subject: randomUUID(),
  application: randomUUID(),
});

/** An Attach of a blob. */
export const toAttach = ({ blob, sha256 }: Pick<Names, 'blob' | 'sha256'>) => ({
  behaviour: 'Attachments',
  operation: 'Attach',
  event_attributes: {
    arc_append_attachments: [
      {
        arc_attachment_identity: `blobs/${blob}`,
        arc_display_name: MARKER,
        arc_hash_value: sha256,
        arc_hash_alg: 'SHA256',
      },
    ],
  },
});

const createAssetOf = async (
  server: TestServer,
  tenant: TestTenant,
  isPublic: boolean,
  blob: Pick<Names, 'blob' | 'sha256'>,
) => {
  const as = tenant.root;
  const json = {
    behaviours: ['RecordEvidence', 'Attachments'],
    attributes: { note: MARKER, kind: 'x' },
    public: isPublic,
  };
  const key = { 'idempotency-key': isPublic ? `${KEY}-public` : KEY };
  const asset = await createAnAsset(server, json, { as, headers: key });
  const path = `/svc/v2/assets/${asset}/events`;
  const { status, body } = await server.request('POST', path, { as, json: toAttach(blob), headers: key });
  expect(status).to.equal(200);
  return { asset, event: toUuid(body.identity) };
};

/** Creates all records of a tenant. */
export const createTenantRecords = async (server: TestServer, tenant: TestTenant): Promise<TenantRecords> => {
  const as = tenant.root;
  const headers = { 'idempotency-key': KEY };
  const location = await createALocation(server, { display_name: MARKER, description: MARKER }, { as, headers });
  await createALocation(server, { display_name: MARKER }, { as });
  await upload(server, fileOf(tenant), 'text/plain', { as });
  const { body: file } = await upload(server, fileOf(tenant), 'text/plain', { as, headers });
  const blob = { blob: toUuid(file.identity), sha256: file.hash.value };
  const policy = await createAPolicy(server, aPolicy({ display_name: MARKER }), { as, headers });
  await createAPolicy(server, aPolicy({ description: MARKER }), { as });
  const accessPolicy = await createAnAccessPolicy(server, anAccessPolicy({ display_name: MARKER }), { as, headers });
  await createAnAccessPolicy(server, anAccessPolicy({ description: MARKER }), { as });
  const subject = await createASubject(server, aSubject({ display_name: MARKER }), { as, headers });
  await createASubject(server, aSubject({ tessera_pub_key: [MARKER] }), { as });
  const application = await createAnApplication(server, { display_name: MARKER, roles: ['reader'] }, { as });
  return {
    tenant: toUuid(tenant.identity),
    ...(await createAssetOf(server, tenant, false, blob)),
    public: await createAssetOf(server, tenant, true, blob),
    location: toUuid(location.identity),
    ...blob,
    policy: toUuid(policy.identity),
    accessPolicy: toUuid(accessPolicy.identity),
    subject: toUuid(subject.identity),
    application: application.client_id,
  };
};
