// npm run bench:memory: what a record costs in the memory of the embedded chain, alone in a process: which part grows
// with the bytes of the payload, with the blocks, and with the states that the engine keeps. Prints a table, and writes
// it to docs/measurements/performance.md on request.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { CACHED_STATES } from '../../chain/embedded/rpc/stateBounds.ts';
import { describeMachine } from '../machine.ts';
import { replaceSection } from '../page.ts';
import { toTable } from '../table.ts';
import type { ChainOrder } from './chainOrder.ts';
import { measureChain } from './measureChain.ts';

const PAGE = fileURLToPath(new URL('../../docs/measurements/performance.md', import.meta.url));
const HEADING = 'Memory of the embedded chain';
/** Most of an event of `npm run bench:against`; the others are far from it, for the slope. */
const PAYLOAD_BYTES = 991;
const [PAYLOAD_BYTES_FEW, PAYLOAD_BYTES_MANY] = [64, 1_984];
/** 64 clients in a closed loop result in the first or the last; the slots of 56 records just fit a hash table. */
const [BATCH, FITTING_BATCH, LARGE_BATCH] = [30, 56, 62];
const CACHED_STATES_FEW = 16;
const [RECORDS, SINGLE_RECORDS] = [40_000, 12_000];
const AIM_BYTES = 5_000;

const TYPICAL: ChainOrder = {
  records: RECORDS,
  recordsPerBlock: BATCH,
  payloadBytes: PAYLOAD_BYTES,
  cachedStates: CACHED_STATES,
};
const CASES = {
  typical: TYPICAL,
  few: { ...TYPICAL, payloadBytes: PAYLOAD_BYTES_FEW },
  many: { ...TYPICAL, payloadBytes: PAYLOAD_BYTES_MANY },
  single: { ...TYPICAL, records: SINGLE_RECORDS, recordsPerBlock: 1 },
  fitting: { ...TYPICAL, recordsPerBlock: FITTING_BATCH },
  large: { ...TYPICAL, recordsPerBlock: LARGE_BATCH },
  fewStates: { ...TYPICAL, cachedStates: CACHED_STATES_FEW },
} satisfies Record<string, ChainOrder>;

type Costs = Record<keyof typeof CASES, number>;

const measureAll = async (): Promise<Costs> => {
  const costs: Partial<Costs> = {};
  for (const [name, order] of Object.entries(CASES)) {
    console.error(`${order.records} records of ${order.payloadBytes} bytes, ${order.recordsPerBlock} a block ...`);
    costs[name as keyof Costs] = await measureChain(order);
  }
  return costs as Costs;
};

const toKilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

const toCostTable = (costs: Costs): string =>
  toTable(
    ['', 'payload, bytes', 'records a block', 'states kept', 'kB a record'],
    Object.entries(CASES).map(([name, { payloadBytes, recordsPerBlock, cachedStates }], at) => [
      at + 1,
      payloadBytes,
      recordsPerBlock,
      cachedStates,
      toKilobytes(costs[name as keyof Costs]),
    ]),
  );

// A record's cost is copies × payload + block / records of a block + the rest.
const toModel = ({ typical, few, many, single }: Costs) => {
  const copies = (many - few) / (PAYLOAD_BYTES_MANY - PAYLOAD_BYTES_FEW);
  const blockBytes = (single - typical) / (1 - 1 / BATCH);
  const rest = typical - copies * PAYLOAD_BYTES - blockBytes / BATCH;
  return { copies, blockBytes, rest, payloadOfAim: (AIM_BYTES - rest - blockBytes / BATCH) / copies };
};

const toReport = (costs: Costs): string => {
  const { copies, blockBytes, rest, payloadOfAim } = toModel(costs);
  return `Written by \`npm run bench:memory -- --record\`. The ledger contract alone on the embedded chain, each line in a process
of its own: ${RECORDS.toLocaleString('en-US')} records (${SINGLE_RECORDS.toLocaleString('en-US')} of single ones) over 50 assets, written with the requests that the server sends for a
block. Memory is the slope of the process's resident memory over the last two thirds of them. It varies by 0.5 kB from
run to run. Machine: ${describeMachine()}.

${toCostTable(costs)}

So a record needs ${copies.toFixed(1)} bytes for each byte of its payload (lines 2 and 3), a block ${toKilobytes(blockBytes)} kB (lines 1 and 4), and the
rest of a record ${toKilobytes(rest)} kB. By EDR's source:

- The payload is kept three times: in the calldata of the transaction, in its RLP encoding, which EDR keeps once it has
  computed the root of the block's transactions, and in the log. The allocator rounds up to size classes that are an
  eighth to a quarter apart.
- A block has its header and receipt, with a bloom filter each, four or five accounts of its state diff, and entries of
  five maps.
- The rest: words of the ABI around the payload, three times; topics and fields of the log; two slots of the state diff,
  in a hash table that is between 44 and 88 % full; a leaf of the storage trie, and its share of the branches. ${FITTING_BATCH}
  records (line 5) just fit such a table and a size class; ${BATCH} and ${LARGE_BATCH} have just begun the next ones.
- Each state that is kept has the nodes of the trie that later blocks replaced: 0.3 MB in blocks of ${LARGE_BATCH} records. Their
  number is bounded, and each becomes larger with the logarithm of the records only (line 7).

EDR has no option to keep less of a block. The payload of an event with 8 attributes has ${PAYLOAD_BYTES} bytes, 420 of them for its
two principals: its three copies need ${toKilobytes(copies * PAYLOAD_BYTES)} kB, and that is what makes ${toKilobytes(AIM_BYTES)} kB an event impossible in most batches. With a
payload of about ${Math.round(payloadOfAim / 100) * 100} bytes, batches of ${BATCH} would need as much.
`;
};

const run = async ({ record }: { record: boolean }): Promise<void> => {
  const report = toReport(await measureAll());
  console.log(report);
  if (record) await writeFile(PAGE, replaceSection(await readFile(PAGE, 'utf8'), HEADING, report));
};

await new Command('bench:memory')
  .description('Measures what a record costs in the memory of the embedded chain')
  .option('--record', 'write the table to docs/measurements/performance.md', false)
  .action(run)
  .parseAsync();
