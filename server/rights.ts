// Which rights a role carries. The document names the right that each operation needs.
import type { Role } from '../ledger/tenancyRecord.ts';

/** Roles that a token can carry: those of applications, and that of a tenant's root principals. */
export const CALLER_ROLES = ['reader', 'writer', 'root'] as const;
export type CallerRole = Role | 'root';

const RIGHTS = ['reader', 'writer'] as const;
export type Right = (typeof RIGHTS)[number];

const GRANTS: Readonly<Record<CallerRole, readonly Right[]>> = {
  reader: ['reader'],
  writer: ['reader', 'writer'],
  root: ['reader', 'writer'],
};

export const isRight = (name: string): name is Right => (RIGHTS as readonly string[]).includes(name);

/** Whether one of the roles carries the right. */
export const isGranted = (roles: readonly CallerRole[], right: Right): boolean =>
  roles.some((role) => GRANTS[role].includes(right));
