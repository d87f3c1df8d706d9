// Stores an uploaded file and records its hash.
import { toBlobIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import { type BlobRecord, type BlobResource, toBlobResource } from '../../../ledger/records/blob.ts';
import type { StagedFile } from '../../blobs/blobStore.ts';
import { readMimeType } from '../../blobs/mimeType.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Caller, Handler } from '../../openapi/handlers.ts';
import { type Acceptance, acceptRecord } from '../../records/acceptance.ts';
import { refuseFailed } from '../../records/appendVersion.ts';
import { type CreationUuids, createCreateOnce, nameCreation } from '../../records/idempotency.ts';

interface Creation extends CreationUuids {
  readonly caller: Caller;
  readonly file: StagedFile;
  readonly mimeType: string;
}

const toIdentity = ({ uuid, recordUuid }: Creation): string => toVersionIdentity(toBlobIdentity(uuid), recordUuid);

const toRecord = (creation: Creation, { atTimestamp, principal }: Acceptance): BlobRecord => ({
  type: 'blob',
  identity: toIdentity(creation),
  sha256: creation.file.sha256,
  mime_type: creation.mimeType,
  size: creation.file.size,
  timestamp_accepted: atTimestamp,
  principal_accepted: principal,
});

// A key belongs to one caller, so the first blob has the same principal.
const toFirstRecord = (first: BlobResource, creation: Creation): BlobRecord => ({
  ...toRecord(creation, { atTimestamp: first.timestamp_accepted, principal: creation.caller.principal }),
  sha256: first.hash.value,
  mime_type: first.mime_type,
  size: first.size,
});

const appendBlob = async (deps: ServerDeps, creation: Creation): Promise<BlobResource> => {
  const { blobs, writer } = deps;
  const { tenantIdentity } = creation.caller;
  const append = async () => {
    const { record, commitment } = acceptRecord(deps, creation.caller, (acceptance) => toRecord(creation, acceptance));
    // From then on the view shows the record, even before it is committed.
    void writer.flush().then(creation.file.claim.release, creation.file.claim.release);
    return { record, commitment: await commitment };
  };
  const { record, commitment } = await blobs.keep(tenantIdentity, creation.file, append);
  // A blob has no confirmation status that could show the refusal.
  if (commitment.confirmation_status === 'FAILED') throw refuseFailed(record, commitment);
  return toBlobResource(record, tenantIdentity);
};

export const createBlob = (deps: ServerDeps): Handler<'createBlob'> => {
  const create = createCreateOnce<Creation, BlobResource, BlobResource>(deps.newUuid, {
    toIdentity,
    readFirst: ({ caller, uuid }) => deps.view.readBlob(caller.tenantIdentity, uuid),
    toFirstRecord,
    toRecord,
    answerFirst: (first) => first,
    append: (creation) => appendBlob(deps, creation),
  });
  return async ({ caller, body: { file }, headers }) => {
    const mimeType = await readMimeType(file.path, file.declaredType);
    const blob = await create(caller, headers['Idempotency-Key'], (nameUuid) => ({
      caller,
      file,
      mimeType,
      ...nameCreation(nameUuid, 'v1/blobs'),
    }));
    return { status: 200, body: blob };
  };
};
