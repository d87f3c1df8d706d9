// Keeps a file that was uploaded, and records its fingerprint.

import { LedgerError } from '../../../ledger/errors.ts';
import { toBlobIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { type BlobRecord, type BlobResource, toBlobResource } from '../../../ledger/records/blob.ts';
import type { StagedFile } from '../../blobs/blobStore.ts';
import { readMimeType } from '../../blobs/mimeType.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { createRunExclusively } from '../../records/exclusive.ts';
import { createOnce, toKeyedUuid } from '../../records/idempotency.ts';
import { type Acceptance, acceptNow } from '../../records/newEvent.ts';

interface Creation {
  readonly caller: Caller;
  readonly file: StagedFile;
  readonly mimeType: string;
  readonly blobUuid: string;
  readonly versionUuid: string;
}

const toIdentity = ({ blobUuid, versionUuid }: Creation): string =>
  toVersionIdentity(toBlobIdentity(blobUuid), versionUuid);

const toRecord = (creation: Creation, { atTimestamp, principal }: Acceptance): BlobRecord => ({
  type: 'blob',
  identity: toIdentity(creation),
  sha256: creation.file.sha256,
  mime_type: creation.mimeType,
  size: creation.file.size,
  timestamp_accepted: atTimestamp,
  principal_accepted: principal,
});

// The key is of this caller alone, so the first blob was the caller's too.
const toFirstRecord = (creation: Creation, first: BlobResource): BlobRecord => ({
  ...toRecord(creation, { atTimestamp: first.timestamp_accepted, principal: creation.caller.principal }),
  sha256: first.hash.value,
  mime_type: first.mime_type,
  size: first.size,
});

const appendBlob = async (deps: ServerDeps, creation: Creation): Promise<BlobResource> => {
  const { blobs, writer } = deps;
  const { tenantIdentity } = creation.caller;
  const record = toRecord(creation, acceptNow(deps, creation.caller));
  const append = () => {
    const appended = writer.append(tenantIdentity, record);
    // From then on the view shows the record, also while its commitment is waited for.
    void writer.flush().then(creation.file.claim.release);
    return appended;
  };
  const { confirmation_status: status } = await blobs.keep(tenantIdentity, creation.file, append);
  // A blob has no status to show this in.
  if (status === 'FAILED')
    throw new LedgerError('TRANSACTION_REFUSED', { message: `the chain refused ${record.identity}` });
  return toBlobResource(record, tenantIdentity);
};

const toKeyedUuids = (caller: Caller, key: string) => {
  const blobUuid = toKeyedUuid(caller, 'v1/blobs', key);
  return { blobUuid, versionUuid: toKeyedUuid(caller, `v1/blobs/${blobUuid}`, key) };
};

export const createBlob = (deps: ServerDeps): Handler<'createBlob'> => {
  const { view, newUuid } = deps;
  const runExclusively = createRunExclusively();
  const createKeyed = (creation: Creation): Promise<BlobResource> =>
    createOnce(runExclusively, {
      identity: toIdentity(creation),
      readFirst: () => view.readBlob(creation.caller.tenantIdentity, creation.blobUuid),
      toFirstRecord: (first) => toFirstRecord(creation, first),
      toRecord: (acceptance) => toRecord(creation, acceptance),
      answerFirst: async (first) => first,
      create: () => appendBlob(deps, creation),
    });
  return async ({ caller, body: { file }, headers }) => {
    const mimeType = await readMimeType(file.path, file.declaredType);
    const key = headers['Idempotency-Key'];
    const blob =
      key === undefined
        ? appendBlob(deps, { caller, file, mimeType, blobUuid: newUuid(), versionUuid: newUuid() })
        : createKeyed({ caller, file, mimeType, ...toKeyedUuids(caller, key) });
    return { status: 200, body: await blob };
  };
};
