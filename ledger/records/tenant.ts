// The record of one version of a tenant. The newest version in the stream holds.

import { isTimestamp } from '../encoding/timestamp.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { type Checks, hasFields, isName, isVersionOf } from './fieldChecks.ts';

/** One version of a tenant. */
export interface TenantRecord {
  readonly type: 'tenant';
  /** `tenant/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  readonly display_name: string;
  readonly root_principals: readonly Principal[];
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const CHECKS: Checks<TenantRecord> = {
  type: (value) => value === 'tenant',
  identity: isVersionOf('tenant/'),
  display_name: isName,
  root_principals: (value) => Array.isArray(value) && value.length > 0 && value.every(isPrincipal),
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether an untrusted value is a version of a tenant, with all of its fields and no others. */
export const isTenantRecord = (value: unknown): value is TenantRecord => hasFields(value, CHECKS);
