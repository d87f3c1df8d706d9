// A data directory as version 0.1 left it: the contract without a tree on a chain of format 1.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { admitTenant, findOrDeployLedger } from '../../../chain/administration.ts';
import { createEdr } from '../../../chain/embedded/edr.ts';
import { createEmbeddedChain } from '../../../chain/embedded/embeddedChain.ts';
import { createGenesisConfig } from '../../../chain/embedded/genesis.ts';
import { openJournal } from '../../../chain/embedded/journal/journal.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import type { ChainPort } from '../../../chain/port.ts';
import type { Wallet } from '../../../chain/wallet.ts';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import { createTransactionSender } from '../../../chain/writing/transactionSender.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { type Keyring, openKeyring } from '../../../host/keyring.ts';
import { type CopiedRecord, createRecordCopier } from '../../../host/migration/recordCopier.ts';
import { findTenantUuid, toAdministratorName, toAuthorName } from '../../../host/wallets/tenantWallets.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf, toTenantIdentity, toUuid } from '../../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';

export const OLD_CHAIN_ID = 7_331;
const GENESIS_TIME_SECONDS = 1_767_225_600;

/** A record of a tenant by its keys. */
export const toCopied = (tenantIdentity: string, record: LedgerRecord): CopiedRecord => ({
  tenantKey: toHex(toKey(tenantIdentity)),
  streamKey: toHex(toKey(toStreamIdentityOf(record))),
  recordKey: toHex(toKey(record.identity)),
  payload: encodePayload(record),
});

const readBytecode = async (): Promise<Hex> => {
  const vector = new URL('../../vectors/contract-0.1.json', import.meta.url);
  return (JSON.parse(await readFile(vector, 'utf8')) as { bytecode: Hex }).bytecode;
};

const beginChain = async (directory: string): Promise<void> => {
  const config = { ...createGenesisConfig(OLD_CHAIN_ID, GENESIS_TIME_SECONDS), formatVersion: 1 } as const;
  const edr = await createEdr(config);
  const { hash } = (await edr.request('eth_getBlockByNumber', ['0x0', false])) as { hash: Hex };
  await mkdir(directory, { recursive: true });
  const journal = await openJournal(directory);
  await journal.writeGenesis({ config, hash });
  await journal.close();
};

/** An open ledger of version 0.1. */
export interface LedgerOf01 {
  readonly chain: ChainPort;
  readonly contract: Hex;
  readonly keyring: Keyring;
  /** Appends the records in one transaction; `author` signs instead of their tenants' authors. */
  append(records: readonly CopiedRecord[], author?: Wallet): Promise<void>;
  addWriter(tenantIdentity: string, writer: Hex): Promise<void>;
  removeWriter(tenantIdentity: string, writer: Hex): Promise<void>;
  /** Begins to hand over the administration of a tenant. */
  handOver(tenantIdentity: string, successor: Hex): Promise<void>;
  /** Completes it. */
  accept(tenantIdentity: string, successor: Wallet): Promise<void>;
  /** The transactions of all blocks. */
  readTransactions(): Promise<Uint8Array[]>;
  close(): Promise<void>;
}

const openAuthors = async (keyring: Keyring): Promise<Map<Hex, Wallet>> => {
  const authors = new Map<Hex, Wallet>();
  for (const name of await keyring.listWallets()) {
    const uuid = findTenantUuid(name);
    if (uuid !== undefined) authors.set(toHex(toKey(toTenantIdentity(uuid))), await keyring.requireWallet(name));
  }
  return authors;
};

const readTransactions = async (directory: string): Promise<Uint8Array[]> => {
  const journal = await openJournal(directory);
  const transactions: Uint8Array[] = [];
  for await (const { transaction } of journal.readBlocks()) transactions.push(transaction);
  await journal.close();
  return transactions;
};

/** Opens the ledger of version 0.1 in a directory. */
export const openLedgerOf01 = async (dataDir: string): Promise<LedgerOf01> => {
  const { chain: directory, keys } = dataPaths(dataDir);
  const keyring = await openKeyring(keys);
  const chain = await createEmbeddedChain({ directory, chainId: 1, opensOutdated: true, now: Date.now });
  const ledgerAdministrator = await keyring.openWallet('ledger-administrator');
  const { address: contract } = await findOrDeployLedger(chain, ledgerAdministrator, await readBytecode());
  const relayer = createTransactionSender(chain, await keyring.openWallet('relayer'));
  const transact = async (wallet: Wallet, name: string, ...args: unknown[]): Promise<void> => {
    const data = fromHex(ledgerInterface.encodeFunctionData(name, args));
    await createTransactionSender(chain, wallet).send({ to: contract, data, gasLimit: 300_000 });
  };
  const administer = async (name: string, tenantIdentity: string, account: Hex): Promise<void> => {
    const administrator = await keyring.requireWallet(toAdministratorName(toUuid(tenantIdentity)));
    await transact(administrator, name, toKey(tenantIdentity), account);
  };
  return {
    chain,
    contract,
    keyring,
    append: async (records, author) => {
      const authors = await openAuthors(keyring);
      const own = author === undefined ? authors : new Map([...authors.keys()].map((key) => [key, author]));
      const copier = createRecordCopier({ chain, contract, relayer, authors: own });
      await copier.append(records);
      await copier.flush();
    },
    addWriter: (tenantIdentity, writer) => administer('addWriter', tenantIdentity, writer),
    removeWriter: (tenantIdentity, writer) => administer('removeWriter', tenantIdentity, writer),
    handOver: (tenantIdentity, successor) => administer('transferTenantAdministration', tenantIdentity, successor),
    accept: (tenantIdentity, successor) => transact(successor, 'acceptTenantAdministration', toKey(tenantIdentity)),
    readTransactions: async () => {
      const copy = `${directory}-read`;
      await cp(directory, copy, { recursive: true, filter: (path) => !path.endsWith('LOCK') });
      const transactions = await readTransactions(copy);
      await rm(copy, { recursive: true });
      return transactions;
    },
    close: chain.close,
  };
};

/** Creates a ledger of version 0.1 with these tenants in a directory that doesn't exist yet. */
export const createLedgerOf01 = async (dataDir: string, tenants: readonly string[]): Promise<LedgerOf01> => {
  const { chain: directory, blobs, outbox } = dataPaths(dataDir);
  await beginChain(directory);
  await mkdir(join(blobs, 'content', 'ab'), { recursive: true });
  await writeFile(join(blobs, 'content', 'ab', 'cd'), 'bytes of a file');
  await mkdir(outbox, { recursive: true });
  await (await createOutbox({ directory: outbox, entriesMax: 10 })).close();
  const ledger = await openLedgerOf01(dataDir);
  const { chain, contract, keyring } = ledger;
  const ledgerAdministrator = await keyring.requireWallet('ledger-administrator');
  for (const identity of tenants) {
    const writer = await keyring.openWallet(toAuthorName(toUuid(identity)));
    const tenantAdministrator = await keyring.openWallet(toAdministratorName(toUuid(identity)));
    await admitTenant(chain, contract, identity, { ledgerAdministrator, tenantAdministrator, writer });
  }
  return ledger;
};
