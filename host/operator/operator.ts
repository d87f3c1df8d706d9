// What an operator does with a ledger: tokens and tenants. Through the running server where there is one; otherwise the ledger
// is opened for the moment that it takes.

import { existsSync } from 'node:fs';
import { v4 as newUuid } from 'uuid';
import { LedgerError } from '../../ledger/errors.ts';
import { CALLER_ROLES, type CallerRole } from '../../server/auth/rights.ts';
import type { OidcIssuerSettings } from '../../server/auth/tokens/oidcSettings.ts';
import { createTokenAuthority, type TokenAuthority } from '../../server/auth/tokens/tokenAuthority.ts';
import { type BlobLimits, type BlobStore, openBlobStore } from '../../server/blobs/blobStore.ts';
import { copyDatabases } from '../backup/backupDatabases.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { hasLedger } from '../knownLedger.ts';
import type { LedgerOptions, PublicExecution } from '../ledgerOptions.ts';
import { type Ledger, openIndexedChain, openLedger } from '../openLedger.ts';
import { readConfig, readNetwork } from '../settings/config.ts';
import { CHAIN_ID, LEDGER_LIMITS } from '../settings/limits.ts';
import { type CreatedTenant, createTenant, type NewTenant, toIssuer } from '../tenants.ts';
import { askServer } from './controlClient.ts';
import type { ControlCommands } from './controlServer.ts';
import { createProgress } from './progress.ts';

/** Name of the tenant that the first start creates. */
export const FIRST_TENANT = 'default';

const reportProblem = (message: string, cause?: unknown): void =>
  console.error(cause === undefined ? message : `${message}: ${(cause as Error).message}`);

/** The token authority of a ledger, which takes the tokens of these other issuers too. */
export const openTokenAuthority = async (
  ledger: Ledger,
  issuers: readonly OidcIssuerSettings[] = [],
): Promise<TokenAuthority> =>
  createTokenAuthority({
    privateKeyJwk: await ledger.keyring.openSigningKey('token-signing'),
    issuer: toIssuer(ledger),
    audience: toIssuer(ledger),
    now: Date.now,
    newUuid,
    issuers,
    onProblem: reportProblem,
  });

/** The bytes of a ledger's blobs. Removes what a server that was killed left there. */
export const openBlobs = (ledger: Ledger, limits: BlobLimits): Promise<BlobStore> =>
  openBlobStore({
    ...limits,
    directory: dataPaths(ledger.dataDir).blobs,
    newUuid,
    readBlobBytes: ledger.view.readBlobBytes,
    isContentKnown: ledger.view.isContentKnown,
    onProblem: reportProblem,
  });

const issueRootToken = async (ledger: Ledger, tenantName: string, role: CallerRole): Promise<{ token: string }> => {
  const tenantIdentity = await ledger.view.readTenantIdentity(tenantName);
  const tenant = tenantIdentity && (await ledger.view.readTenant(tenantIdentity));
  if (!tenantIdentity || !tenant) {
    throw new LedgerError('TENANT_NOT_FOUND', { message: `no tenant is named ${JSON.stringify(tenantName)}` });
  }
  const root = tenant.root_principals.find(({ issuer }) => issuer === toIssuer(ledger));
  if (root === undefined)
    throw new LedgerError('FORBIDDEN', { message: `${tenantName} has no root principal of this issuer` });
  const authority = await openTokenAuthority(ledger);
  return authority.issue({
    tenantIdentity,
    subject: root.subject,
    name: root.display_name,
    roles: [role],
    clientId: undefined,
    secretId: undefined,
    customClaims: {},
  });
};

const toRole = (value: unknown): CallerRole => {
  const role = CALLER_ROLES.find((known) => known === value);
  if (role !== undefined) return role;
  throw new LedgerError('REQUEST_INVALID', { message: `a role is one of ${CALLER_ROLES.join(', ')}` });
};

const toNewTenant = ({ name, rootIssuer, rootSubject }: Record<string, unknown>): NewTenant => {
  if (rootIssuer === undefined && rootSubject === undefined) return { name: String(name) };
  return { name: String(name), root: { issuer: String(rootIssuer ?? ''), subject: String(rootSubject ?? '') } };
};

/** The operator's commands on an open ledger. */
export const createOperatorCommands = (ledger: Ledger): ControlCommands => {
  // One tenant at a time: the next one's name is compared with those that are there.
  let creating: Promise<unknown> = Promise.resolve();
  return {
    token: (input) => issueRootToken(ledger, String(input.tenant), toRole(input.role)),
    createTenant: (input): Promise<CreatedTenant> => {
      const create = (): Promise<CreatedTenant> => createTenant(ledger, toNewTenant(input), ledger.now());
      const created = creating.then(create, create);
      creating = created;
      return created;
    },
    backUp: (input) => copyDatabases(ledger, String(input.directory)),
  };
};

const readPublicGas = (): PublicExecution => {
  const { chainCallGasMax, chainGasPerMinute, chainStrangerGasMax } = readConfig();
  return { callGasMax: chainCallGasMax, perMinuteMax: chainGasPerMinute, strangersMax: chainStrangerGasMax };
};

const toOptions = (dataDir: string): LedgerOptions => ({
  publicExecution: readPublicGas(),
  dataDir,
  chainId: CHAIN_ID,
  network: readNetwork(),
  limits: LEDGER_LIMITS,
  now: Date.now,
  onStep: createProgress(),
  onProblem: reportProblem,
});

/** Opens the ledger of a data directory, with progress and problems on standard error. */
export const openLedgerForOperator = async (dataDir: string, onBatch?: LedgerOptions['onBatch']): Promise<Ledger> => {
  assertRestored(dataDir);
  return openLedger({ ...toOptions(dataDir), onBatch });
};

// Half a restore must not become a new ledger.
const assertRestored = (dataDir: string): void => {
  const { restoring } = dataPaths(dataDir);
  if (!existsSync(restoring)) return;
  throw new Error(`a restore into ${dataDir} did not finish; empty the directory and restore again`);
};

// A mistyped directory must not become a new ledger.
const assertLedger = (dataDir: string): void => {
  if (hasLedger(dataDir)) return;
  throw new Error(`there is no ledger in ${dataDir}; make one with: DATA_DIR=${dataDir} npm start`);
};

/** Opens chain and index alone, the index made anew from the chain. */
export const rebuildIndexForOperator = (dataDir: string) => {
  assertLedger(dataDir);
  return openIndexedChain(toOptions(dataDir), true);
};

/** Opens chain and index alone; the index is brought to the chain's head. */
export const openIndexedChainForOperator = (dataDir: string) => openIndexedChain(toOptions(dataDir));

/** Runs one operator command, in the running server or on the data directory. */
export const runOperatorCommand = async <T>(
  dataDir: string,
  name: string,
  input: Record<string, unknown>,
): Promise<T> => {
  const answer = await askServer<T>(dataDir, name, input);
  if (answer !== undefined) return answer;
  assertLedger(dataDir);
  const ledger = await openLedgerForOperator(dataDir);
  try {
    return (await createOperatorCommands(ledger)[name]!(input)) as T;
  } finally {
    await ledger.close();
  }
};
