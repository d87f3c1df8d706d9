// The real application on an ephemeral port, over the real index of a ledger that mines immediately. It has two
// tenants, each with a root principal and an application of each role.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { toApplicationIdentity, toTenantIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { toPrincipal } from '../../../ledger/principal.ts';
import { type ApplicationRecord, type Role, toRecordedRoles } from '../../../ledger/records/application.ts';
import type { TenantRecord } from '../../../ledger/records/tenant.ts';
import { createAcceptanceClock } from '../../../server/acceptanceClock.ts';
import { createApp } from '../../../server/app.ts';
import { createDeriveClientSecret } from '../../../server/auth/clientSecret.ts';
import { toSecretId } from '../../../server/auth/tokens/secretId.ts';
import { createTokenAuthority, type TokenAuthority } from '../../../server/auth/tokens/tokenAuthority.ts';
import type { TokenSubject } from '../../../server/auth/tokens/tokenContent.ts';
import { type BlobLimits, openBlobStore } from '../../../server/blobs/blobStore.ts';
import type { ServerDeps } from '../../../server/deps.ts';
import type { EvidenceSource } from '../../../server/evidenceSource.ts';
import { createServerTurns } from '../../../server/fairness/serverTurns.ts';
import type { ServerLimits } from '../../../server/limits.ts';
import { listen } from '../../../server/listen.ts';
import { createPageTokens } from '../../../server/lists/pageTokens.ts';
import { WALLET_KEY } from '../../support/records.ts';
import { createFakeLedger, type FakeLedger } from './fakeLedger.ts';

export const ISSUER = 'http://ledger.test';
export const AUDIENCE = 'http://ledger.test/api';
export const SECRET = 'a secret of an application';
export const CHAIN_ID = 31337;
export const LIMITS: ServerLimits = {
  bodyBytesMax: 131_072,
  blobBytesMax: 1_000_000,
  uploadPace: { graceMs: 10_000, bytesPerSecondMin: 4_096 },
  listRecordsMax: 5,
  pageSizeMax: 1000,
  policiesMax: 10,
  accessPoliciesMax: 10,
  policyWeightMax: 100_000,
  subjectsMax: 10,
  applicationsMax: 15,
  bulkLinesMax: 1000,
};

export interface TestTenant {
  readonly identity: string;
  readonly root: TokenSubject;
  readonly reader: TokenSubject;
  readonly writer: TokenSubject;
  readonly policies: TokenSubject;
  readonly auditor: TokenSubject;
  readonly administrator: TokenSubject;
  /** An application without roles. */
  readonly roleless: TokenSubject;
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  readonly body: any;
}

export interface TestServer {
  readonly url: string;
  readonly ledger: FakeLedger;
  readonly tokens: TokenAuthority;
  readonly clock: { atMs: number };
  readonly unexpected: unknown[];
  readonly deps: ServerDeps;
  readonly tenant: TestTenant;
  readonly otherTenant: TestTenant;
  /** Directory of the blobs. */
  readonly directory: string;
  /** A request with a writer's token of the first tenant, unless `as` names another; `null` sends none. */
  request(method: string, path: string, options?: RequestOptions): Promise<ServerAnswer>;
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly as?: TokenSubject | null;
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
}

const sha256Of = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const FIXED = toPrincipal({ issuer: ISSUER, subject: 'set-up' });

/** A version of an application. */
export const toApplication = (
  clientId: string,
  name: string,
  roles: readonly Role[],
  secret = SECRET,
): ApplicationRecord => ({
  type: 'application',
  identity: toVersionIdentity(toApplicationIdentity(clientId), randomUUID()),
  display_name: name,
  ...toRecordedRoles(roles),
  secret_sha256: sha256Of(secret),
  timestamp_accepted: toTimestamp(0),
  principal_accepted: FIXED,
});

const addApplication = async (
  ledger: FakeLedger,
  tenantIdentity: string,
  roles: readonly Role[],
): Promise<TokenSubject> => {
  const clientId = randomUUID();
  const name = `an application (${roles})`;
  await ledger.mine({ tenantIdentity, record: toApplication(clientId, name, roles) });
  const secretId = toSecretId(sha256Of(SECRET));
  return { tenantIdentity, subject: clientId, name, roles, clientId, secretId, customClaims: {} };
};

const addTenant = async (ledger: FakeLedger, name: string): Promise<TestTenant> => {
  const identity = toTenantIdentity(randomUUID());
  const subject = randomUUID();
  const record: TenantRecord = {
    type: 'tenant',
    identity: toVersionIdentity(identity, randomUUID()),
    display_name: name,
    root_principals: [toPrincipal({ issuer: ISSUER, subject, display_name: 'Root' })],
    timestamp_accepted: toTimestamp(0),
    principal_accepted: FIXED,
  };
  await ledger.mine({ tenantIdentity: identity, record });
  return {
    identity,
    root: {
      tenantIdentity: identity,
      subject,
      name: 'Root',
      roles: ['root'],
      clientId: undefined,
      secretId: undefined,
      customClaims: {},
    },
    reader: await addApplication(ledger, identity, ['reader']),
    writer: await addApplication(ledger, identity, ['writer']),
    policies: await addApplication(ledger, identity, ['policies']),
    auditor: await addApplication(ledger, identity, ['auditor']),
    administrator: await addApplication(ledger, identity, ['administrator']),
    roleless: await addApplication(ledger, identity, []),
  };
};

const createDeps = async (
  ledger: FakeLedger,
  clock: { atMs: number },
  { unexpected, directory, blobLimits }: { unexpected: unknown[]; directory: string; blobLimits: Partial<BlobLimits> },
): Promise<ServerDeps> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const now = () => clock.atMs;
  const newUuid = () => randomUUID();
  const privateKeyJwk = await exportJWK(privateKey);
  return {
    view: ledger.view,
    writer: ledger.writer,
    readAuthorKeys: () => [WALLET_KEY],
    blobs: await openBlobStore({
      directory,
      bytesMax: LIMITS.blobBytesMax,
      tenantBytesMax: 0,
      reserveBytes: 0,
      ...blobLimits,
      readBlobBytes: ledger.view.readBlobBytes,
      newUuid,
      isContentKnown: ledger.view.isContentKnown,
      onProblem: (_message, cause) => unexpected.push(cause),
    }),
    tokens: await createTokenAuthority({ privateKeyJwk, issuer: ISSUER, audience: AUDIENCE, now, newUuid }),
    pageTokens: createPageTokens(Buffer.alloc(32, 7)),
    deriveClientSecret: createDeriveClientSecret(Buffer.alloc(32, 7)),
    readNodeReport: async () => ({ kind: undefined, nodes: [], atMs: 0 }),
    evidence: ECHO,
    chainId: CHAIN_ID,
    publicHosts: ['127.0.0.1'],
    limits: LIMITS,
    applicationRoles: ['writer', 'policies'],
    isEmailOmitted: false,
    clock: createAcceptanceClock(now),
    ...createServerTurns(),
    now,
    newUuid,
    onUnexpectedError: (error) => unexpected.push(error),
  };
};

// Files that name what they were requested for. test/system/evidenceRoutes.test.ts has real ones.
const ECHO: EvidenceSource = {
  makeEventEvidence: async ({ identity }) => JSON.stringify({ identity }),
  makeHistoryEvidence: async (query) => JSON.stringify(query),
  makeAbsenceEvidence: async (_tenantIdentity, identity) => JSON.stringify({ identity }),
  makeVerdictEvidence: async ({ assetIdentity }) => JSON.stringify({ assetIdentity }),
  makeTenantEvidence: async (tenantIdentity) => JSON.stringify({ tenantIdentity }),
  openTenantLeaves: async () => undefined,
};

const toInit = async (tokens: TokenAuthority, method: string, options: RequestOptions, as: TokenSubject | null) => {
  const headers: Record<string, string> = {};
  if (as !== null) headers.authorization = `Bearer ${(await tokens.issue(as)).token}`;
  if (options.json !== undefined) headers['content-type'] = 'application/json';
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  return { method, headers: { ...headers, ...options.headers }, ...(body === undefined ? {} : { body }) };
};

const toAnswer = async (response: Response): Promise<ServerAnswer> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
};

export const startTestServer = async (
  changes: Partial<ServerDeps> = {},
  blobLimits: Partial<BlobLimits> = {},
  { validateResponses = true } = {},
): Promise<TestServer> => {
  const ledger = await createFakeLedger();
  const clock = { atMs: Date.parse('2026-11-20T10:15:30.123Z') };
  const unexpected: unknown[] = [];
  const tenant = await addTenant(ledger, 'first');
  const otherTenant = await addTenant(ledger, 'second');
  const directory = await mkdtemp(join(tmpdir(), 'provenance-test-'));
  const deps = { ...(await createDeps(ledger, clock, { unexpected, directory, blobLimits })), ...changes };
  const app = createApp(deps, { validateResponses });
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 1000 });
  const { tokens } = deps;
  return {
    url,
    ledger,
    tokens,
    clock,
    unexpected,
    deps,
    tenant,
    otherTenant,
    directory,
    close: async () => {
      await close();
      await ledger.close();
      await rm(directory, { recursive: true, force: true });
    },
    request: async (method, path, options = {}) => {
      const as = options.as === undefined ? tenant.writer : options.as;
      return toAnswer(await fetch(`${url}${path}`, await toInit(tokens, method, options, as)));
    },
  };
};
