// Versions of tenants, applications, locations, policies, subjects and access policies: the newest of a stream holds.
// Each names the version that it replaces, so that of two writers who change the same thing at once, one has no effect
// and finds that out.
import { isVersionOf } from './fieldChecks.ts';

/** A version of a resource. */
export interface Version {
  readonly identity: string;
  /** Identity of the version that it replaces; empty in the first one. Absent in records of 0.1: the one that holds. */
  readonly follows?: string;
}

/** `follows` of the first version of a resource. */
export const FOLLOWS_NONE = '';

/** A check of `follows`, for versions with identities of the form `<prefix><uuid>/versions/<uuid>`. */
export const isFollows = (prefix: string): ((value: unknown) => boolean) => {
  const isVersion = isVersionOf(prefix);
  return (value) => value === FOLLOWS_NONE || isVersion(value);
};

/**
 * Whether a version replaces the one that holds, or is the first where none does. Another version changes nothing.
 */
export const isReplacing = ({ follows }: Version, held: Version | undefined): boolean =>
  follows === undefined || follows === (held?.identity ?? FOLLOWS_NONE);
