// Reads one location in its newest version, or in the one that was in effect at a time.
import { normalizeTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toLocationResource } from '../../../ledger/records/location.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { toVersionedAnswer } from '../../records/versionTags.ts';

export const getLocation =
  ({ view }: ServerDeps): Handler<'getLocation'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query: { at_time } }) => {
    if (at_time !== undefined) {
      const atMs = Date.parse(normalizeTimestamp(at_time, 'at_time'));
      const past = await view.readLocationAt(tenantIdentity, uuid, atMs);
      if (past === undefined) throw new LedgerError('LOCATION_NOT_FOUND');
      return { status: 200, body: past };
    }
    const newest = await view.readNewestLocation(tenantIdentity, uuid);
    if (newest === undefined) throw new LedgerError('LOCATION_NOT_FOUND');
    return toVersionedAnswer({ resource: toLocationResource(newest), version: newest.identity });
  };
