// Reads one subject as it is now, or as it was at a time, or the tenant's own.
import { normalizeTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import type { SubjectResource } from '../../../ledger/records/subject.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { isSelf, toSelf } from '../../records/selfSubject.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

// An ambiguous subject grants nothing, and no record of the tenant shows that.
const markAmbiguous = async ({ view }: Pick<ServerDeps, 'view'>, subject: SubjectResource) => {
  const tenants = await view.readTenantKeysOfSubject(subject);
  return tenants.length > 1 ? { ...subject, ambiguous: true } : subject;
};

export const getSubject =
  (deps: ServerDeps): Handler<'getSubject'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query: { at_time } }) => {
    const { view, now } = deps;
    const atMs = at_time === undefined ? undefined : Date.parse(normalizeTimestamp(at_time, 'at_time'));
    if (isSelf(uuid)) return { status: 200, body: toSelf(deps, tenantIdentity) };
    if (atMs !== undefined && atMs < now()) {
      const past = await view.readSubjectAt(tenantIdentity, uuid, atMs);
      if (past === undefined) throw new LedgerError('SUBJECT_NOT_FOUND');
      return { status: 200, body: past };
    }
    // In this order a change between the two makes the tag older than the content, and not newer.
    const newest = await view.readNewestSubject(tenantIdentity, uuid);
    const subject = await view.readSubject(tenantIdentity, uuid);
    if (subject === undefined) throw new LedgerError('SUBJECT_NOT_FOUND');
    const resource = await markAmbiguous(deps, subject);
    // One whose only version the chain refused can't be changed.
    return newest === undefined
      ? { status: 200, body: resource }
      : toVersionedAnswer({ resource, version: newest.identity });
  };
