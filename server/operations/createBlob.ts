// Keeps a file that was uploaded, and records its fingerprint.
import type { BlobRecord } from '../../ledger/blobRecord.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toBlobIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import { toBlobResource } from '../../ledger/resources.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';
import { readMimeType } from '../blobs/mimeType.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';

export const createBlob =
  ({ blobs, writer, newUuid, now }: ServerDeps): Handler<'createBlob'> =>
  async ({ caller: { tenantIdentity, principal }, body: { file } }) => {
    const record: BlobRecord = {
      type: 'blob',
      identity: toVersionIdentity(toBlobIdentity(newUuid()), newUuid()),
      sha256: file.sha256,
      mime_type: await readMimeType(file.path, file.declaredType),
      size: file.size,
      timestamp_accepted: toTimestamp(now()),
      principal_accepted: principal,
    };
    const append = () => writer.append(tenantIdentity, record);
    const { confirmation_status: status } = await blobs.keep(tenantIdentity, file, append);
    // A blob has no status to show this in.
    if (status === 'FAILED')
      throw new LedgerError('TRANSACTION_REFUSED', { message: `the chain refused ${record.identity}` });
    return { status: 200, body: toBlobResource(record, tenantIdentity) };
  };
