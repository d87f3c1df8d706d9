// Appends the records of missing blocks again, block by block in their order. A known transaction is sent again with
// its original calldata, and so with the signatures in it; records that only the index has are signed again with the
// key of their author. Ids, content, times of acceptance and the order in each asset stay; blocks, transactions and
// times of commitment are new.
import { admitTenant, type Deployment, findOrDeployLedger } from '../../chain/administration.ts';
import { callView } from '../../chain/callView.ts';
import type { ChainPort, RecordLog } from '../../chain/port.ts';
import type { Wallet } from '../../chain/wallet.ts';
import {
  createSubmission,
  type Submission,
  type SubmittedRecord,
  toBatchLimits,
} from '../../chain/writing/submission.ts';
import { createTransactionSender, type TransactionSender } from '../../chain/writing/transactionSender.ts';
import type { RecordKeys } from '../../indexer/inventory.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toStreamIdentityOf, toUuid } from '../../ledger/identity.ts';
import { readLedgerBytecode } from '../files/ledgerArtifact.ts';
import type { Keyring } from '../keyring.ts';
import { LEDGER_LIMITS } from '../settings/installationLimits.ts';
import { openTenantWallets, type TenantWallets, toAdministratorName } from '../wallets/tenantWallets.ts';
import { findFunction } from './repairCalldata.ts';
import { type Gap, type MissingBlock, type MissingRecord, type MissingTransaction, toRecordName } from './repairGap.ts';

export interface AppendedRecord {
  readonly record: MissingRecord;
  /** Its new log; undefined in a dry run. */
  readonly log: RecordLog | undefined;
}

export interface LostRecord {
  readonly record: MissingRecord;
  readonly reason: string;
}

/** A missing block without records: the administration of tenants, or a transaction of a third party. */
export interface OtherBlock {
  readonly number: number;
  /** Undefined when it is lost. */
  readonly transaction: MissingTransaction | undefined;
  /** Why it could not be sent again; undefined when it was. */
  readonly reason: string | undefined;
  /** Whether an undamaged index shows that it had no records. */
  readonly isIndexed: boolean;
}

export interface AppendResult {
  readonly deployment: Deployment;
  readonly appended: readonly AppendedRecord[];
  readonly lost: readonly LostRecord[];
  /** Records that a damaged index names, without their content. */
  readonly lostNames: readonly RecordKeys[];
  readonly others: readonly OtherBlock[];
}

/** Why a step failed; undefined when it succeeded. */
type Reason = string | undefined;

/** Runs a task that the chain may refuse. */
const attempt = async (task: () => Promise<Reason>): Promise<Reason> => {
  try {
    return await task();
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED') return error.message;
    throw error;
  }
};

const REVERTED = 'the contract does not accept it again';

const findReason = async (chain: ChainPort, hash: Hex): Promise<Reason> => {
  const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as { status: Hex } | null;
  return receipt?.status === '0x1' ? undefined : REVERTED;
};

interface RepairedLedger {
  readonly chain: ChainPort;
  readonly keyring: Keyring;
  readonly wallets: TenantWallets;
  /** All wallets of this installation by address. */
  readonly own: ReadonlyMap<Hex, Wallet>;
  readonly relayer: TransactionSender;
  readonly submission: Submission;
  requireDeployment(): Promise<Deployment>;
}

const readOwnWallets = async (keyring: Keyring): Promise<Map<Hex, Wallet>> => {
  const own = new Map<Hex, Wallet>();
  for (const name of await keyring.listWallets()) {
    const wallet = await keyring.requireWallet(name);
    own.set(wallet.address, wallet);
  }
  return own;
};

const openLedgerOf = async (chain: ChainPort, keyring: Keyring, contract: Hex): Promise<RepairedLedger> => {
  const wallets = await openTenantWallets(keyring);
  const relayer = createTransactionSender(chain, await keyring.requireWallet('relayer'));
  let deployment: Deployment | undefined;
  return {
    chain,
    keyring,
    wallets,
    own: await readOwnWallets(keyring),
    relayer,
    submission: createSubmission({ chain, contract, relayer, authorOf: wallets.authorOf }),
    requireDeployment: async () => {
      const administrator = await keyring.requireWallet('ledger-administrator');
      deployment ??= await findOrDeployLedger(chain, administrator, await readLedgerBytecode());
      return deployment;
    },
  };
};

const toSender = (
  { chain, own, relayer }: RepairedLedger,
  { from, data }: MissingTransaction,
): TransactionSender | undefined => {
  const wallet = own.get(from);
  // A signed batch has its authors' signatures, so any account may send it.
  if (from === relayer.address || (wallet === undefined && findFunction(data) === 'appendSigned')) return relayer;
  return wallet && createTransactionSender(chain, wallet);
};

// With a new nonce if this installation has the key of the sender, else unchanged.
const sendAgain = async (ledger: RepairedLedger, transaction: MissingTransaction): Promise<Reason> => {
  const { chain } = ledger;
  const { raw, from, to, data, nonce, gasLimit, value } = transaction;
  const sender = toSender(ledger, transaction);
  if (sender !== undefined) return findReason(chain, (await sender.send({ to, data, gasLimit, value })).hash);
  const expected = await chain.fetchNonce(from);
  if (nonce !== expected) return `its nonce is ${nonce}, the next of ${from} is ${expected}, and no key here is of it`;
  return findReason(chain, (await chain.submitTransaction(raw)).hash);
};

// Steps of the admission that are done already are skipped.
const admit = async (
  { chain, keyring, wallets, requireDeployment }: RepairedLedger,
  tenantIdentity: string,
): Promise<Reason> => {
  const { address } = await requireDeployment();
  const name = toAdministratorName(toUuid(tenantIdentity));
  const isKnown = (await keyring.listWallets()).includes(name) && wallets.findAddress(tenantIdentity) !== undefined;
  if (!isKnown) return `this directory does not have the keys of ${tenantIdentity}`;
  const ledgerAdministrator = await keyring.requireWallet('ledger-administrator');
  const tenantAdministrator = await keyring.requireWallet(name);
  const writer = wallets.authorOf(tenantIdentity);
  return attempt(async () => {
    await admitTenant(chain, address, tenantIdentity, { ledgerAdministrator, tenantAdministrator, writer });
    return undefined;
  });
};

const toSubmitted = ({ tenantIdentity, record, payload }: MissingRecord): SubmittedRecord => ({
  tenantIdentity: tenantIdentity!,
  streamIdentity: toStreamIdentityOf(record!),
  record: record!,
  payload,
});

const findSigningObstacle = (
  { wallets }: RepairedLedger,
  { tenantIdentity, record, author }: MissingRecord,
): Reason => {
  if (record === undefined) return 'its payload is no record of this version';
  if (tenantIdentity === undefined) return 'the index lacks the row of its tenant, and no key here is of that tenant';
  const address = wallets.findAddress(tenantIdentity);
  if (address === undefined) return `this directory does not have the key of its author ${author}`;
  return address === author
    ? undefined
    : `its author was ${author}, and the key of the tenant here is that of ${address}`;
};

const submitAgain = ({ chain, submission }: RepairedLedger, records: readonly MissingRecord[]): Promise<Reason> =>
  attempt(async () => findReason(chain, (await submission.submit(records.map(toSubmitted))).hash));

const toBatches = (
  records: readonly MissingRecord[],
  { batchRecordsMax, batchBytesMax }: { batchRecordsMax: number; batchBytesMax: number },
): MissingRecord[][] => {
  const batches: MissingRecord[][] = [];
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

type Reasons = Map<string, string>;

const note = (reasons: Reasons, records: readonly MissingRecord[], reason: Reason): void => {
  if (reason !== undefined) for (const record of records) reasons.set(toRecordName(record), reason);
};

// A record that the contract refuses must not prevent the others of its batch.
const signAgain = async (
  ledger: RepairedLedger,
  records: readonly MissingRecord[],
  reasons: Reasons,
): Promise<void> => {
  const signable = records.filter((record) => {
    const obstacle = findSigningObstacle(ledger, record);
    note(reasons, [record], obstacle);
    return obstacle === undefined;
  });
  for (const batch of toBatches(signable, toBatchLimits(ledger.chain, LEDGER_LIMITS))) {
    if ((await submitAgain(ledger, batch)) === undefined) continue;
    for (const record of batch) note(reasons, [record], await submitAgain(ledger, [record]));
  }
};

const UNTRUSTED = 'the index has no checksums, and its files are damaged: its content may have changed';

/** Appends the content of one block again. Resolves with the reason why its transaction could not be sent again. */
const appendBlock = async (
  ledger: RepairedLedger,
  { transaction, records }: MissingBlock,
  { isTrusted, reasons }: { isTrusted: boolean; reasons: Reasons },
): Promise<Reason> => {
  const tenants = new Set(records.flatMap(({ tenantIdentity }) => tenantIdentity ?? []));
  for (const tenant of tenants) {
    const own = records.filter(({ tenantIdentity }) => tenantIdentity === tenant);
    note(reasons, own, await admit(ledger, tenant));
  }
  const reason =
    transaction === undefined ? 'its transaction is lost' : await attempt(() => sendAgain(ledger, transaction));
  if (reason === undefined || records.length === 0) return reason;
  if (isTrusted) await signAgain(ledger, records, reasons);
  else note(reasons, records, UNTRUSTED);
  return reason;
};

const isRecorded = async (
  { chain }: RepairedLedger,
  to: Hex,
  { tenantKey, recordKey }: RecordKeys,
): Promise<boolean> => {
  const [, sequence] = await callView(chain.request, to, { name: 'recordOf', args: [tenantKey, recordKey] });
  return sequence !== 0n;
};

/** Sorts the records by whether the repaired chain has them. */
const sortRecords = async (
  ledger: RepairedLedger,
  { contract, afterBlock }: { contract: Hex; afterBlock: number },
  { blocks, names }: Gap,
  reasons: Reasons,
): Promise<Pick<AppendResult, 'appended' | 'lost' | 'lostNames'>> => {
  const { number: toBlock } = await ledger.chain.fetchFinalHead();
  const logs = await ledger.chain.fetchRecordLogs({ address: contract, fromBlock: afterBlock + 1, toBlock });
  const places = new Map(logs.map((log) => [toRecordName(log), log]));
  const appended: AppendedRecord[] = [];
  const lost: LostRecord[] = [];
  for (const record of blocks.flatMap(({ records }) => records)) {
    const name = toRecordName(record);
    const log = places.get(name);
    if (log !== undefined) appended.push({ record, log });
    else if (!(await isRecorded(ledger, contract, record)))
      lost.push({ record, reason: reasons.get(name) ?? REVERTED });
  }
  const known = new Set(lost.map(({ record }) => toRecordName(record)));
  const lostNames: RecordKeys[] = [];
  for (const name of names.filter((one) => !places.has(toRecordName(one)) && !known.has(toRecordName(one)))) {
    if (!(await isRecorded(ledger, contract, name))) lostNames.push(name);
  }
  return { appended, lost, lostNames };
};

/** Appends the records of the gap to a chain that ends before it. `onDone` is called after each block. */
export const appendGap = async (
  chain: ChainPort,
  keyring: Keyring,
  gap: Gap,
  { contract, onDone }: { contract: Hex; onDone: (blocks: number) => void },
): Promise<AppendResult> => {
  const ledger = await openLedgerOf(chain, keyring, contract);
  const { number: afterBlock } = await chain.fetchFinalHead();
  const reasons: Reasons = new Map();
  const others: OtherBlock[] = [];
  for (const [at, block] of gap.blocks.entries()) {
    const { number, transaction, records, isIndexed } = block;
    const reason = await appendBlock(ledger, block, { isTrusted: gap.isTrusted, reasons });
    if (records.length === 0 && (isIndexed || transaction !== undefined)) {
      others.push({ number, transaction, reason, isIndexed });
    }
    onDone(at + 1);
  }
  const deployment = await ledger.requireDeployment();
  return { deployment, others, ...(await sortRecords(ledger, { contract, afterBlock }, gap, reasons)) };
};
