// What the token of the session may record, as far as it says so itself. The server decides.
import { claims } from '../api/session.ts';

/** What the forms need: to create assets, to record events, and to change policies. */
export type NeededRight = 'writer' | 'recorder' | 'policies';

const ROLES: Readonly<Record<NeededRight, readonly string[]>> = {
  writer: ['writer', 'root'],
  recorder: ['writer', 'root'],
  policies: ['policies', 'administrator', 'root'],
};

const ACTIONS: Readonly<Record<NeededRight, string>> = {
  writer: 'create assets',
  recorder: 'record events',
  policies: 'change policies',
};

/** Why the token of the session can't do it; undefined if it can, or doesn't say. */
export const findMissingRight = (right: NeededRight): string | undefined => {
  const roles = claims.value?.roles;
  // Access policies may let a caller without a role record events.
  if (roles === undefined || (right === 'recorder' && roles.length === 0)) return undefined;
  if (roles.some((role) => ROLES[right].includes(role))) return undefined;
  const own = roles.length === 0 ? 'has no role' : `has the role ${roles.join(', ')}`;
  return `Your access token ${own}, which can’t ${ACTIONS[right]}. Sign in as ${ROLES[right].join(' or ')} to do so.`;
};
