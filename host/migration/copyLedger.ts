// Copies the records of another ledger into one whose chain is new: admits the tenants, states for each where its part
// of the other ledger ended, appends all records, and reads them back.
import { createHash, randomUUID } from 'node:crypto';
import { admitTenant } from '../../chain/administration.ts';
import type { ChainPort } from '../../chain/port.ts';
import type { Wallet } from '../../chain/wallet.ts';
import { createTransactionSender } from '../../chain/writing/transactionSender.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { type Frontier, toFrontierRoot } from '../../ledger/evidence/merkleTree.ts';
import { toKey, toStreamIdentityOf, toSuccessionIdentity, toUuid, toVersionIdentity } from '../../ledger/identity.ts';
import { toPrincipal } from '../../ledger/principal.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import type { SuccessionRecord } from '../../ledger/records/succession.ts';
import type { Keyring } from '../keyring.ts';
import type { OnStep } from '../ledgerOptions.ts';
import { openTenantWallets, toAdministratorName } from '../wallets/tenantWallets.ts';
import { readLogPages } from './logPages.ts';
import { type CopiedRecord, createRecordCopier } from './recordCopier.ts';
import type { SourceLedger } from './sourceLedger.ts';
import { assertLedgerAdministrator, readOtherWriters } from './sourceRoles.ts';
import type { TenantTrees } from './tenantTrees.ts';

/** The ledger that gets the records. */
export interface NewLedger {
  readonly chain: ChainPort;
  readonly contract: Hex;
  readonly keyring: Keyring;
}

/** What was copied. */
export interface CopiedLedger {
  readonly records: number;
  /** Records that the author of their tenant signed now, and another account before. */
  readonly signedByOthers: number;
  /** Number of the newest block of the new chain. */
  readonly newestBlock: number;
}

interface TenantKeys {
  readonly identity: string;
  readonly author: Wallet;
  readonly administrator: Wallet;
}

const openTenantKeys = async (keyring: Keyring): Promise<Map<Hex, TenantKeys>> => {
  const tenants = new Map<Hex, TenantKeys>();
  const wallets = await openTenantWallets(keyring);
  for (const identity of wallets.tenantIdentities()) {
    const administrator = await keyring.requireWallet(toAdministratorName(toUuid(identity)));
    tenants.set(toHex(toKey(identity)), { identity, author: wallets.authorOf(identity), administrator });
  }
  return tenants;
};

const assertKeys = (tenants: ReadonlyMap<Hex, TenantKeys>, trees: TenantTrees): void => {
  for (const key of trees.keys()) {
    if (tenants.has(key)) continue;
    throw new Error(`keys/ has no key of the tenant with the key ${key}, so its records can't be signed again`);
  }
};

/** Hash of records in their order. */
const createRecordHash = () => {
  const hash = createHash('sha256');
  return {
    add: ({ tenantKey, streamKey, recordKey, payload }: CopiedRecord): void => {
      for (const key of [tenantKey, streamKey, recordKey]) hash.update(fromHex(key));
      hash.update(new Uint32Array([payload.length])).update(payload);
    },
    end: (): string => hash.digest('hex'),
  };
};

interface Copying {
  readonly old: SourceLedger;
  readonly trees: TenantTrees;
  readonly tenants: ReadonlyMap<Hex, TenantKeys>;
  readonly onStep: OnStep;
}

const toSuccession = (
  { old }: Copying,
  { key, tree, nowMs }: { key: Hex; tree: Frontier; nowMs: number },
): CopiedRecord => {
  const record: SuccessionRecord = {
    type: 'succession',
    identity: toVersionIdentity(toSuccessionIdentity(randomUUID()), randomUUID()),
    chain_id: old.chainId,
    contract: old.contract,
    block_hash: old.head.hash,
    size: tree.size,
    root: toHex(toFrontierRoot(tree)),
    timestamp_accepted: toTimestamp(nowMs),
    principal_accepted: toPrincipal({ issuer: old.issuer, subject: 'operator', display_name: 'operator' }),
  };
  return {
    tenantKey: key,
    streamKey: toHex(toKey(toStreamIdentityOf(record))),
    recordKey: toHex(toKey(record.identity)),
    payload: encodePayload(record),
  };
};

const admitTenants = async (target: NewLedger, { old, tenants, trees }: Copying): Promise<void> => {
  const { chain, contract, keyring } = target;
  const ledgerAdministrator = await keyring.requireWallet('ledger-administrator');
  await assertLedgerAdministrator(old, ledgerAdministrator.address);
  const others = new Map<Hex, Hex[]>();
  for (const key of trees.keys()) {
    const { administrator, author } = tenants.get(key)!;
    const own = { administrator: administrator.address, author: author.address };
    others.set(key, await readOtherWriters(old, key, own));
  }
  for (const [key, addresses] of others) {
    const { identity, author, administrator: tenantAdministrator } = tenants.get(key)!;
    for (const writer of [author, ...addresses.map((address) => ({ address }))])
      await admitTenant(chain, contract, identity, { ledgerAdministrator, tenantAdministrator, writer });
  }
};

const copyRecords = async (
  { chain, contract, keyring }: NewLedger,
  { old, tenants, onStep }: Copying,
  successions: readonly CopiedRecord[],
): Promise<{ hash: string; signedByOthers: number }> => {
  const relayer = createTransactionSender(chain, await keyring.requireWallet('relayer'));
  const authors = new Map([...tenants].map(([key, { author }]) => [key, author]));
  const copier = createRecordCopier({ chain, contract, relayer, authors });
  await copier.append(successions);
  const hash = createRecordHash();
  let signedByOthers = 0;
  for await (const { logs, toBlock } of old.readLogs()) {
    logs.forEach(hash.add);
    signedByOthers += logs.filter(({ tenantKey, author }) => author !== authors.get(tenantKey)!.address).length;
    await copier.append(logs);
    onStep({ title: 'copying records', unit: 'blocks', done: toBlock, total: old.head.number });
  }
  await copier.flush();
  return { hash: hash.end(), signedByOthers };
};

const readBack = async ({ chain, contract }: NewLedger, successions: ReadonlySet<Hex>) => {
  const { number: newestBlock } = await chain.fetchFinalHead();
  const hash = createRecordHash();
  let records = 0;
  for await (const { logs } of readLogPages(chain, contract, newestBlock)) {
    const copied = logs.filter(({ recordKey }) => !successions.has(recordKey));
    copied.forEach(hash.add);
    records += copied.length;
  }
  return { newestBlock, records, hash: hash.end() };
};

/**
 * Copies all records of `old`, whose tenants have these trees.
 * @throws Error when the keyring lacks the keys of a tenant, or the old contract gives their roles to other accounts;
 * then no record was written.
 */
export const copyLedger = async (
  target: NewLedger,
  { old, trees, now, onStep }: { old: SourceLedger; trees: TenantTrees; now: () => number; onStep: OnStep },
): Promise<CopiedLedger> => {
  const tenants = await openTenantKeys(target.keyring);
  assertKeys(tenants, trees);
  const copying: Copying = { old, trees, tenants, onStep };
  await admitTenants(target, copying);
  const successions = [...trees].map(([key, tree]) => toSuccession(copying, { key, tree, nowMs: now() }));
  const { hash, signedByOthers } = await copyRecords(target, copying, successions);
  const { hash: found, ...read } = await readBack(target, new Set(successions.map(({ recordKey }) => recordKey)));
  if (found !== hash) throw new Error('the records of the new chain differ from those of the old one');
  return { ...read, signedByOthers };
};
