// The record of one version of a tenant. The newest version in the stream holds.
import { isTimestamp } from '../encoding/timestamp.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isName, isVersionOf } from './fieldChecks.ts';
import { FOLLOWS_NONE, isFollows } from './version.ts';

/** One version of a tenant. */
export interface TenantRecord {
  readonly type: 'tenant';
  /** `tenant/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** Identity of the version that it replaces; empty in the first one. Absent in records of 0.1. */
  readonly follows?: string;
  readonly display_name: string;
  readonly root_principals: readonly Principal[];
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const CHECKS: Checks<Required<TenantRecord>> = {
  type: (value) => value === 'tenant',
  identity: isVersionOf('tenant/'),
  follows: isFollows('tenant/'),
  display_name: isName,
  root_principals: (value) => Array.isArray(value) && value.length > 0 && value.every(isPrincipal),
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether an untrusted value is a version of a tenant, with all of its fields, or those of 0.1, and no others. */
export const isTenantRecord = (value: unknown): value is TenantRecord =>
  isJsonObject(value) && hasFields({ follows: FOLLOWS_NONE, ...value }, CHECKS);
