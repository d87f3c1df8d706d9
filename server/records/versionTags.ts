// The tags of resources that change by versions (RFC 9110 section 8.8.3). The newest version names the content, so it
// is the tag, and what clients compare before they replace the content.
import { LedgerError } from '../../ledger/errors.ts';

/** A resource, and the identity of the version that it was read or recorded in. */
export interface Versioned<T> {
  readonly resource: T;
  readonly version: string;
}

/** What some resources show besides the content of their version. */
interface ShownStatus {
  readonly confirmation_status?: string;
  readonly ambiguous?: boolean;
}

const toVersionUuid = (versionIdentity: string): string => versionIdentity.slice(versionIdentity.lastIndexOf('/') + 1);

const toStatusPart = ({ confirmation_status = 'CONFIRMED', ambiguous = false }: ShownStatus): string =>
  `${confirmation_status === 'CONFIRMED' ? '' : `.${confirmation_status}`}${ambiguous ? '.ambiguous' : ''}`;

/**
 * The header with the tag of a resource: the UUID of its version, and its status where that isn't the usual one,
 * because equal tags mean equal answers.
 */
export const toTagHeader = ({ resource, version }: Versioned<object>): { readonly etag: string } => ({
  etag: `"${toVersionUuid(version)}${toStatusPart(resource)}"`,
});

/** The answer with a resource and its tag. */
export const toVersionedAnswer = <T extends object>(versioned: Versioned<T>) =>
  ({ status: 200, headers: toTagHeader(versioned), body: versioned.resource }) as const;

// The status in a tag says nothing about the version. A weak tag matches nothing.
const namesVersion = (tag: string, versionUuid: string): boolean => {
  const [quoted, version] = /^"([0-9a-f-]+)(?:\.\w+)*"$/.exec(tag.trim()) ?? [];
  return quoted !== undefined && version === versionUuid;
};

/**
 * Asserts that `If-Match` allows a change of this version. To be called where no other change of the resource can begin
 * before this one.
 * @param condition The value of the header: tags, or `*` for any version; undefined allows every change.
 * @throws LedgerError PRECONDITION_FAILED.
 */
export const assertVersionMatches = (condition: string | undefined, versionIdentity: string): void => {
  if (condition === undefined || condition.trim() === '*') return;
  const versionUuid = toVersionUuid(versionIdentity);
  if (!condition.split(',').some((tag) => namesVersion(tag, versionUuid))) throw new LedgerError('PRECONDITION_FAILED');
};
