// Roles of applications: what each may do.
import type { Role } from '../../ledger/records/application.ts';
import { Badge } from '../components/badges.tsx';

/** Each role with what it may do, from the least to the most. */
export const ROLE_RIGHTS: readonly (readonly [role: Role, may: string])[] = [
  ['reader', 'Reads assets, events, locations, files, policies and verdicts.'],
  ['writer', 'Reads, creates assets, events, locations and files, and changes locations.'],
  ['policies', 'Reads, and creates and deletes compliance policies.'],
  ['auditor', 'Reads, also applications, subjects and access policies.'],
  ['administrator', 'Reads as an auditor does, and changes policies, applications, subjects and access policies.'],
];

/** Whether roles let an application record. */
export const isWriting = (roles: readonly Role[]): boolean => roles.includes('writer');

/** Whether an application with these roles may record. `isRoot`: whether it is a root principal. */
export const WritingBadge = ({ roles, isRoot }: { roles: readonly Role[]; isRoot: boolean }) =>
  isRoot || isWriting(roles) ? (
    <span class="badges">
      <Badge tone="good" text="may write" />
    </span>
  ) : (
    <>no</>
  );

/** The roles. */
export const RoleBadges = ({ roles, isRoot }: { roles: readonly Role[]; isRoot: boolean }) => (
  <span class="badges">
    {isRoot ? <Badge tone="plain" text="root principal" /> : null}
    {roles.map((role) => (
      <Badge key={role} tone="plain" text={role} />
    ))}
    {roles.length === 0 && !isRoot ? <span class="hint">none</span> : null}
  </span>
);
