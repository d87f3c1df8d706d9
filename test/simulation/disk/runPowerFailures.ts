// Prints what the next start finds in an outbox and a journal after power failures, one for each seed, at any step of
// two starts with writes. Runs with `--import test/simulation/edges/replaceModules.ts`. Arguments: the number of seeds,
// and `journaled` or `posix`, the kind of the file system.
import { type Journal, openJournal } from '../../../chain/embedded/journal/journal.ts';
import { createOutbox, type Outbox } from '../../../chain/writing/outbox.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { acceptRecord } from '../../support/acceptRecord.ts';
import { ALPHA, anEvent, eventOf } from '../../support/records.ts';
import { replaceGlobals } from '../edges/globals.ts';
import { setKills, startProcess } from '../world/processes.ts';
import { createStream, type Random } from '../world/random.ts';
import { createWorld } from '../world/world.ts';
import { Disk } from './disk.ts';
import { mountDisk } from './mounts.ts';

const CHAIN_ID = 31_337;
const POINTS = 700;
const BLOCKS = 6;
const EVENTS_MAX = 30;
const TIMEOUT_MS = 60_000;

/** What was answered before the power failure. */
interface Answered {
  /** Identities of accepted records whose removal did not begin. */
  readonly accepted: Set<string>;
  /** Number of the newest block; undefined before the genesis. */
  block: number | undefined;
}

const accept = async (outbox: Outbox, { accepted }: Answered, event: number): Promise<void> => {
  const record = anEvent({ identity: eventOf(1, event) });
  await acceptRecord(outbox, ALPHA, record, encodePayload(record));
  accepted.add(record.identity);
};

// One after another, as batches of records become final.
const removeSome = async (outbox: Outbox, { accepted, block }: Answered, count: number): Promise<void> => {
  for (const entry of outbox.readEntries().slice(0, count)) {
    accepted.delete(entry.record.identity);
    await outbox.remove([entry], block!);
  }
};

const append = async (journal: Journal, answered: Answered): Promise<void> => {
  const number = (answered.block ?? 0) + 1;
  await journal.appendBlock({
    number,
    timestampSeconds: number,
    hash: toHex(Buffer.alloc(32, number)),
    transaction: Buffer.alloc(900, number),
  });
  answered.block = number;
};

const useOnce = async (directory: string, random: Random, answered: Answered): Promise<void> => {
  const outbox = await createOutbox({ directory: `${directory}/outbox`, entriesMax: 1_000 });
  const journal = await openJournal(`${directory}/chain`);
  if ((await journal.readGenesis()) === undefined) {
    const config = { formatVersion: 1, chainId: CHAIN_ID, genesisTimeSeconds: 1, hardfork: 'cancun' } as const;
    const gas = { blockGasLimit: 1_000_000_000, transactionGasMax: 2 ** 26 };
    await journal.writeGenesis({ config: { ...config, ...gas }, hash: toHex(Buffer.alloc(32)) });
    answered.block = 0;
  }
  let removing = Promise.resolve();
  for (let count = 0; count < BLOCKS; count += 1) {
    const first = EVENTS_MAX * (answered.block! + 1);
    const events = Array.from({ length: random.integer(1, EVENTS_MAX) }, (_, at) => first + at);
    await Promise.all(events.map((event) => accept(outbox, answered, event)));
    await append(journal, answered);
    // In the background, as after an answer; often beside the next writes.
    removing = removing.then(() => removeSome(outbox, answered, random.integer(0, EVENTS_MAX)));
    if (random.chance(0.7)) await removing;
  }
  await removing;
  await Promise.all([outbox.close(), journal.close()]);
};

const findLosses = async (directory: string, { accepted, block }: Answered): Promise<string[]> => {
  const outbox = await createOutbox({ directory: `${directory}/outbox`, entriesMax: 1_000 });
  const stored = new Set(outbox.readEntries().map(({ record }) => record.identity));
  await outbox.close();
  const journal = await openJournal(`${directory}/chain`);
  const hasGenesis = (await journal.readGenesis()) !== undefined;
  const newest = hasGenesis ? await journal.readLastNumber() : -1;
  await journal.close();
  const records = [...accepted].filter((identity) => !stored.has(identity));
  return [...records, ...(newest < (block ?? -1) ? [`block ${newest + 1}`] : [])];
};

const run = async (seed: number, isJournaled: boolean) => {
  const world = createWorld(seed);
  const random = createStream(seed, 'power failure');
  const disk = new Disk();
  disk.isJournaled = isJournaled;
  const directory = `${mountDisk('power', disk)}/data`;
  disk.makeDirectories(directory);
  disk.syncAll();
  const process = startProcess({ name: 'server', machine: 'power', onKilled: (kind) => disk.crash(kind, random) });
  const answered: Answered = { accepted: new Set(), block: undefined };
  let points = random.integer(1, POINTS);
  setKills(() => (--points === 0 ? 'power failure' : undefined));
  let isDone = false;
  const useTwice = async (): Promise<void> => {
    for (let start = 0; start < 2; start += 1) await useOnce(directory, random, answered);
    isDone = true;
  };
  process.run(() => void useTwice());
  await world.runUntil(() => isDone || !process.isAlive(), TIMEOUT_MS);
  setKills(() => undefined);
  try {
    return { seed, isKilled: !isDone, lost: await findLosses(directory, answered) };
  } catch (error) {
    return { seed, isKilled: !isDone, lost: [], refusal: (error as Error).message };
  }
};

// In virtual time the check of a table makes no pause.
replaceGlobals();
const [seeds, fileSystem] = process.argv.slice(2);
const runs = [];
for (let seed = 1; seed <= Number(seeds); seed += 1) runs.push(await run(seed, fileSystem === 'journaled'));
console.log(JSON.stringify(runs));
