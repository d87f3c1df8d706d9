// The rights that each role carries. The document names the right that each operation requires.
import { ROLES, type Role } from '../../ledger/records/application.ts';

/** Roles that a token can carry: those of applications, and that of a tenant's root principals. */
export const CALLER_ROLES = [...ROLES, 'root'] as const satisfies readonly (Role | 'root')[];
export type CallerRole = (typeof CALLER_ROLES)[number];

/**
 * `shared`: reads what access policies share with the caller, which every caller may. `recorder`: records events, a
 * caller without a role those that access policies allow on assets of its tenant. `reader`: reads the tenant's
 * records. `writer`: creates assets, events, locations and blobs. `policies`: creates and deletes compliance policies.
 * `auditor`: reads applications, subjects and access policies too. `administrator`: changes these. `root`: reads and
 * changes the root principals, and changes the tenant itself.
 */
export const RIGHTS = [
  'shared',
  'recorder',
  'reader',
  'writer',
  'policies',
  'auditor',
  'administrator',
  'root',
] as const;
export type Right = (typeof RIGHTS)[number];

const GRANTS: Readonly<Record<CallerRole, readonly Right[]>> = {
  reader: ['shared', 'reader'],
  writer: ['shared', 'recorder', 'reader', 'writer'],
  policies: ['shared', 'reader', 'policies'],
  auditor: ['shared', 'reader', 'auditor'],
  administrator: ['shared', 'reader', 'policies', 'auditor', 'administrator'],
  root: RIGHTS,
};

/** Whether this is the name of a right. */
export const isRight = (name: string): name is Right => (RIGHTS as readonly string[]).includes(name);

/** Whether one of the roles carries the right, or a caller without a role has it. */
export const isGranted = (roles: readonly CallerRole[], right: Right): boolean =>
  right === 'shared' ||
  (right === 'recorder' && roles.length === 0) ||
  roles.some((role) => GRANTS[role].includes(right));
