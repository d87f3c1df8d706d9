// npm run migrate: a ledger of version 0.1 becomes one of this version, and nothing is lost on the way.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { concat, sha256, toBeHex } from 'ethers';
import { admitTenant } from '../../../chain/administration.ts';
import { callView } from '../../../chain/callView.ts';
import { OutdatedLedger } from '../../../chain/embedded/genesis.ts';
import type { RecordLog } from '../../../chain/port.ts';
import { createWallet } from '../../../chain/wallet.ts';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { lockDirectory } from '../../../host/files/directoryLock.ts';
import { openIndexedChain } from '../../../host/indexedChain.ts';
import { readLogPages } from '../../../host/migration/logPages.ts';
import { type MigrationOptions, migrateLedger } from '../../../host/migration/migrateLedger.ts';
import type { CopiedRecord } from '../../../host/migration/recordCopier.ts';
import { LEDGER_LIMITS } from '../../../host/settings/installationLimits.ts';
import { toAdministratorName, toAuthorName } from '../../../host/wallets/tenantWallets.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../../ledger/identity.ts';
import { decodePayload, encodePayload } from '../../../ledger/records/record.ts';
import type { SuccessionRecord } from '../../../ledger/records/succession.ts';
import { toRoot } from '../../contracts/support/treeModel.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, aCreation, anEvent, assetOf, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { openTestLedger } from '../../support/testLedger.ts';
import { createLedgerOf01, OLD_CHAIN_ID, toCopied } from './ledgerOf01.ts';

const EVENTS = 450;
const OPAQUE: CopiedRecord = {
  tenantKey: toHex(toKey(ALPHA)),
  streamKey: toHex(toKey('any stream')),
  recordKey: toHex(toKey('any record')),
  payload: Uint8Array.of(9, 9, 9),
};

const RECORDS: readonly CopiedRecord[] = [
  toCopied(ALPHA, aTenantRecord(ALPHA, { display_name: 'alpha' })),
  toCopied(BETA, aTenantRecord(BETA, { display_name: 'beta' })),
  toCopied(ALPHA, aCreation()),
  ...Array.from({ length: EVENTS }, (_, at) =>
    toCopied(ALPHA, anEvent({ identity: eventOf(1, at + 10), event_attributes: { text: 'x'.repeat(at % 97) } })),
  ),
  toCopied(BETA, aCreation({ identity: eventOf(2, 1) })),
  OPAQUE,
];

const hashFiles = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/lock'));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const hashes = paths.map(
    async (path) =>
      `${path} ${createHash('sha256')
        .update(await readFile(path))
        .digest('hex')}`,
  );
  return Promise.all(hashes);
};

// The leaf of each record as contracts/IProvenanceLedger.sol describes it, without the code of ledger/evidence.
const toLeaf = ({ digest, head, sequence, blockNumber, blockTimestampSeconds }: RecordLog): Hex => {
  const numbers = [toBeHex(sequence, 4), toBeHex(blockNumber, 8), toBeHex(blockTimestampSeconds, 8)];
  return sha256(concat(['0x00', digest, head, ...numbers])) as Hex;
};
const toLeaves = (logs: readonly RecordLog[]): Map<Hex, Hex[]> =>
  new Map([...Map.groupBy(logs, ({ tenantKey }) => tenantKey)].map(([key, own]) => [key, own.map(toLeaf)]));

const toName = ({ tenantKey, streamKey, recordKey, payload }: CopiedRecord): string =>
  [tenantKey, streamKey, recordKey, toHex(payload)].join(' ');

describe('a migration of a ledger of version 0.1', () => {
  const makeDirectory = useDirectories();
  let whole: string;
  let contract: string;
  let head: string;
  let leaves: ReadonlyMap<Hex, readonly Hex[]>;

  before(async () => {
    whole = join(await makeDirectory(), 'old');
    const old = await createLedgerOf01(whole, [ALPHA, BETA]);
    ({ contract } = old);
    for (let from = 0; from < RECORDS.length; from += 40) await old.append(RECORDS.slice(from, from + 40));
    const newest = await old.chain.fetchFinalHead();
    head = newest.hash;
    const logs = await old.chain.fetchRecordLogs({ address: old.contract, fromBlock: 0, toBlock: newest.number });
    leaves = toLeaves(logs);
    await old.close();
  });

  const openChain: MigrationOptions['openChain'] = (dataDir) =>
    openIndexedChain({
      dataDir,
      chainId: 1,
      limits: LEDGER_LIMITS,
      now: Date.now,
      onStep: () => undefined,
      onProblem: () => undefined,
    });
  const copyOld = async (): Promise<{ source: string; target: string }> => {
    const directory = await makeDirectory();
    await cp(whole, join(directory, 'old'), { recursive: true });
    return { source: join(directory, 'old'), target: join(directory, 'new') };
  };
  const migrate = (places: { source: string; target: string }) =>
    migrateLedger({ ...places, openChain, now: Date.now, onStep: () => undefined });
  const readRecords = async (dataDir: string) => {
    const { chain, contract: address, close } = await openChain(dataDir);
    const { number } = await chain.fetchFinalHead();
    const logs: RecordLog[] = [];
    for await (const page of readLogPages(chain, address, number)) logs.push(...page.logs);
    const trees = [ALPHA, BETA].map((identity) =>
      callView(chain.request, address, { name: 'treeOf', args: [toHex(toKey(identity))] }),
    );
    const sizes = (await Promise.all(trees)).map(([size]) => Number(size));
    await close();
    return { logs, sizes, chain, address };
  };
  // Nothing but the old directory is left.
  const expectNothingNew = async (target: string): Promise<void> => {
    expect((await readdir(dirname(target))).filter((name) => name !== 'old')).to.deep.equal([]);
  };
  const failureOf = async (places: { source: string; target: string }): Promise<string> => {
    try {
      await migrate(places);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  it('copies every record byte for byte in its order, after one that states where the old ledger ended', async () => {
    const places = await copyOld();
    const migration = await migrate(places);
    expect(migration).to.include({
      records: RECORDS.length,
      tenants: 2,
      signedByOthers: 0,
      failedRecords: 0,
      contract,
    });
    const { logs, sizes, chain, address } = await readRecords(places.target);
    expect([chain.chainId, address]).to.deep.equal([OLD_CHAIN_ID, contract]);
    expect(logs.slice(2).map(toName)).to.deep.equal(RECORDS.map(toName));
    const ofBeta = RECORDS.filter(({ tenantKey }) => tenantKey === toHex(toKey(BETA))).length;
    const counts = [RECORDS.length - ofBeta, ofBeta];
    expect(sizes).to.deep.equal(counts.map((count) => count + 1));
    const successions = logs.slice(0, 2).map(({ payload }) => decodePayload(payload));
    for (const [at, record] of successions.entries()) {
      expect(record).to.include({ type: 'succession', chain_id: OLD_CHAIN_ID, contract, block_hash: head });
      expect(record).to.include({ size: counts[at] });
    }
  });

  it('states the root of the tree that the contract would have had', async () => {
    const places = await copyOld();
    await migrate(places);
    const { logs } = await readRecords(places.target);
    for (const [at, identity] of [ALPHA, BETA].entries()) {
      const record = decodePayload(logs[at]!.payload) as SuccessionRecord;
      expect(record.root).to.equal(toRoot(leaves.get(toHex(toKey(identity)))!));
    }
  });

  it('leaves every file of the old directory as it is', async () => {
    const places = await copyOld();
    const before = await hashFiles(places.source);
    await migrate(places);
    expect(await hashFiles(places.source)).to.deep.equal(before);
  });

  it('makes a directory with which a server starts, with its keys and files', async () => {
    const places = await copyOld();
    await migrate(places);
    const ledger = await openTestLedger(places.target);
    const events = await ledger.view.readAsset(ALPHA, toUuid(assetOf(1)));
    expect(events?.identity).to.equal(assetOf(1));
    await ledger.close();
    const key = join('keys', 'relayer.key');
    expect(await readFile(join(places.target, key))).to.deep.equal(await readFile(join(places.source, key)));
    const file = join('blobs', 'content', 'ab', 'cd');
    expect(await readFile(join(places.target, file), 'utf8')).to.equal('bytes of a file');
  });

  it('signs the records of another author by the author of their tenant, and counts them', async () => {
    const directory = await makeDirectory();
    const places = { source: join(directory, 'old'), target: join(directory, 'new') };
    const old = await createLedgerOf01(places.source, [ALPHA]);
    const other = createWallet(new Uint8Array(32).fill(7));
    await admitTenant(old.chain, old.contract, ALPHA, {
      ledgerAdministrator: await old.keyring.requireWallet('ledger-administrator'),
      tenantAdministrator: await old.keyring.requireWallet(toAdministratorName(toUuid(ALPHA))),
      writer: other,
    });
    await old.append([toCopied(ALPHA, aTenantRecord(ALPHA))]);
    await old.append([toCopied(ALPHA, aCreation())], other);
    await old.close();
    expect(await migrate(places)).to.include({ records: 2, signedByOthers: 1 });
    const author = await old.keyring.requireWallet(toAuthorName(toUuid(ALPHA)));
    const { logs } = await readRecords(places.target);
    expect(logs.map((log) => log.author)).to.deep.equal(logs.map(() => author.address));
  });

  it('begins again after one that was killed', async () => {
    const places = await copyOld();
    await mkdir(join(`${places.target}.migrating`, 'new', 'chain'), { recursive: true });
    await writeFile(join(`${places.target}.migrating`, 'new', 'chain', 'CURRENT'), 'half');
    await mkdir(places.target);
    expect(await migrate(places)).to.include({ records: RECORDS.length });
    expect((await readdir(dirname(places.target))).sort()).to.deep.equal(['new', 'old']);
  });

  it('is what a start requires, which changes no record', async () => {
    const places = await copyOld();
    const error = await openTestLedger(places.source).catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(OutdatedLedger);
    expect(await migrate(places)).to.include({ records: RECORDS.length });
  });

  it('is refused into a directory that is not empty', async () => {
    const places = await copyOld();
    await mkdir(places.target);
    await writeFile(join(places.target, 'a file'), '');
    expect(await failureOf(places)).to.contain('is not empty');
    expect(await readdir(places.target)).to.deep.equal(['a file']);
    expect(await failureOf({ source: places.source, target: places.source })).to.contain('is not empty');
  });

  it('is refused without a ledger', async () => {
    const places = await copyOld();
    await rm(places.source, { recursive: true });
    expect(await failureOf(places)).to.contain('there is no ledger');
    await expectNothingNew(places.target);
  });

  it('is refused while another process has the old directory open', async () => {
    const places = await copyOld();
    const unlock = await lockDirectory(places.source);
    expect(await rejectionOf(migrate(places))).to.equal('CHAIN_UNAVAILABLE');
    await unlock();
    await expectNothingNew(places.target);
  });

  it('is refused while accepted records wait in the old outbox', async () => {
    const places = await copyOld();
    const record = aCreation({ identity: eventOf(3, 1) });
    const outbox = await createOutbox({ directory: dataPaths(places.source).outbox, entriesMax: 10 });
    await outbox.store([outbox.admit(ALPHA, record, encodePayload(record))]);
    await outbox.close();
    expect(await failureOf(places)).to.contain('1 accepted records');
    await expectNothingNew(places.target);
  });

  it('is refused without the key of a tenant', async () => {
    const places = await copyOld();
    await rm(join(dataPaths(places.source).keys, `${toAuthorName(toUuid(BETA))}.key`));
    expect(await failureOf(places)).to.contain(toHex(toKey(BETA)));
    await expectNothingNew(places.target);
  });

  it('is refused when the old chain is damaged', async () => {
    const places = await copyOld();
    const { chain } = dataPaths(places.source);
    const log = (await readdir(chain)).find((name) => /\.(?:ldb|log)$/.test(name))!;
    const bytes = await readFile(join(chain, log));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(join(chain, log), bytes);
    expect(await rejectionOf(migrate(places))).to.equal('CHAIN_CORRUPT');
    await expectNothingNew(places.target);
  });
});
