// The option by which several commands name a tenant.
import { FIRST_TENANT } from '../tenants.ts';

/** Flags and description of the option that names a tenant. */
export const TENANT_OPTION = [
  '--tenant <name>',
  `name of the tenant; ${FIRST_TENANT} unless given, or the only one where there is none of this name`,
] as const;
