// How many more records of each kind a tenant may create, as clients of the hosted service ask it.
import type { PageQuery } from '../../indexer/ledgerView.ts';
import type { ServerDeps } from '../deps.ts';
import { readAccessPoliciesLeft } from './accessPolicyQuota.ts';
import { readPoliciesLeft } from './policyQuota.ts';

type CapDeps = Pick<ServerDeps, 'view' | 'limits' | 'blobs'>;

/** How many more there may be of a kind. */
export interface Cap {
  readonly resource_type:
    | 'AccessPolicies'
    | 'Applications'
    | 'Assets'
    | 'BlobBytes'
    | 'CompliancePolicies'
    | 'Locations';
  /** In decimal digits. */
  readonly resource_remaining: string;
}

interface Counter {
  readonly type: Cap['resource_type'];
  /** Undefined: the kind has no limit. */
  readonly readLeft: (deps: CapDeps, tenantIdentity: string) => Promise<number | undefined>;
}

/** What remains of a kind without a limit: the largest signed 64-bit number. */
const UNLIMITED = 2n ** 63n - 1n;
const ONE: PageQuery = { limit: 1, position: undefined, isCounted: true };
const unlimited = async (): Promise<undefined> => undefined;

const readApplicationsLeft: Counter['readLeft'] = async ({ view, limits }, tenantIdentity) => {
  const { total } = await view.listApplications(tenantIdentity, { fields: [] }, ONE);
  return Math.max(0, limits.applicationsMax - total!);
};

// By the names of the kinds in paths.
const COUNTERS = {
  access_policies: { type: 'AccessPolicies', readLeft: readAccessPoliciesLeft },
  applications: { type: 'Applications', readLeft: readApplicationsLeft },
  assets: { type: 'Assets', readLeft: unlimited },
  blobs: { type: 'BlobBytes', readLeft: ({ blobs }, tenantIdentity) => blobs.readBytesLeft(tenantIdentity) },
  compliance_policies: { type: 'CompliancePolicies', readLeft: readPoliciesLeft },
  locations: { type: 'Locations', readLeft: unlimited },
} satisfies Readonly<Record<string, Counter>>;

/** A kind whose cap can be read. */
export type CappedKind = keyof typeof COUNTERS;

/** Reads how many more of a kind the tenant may create; of blobs, how many more bytes. */
export const readCap = async (deps: CapDeps, tenantIdentity: string, kind: CappedKind): Promise<Cap> => {
  const { type, readLeft }: Counter = COUNTERS[kind];
  const left = await readLeft(deps, tenantIdentity);
  return { resource_type: type, resource_remaining: String(left ?? UNLIMITED) };
};
