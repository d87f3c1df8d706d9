// Records of blocks that neither journal nor copy has: they are appended again from the index, signed again with the key of their author. Ids,
// content, times of acceptance and the order in each asset stay; blocks, transactions and times of commitment are new.
import { admitTenant, type Deployment, findOrDeployLedger } from '../chain/administration.ts';
import type { ChainPort, RecordLog } from '../chain/port.ts';
import { createSender } from '../chain/sender.ts';
import { createSubmission, type SubmittedRecord, toBatchLimits } from '../chain/submission.ts';
import type { InventoryRecord } from '../indexer/inventory.ts';
import { toHex } from '../ledger/hex.ts';
import { toKey, toUuid } from '../ledger/identity.ts';
import { toStreamIdentityOf } from '../ledger/record.ts';
import type { Keyring } from './keyring.ts';
import { readLedgerBytecode } from './ledgerArtifact.ts';
import { LEDGER_LIMITS } from './limits.ts';
import { openTenantWallets, type TenantWallets, toAdministratorName } from './tenantWallets.ts';

export interface LostRecord {
  readonly record: InventoryRecord;
  readonly reason: string;
}

export interface Missing {
  readonly appendable: readonly InventoryRecord[];
  readonly lost: readonly LostRecord[];
}

/** Which of the records this installation can sign again. */
export const sortMissing = (records: readonly InventoryRecord[], wallets: TenantWallets): Missing => {
  const lost: LostRecord[] = [];
  const appendable = records.filter((record) => {
    const { tenantIdentity, place } = record;
    const address = tenantIdentity === '' ? undefined : wallets.findAddress(tenantIdentity);
    if (address === place.author) return true;
    lost.push({ record, reason: `this directory does not have the key of its author ${place.author}` });
    return false;
  });
  return { appendable, lost };
};

const toSubmitted = ({ tenantIdentity, record, payload }: InventoryRecord): SubmittedRecord => ({
  tenantIdentity,
  streamIdentity: toStreamIdentityOf(record),
  record,
  payload,
});

const toBatches = (
  records: readonly InventoryRecord[],
  { batchRecordsMax, batchBytesMax }: { batchRecordsMax: number; batchBytesMax: number },
): InventoryRecord[][] => {
  const batches: InventoryRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const batch = batches.at(-1);
    bytes += record.payload.length;
    if (batch !== undefined && batch.length < batchRecordsMax && bytes <= batchBytesMax) batch.push(record);
    else {
      batches.push([record]);
      bytes = record.payload.length;
    }
  }
  return batches;
};

const admitTenants = async (
  chain: ChainPort,
  { address }: Deployment,
  { keyring, wallets }: { keyring: Keyring; wallets: TenantWallets },
  tenants: ReadonlySet<string>,
): Promise<void> => {
  const ledgerAdministrator = await keyring.requireWallet('ledger-administrator');
  for (const tenant of tenants) {
    const tenantAdministrator = await keyring.requireWallet(toAdministratorName(toUuid(tenant)));
    await admitTenant(chain, address, tenant, {
      ledgerAdministrator,
      tenantAdministrator,
      writer: wallets.authorOf(tenant),
    });
  }
};

const toName = (tenantIdentity: string, identity: string): string =>
  `${toHex(toKey(tenantIdentity))} ${toHex(toKey(identity))}`;

/**
 * Appends the records that the chain does not have, in their order. Resolves with the place of each record of the chain after a block, by
 * tenant and key. What is there already is not changed, so it may be called again after it was cut off.
 */
export const appendAgain = async (
  chain: ChainPort,
  keyring: Keyring,
  { records, afterBlock }: { records: readonly InventoryRecord[]; afterBlock: number },
  onAppended: (done: number, total: number) => void,
): Promise<{ deployment: Deployment; placeOf: (record: InventoryRecord) => RecordLog | undefined }> => {
  const administrator = await keyring.requireWallet('ledger-administrator');
  const deployment = await findOrDeployLedger(chain, administrator, await readLedgerBytecode());
  const wallets = await openTenantWallets(keyring);
  await admitTenants(
    chain,
    deployment,
    { keyring, wallets },
    new Set(records.map(({ tenantIdentity }) => tenantIdentity)),
  );
  const relayer = createSender(chain, await keyring.openWallet('relayer'));
  const submission = createSubmission({ chain, contract: deployment.address, relayer, authorOf: wallets.authorOf });
  let done = 0;
  for (const batch of toBatches(records, toBatchLimits(chain, LEDGER_LIMITS))) {
    await submission.submit(batch.map(toSubmitted));
    done += batch.length;
    onAppended(done, records.length);
  }
  const { number } = await chain.fetchFinalHead();
  const logs = await chain.fetchRecordLogs({ address: deployment.address, fromBlock: afterBlock + 1, toBlock: number });
  const places = new Map(logs.map((log) => [`${log.tenantKey} ${log.recordKey}`, log]));
  return { deployment, placeOf: ({ tenantIdentity, record }) => places.get(toName(tenantIdentity, record.identity)) };
};
