// A ledger of version 0.1, and migrations of copies of it.
import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { concat, sha256, toBeHex } from 'ethers';
import { callView } from '../../../chain/callView.ts';
import type { RecordLog } from '../../../chain/port.ts';
import { openIndexedChain } from '../../../host/indexedChain.ts';
import { readLogPages } from '../../../host/migration/logPages.ts';
import { type MigrationOptions, migrateLedger } from '../../../host/migration/migrateLedger.ts';
import type { CopiedRecord } from '../../../host/migration/recordCopier.ts';
import { LEDGER_LIMITS } from '../../../host/settings/installationLimits.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { createLedgerOf01, toCopied } from './ledgerOf01.ts';

const EVENTS = 450;
const OPAQUE: CopiedRecord = {
  tenantKey: toHex(toKey(ALPHA)),
  streamKey: toHex(toKey('any stream')),
  recordKey: toHex(toKey('any record')),
  payload: Uint8Array.of(9, 9, 9),
};

/** The records of the old ledger, in the order of its chain. */
export const RECORDS: readonly CopiedRecord[] = [
  toCopied(ALPHA, aTenantRecord(ALPHA, { display_name: 'alpha' })),
  toCopied(BETA, aTenantRecord(BETA, { display_name: 'beta' })),
  toCopied(ALPHA, aCreation()),
  ...Array.from({ length: EVENTS }, (_, at) =>
    toCopied(ALPHA, anEvent({ identity: eventOf(1, at + 10), event_attributes: { text: 'x'.repeat(at % 97) } })),
  ),
  toCopied(BETA, aCreation({ identity: eventOf(2, 1) })),
  OPAQUE,
];

/** Every file of a directory with its hash, except those of its lock. */
export const hashFiles = async (directory: string): Promise<string[]> => {
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

/** A record as a text. */
export const toName = ({ tenantKey, streamKey, recordKey, payload }: CopiedRecord): string =>
  [tenantKey, streamKey, recordKey, toHex(payload)].join(' ');

/** Directories of a migration. */
export interface Places {
  readonly source: string;
  readonly target: string;
}

/** Registers hooks for a ledger of version 0.1 with RECORDS; returns what the tests do with copies of it. */
export const useMigrations = () => {
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
  const copyOld = async (): Promise<Places> => {
    const directory = await makeDirectory();
    await cp(whole, join(directory, 'old'), { recursive: true });
    return { source: join(directory, 'old'), target: join(directory, 'new') };
  };
  const migrate = (places: Places) => migrateLedger({ ...places, openChain, now: Date.now, onStep: () => undefined });
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
  const makePlaces = async (): Promise<Places> => {
    const directory = await makeDirectory();
    return { source: join(directory, 'old'), target: join(directory, 'new') };
  };
  // Nothing but the old directory is left.
  const expectNothingNew = async (target: string): Promise<void> => {
    expect((await readdir(dirname(target))).filter((name) => name !== 'old')).to.deep.equal([]);
  };
  const failureOf = async (places: Places): Promise<string> => {
    try {
      await migrate(places);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  return {
    makeDirectory,
    openChain,
    copyOld,
    makePlaces,
    migrate,
    readRecords,
    expectNothingNew,
    failureOf,
    old: () => ({ contract, head, leaves }),
  };
};
