// The records of tenancy: versions of a tenant (its name and root principals) and of an application (its roles, its claims and the
// hash of its secret). The newest version in the stream holds.

import { isTimestamp } from '../encoding/timestamp.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { type Checks, hasFields, isName, isVersionOf } from './fieldChecks.ts';

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

/** Whether a value from outside is a version of a tenant, with all of its fields and no others. */
export const isTenantRecord = (value: unknown): value is TenantRecord => hasFields(value, CHECKS);
