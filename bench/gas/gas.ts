// npm run bench:gas: measures the gas of the contract's functions on a fresh in-process chain and writes
// docs/measurements/gas.md. Keys, payloads and signatures are fixed, so the same contract always produces the same
// file.
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { type ContractTransactionResponse, dataLength } from 'ethers';
import hre, { network } from 'hardhat';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toTable } from '../table.ts';
import {
  type BenchRecord,
  digestOf,
  type GasLedger,
  keyOf,
  payloadOfBytes,
  setUpLedger,
  signBatch,
} from './gasLedger.ts';

const HARDFORK = 'osaka';
const PAYLOAD_BYTES = [300, 600, 1200];
/** Records of a batch, and number of batches of which the mean is shown. */
const BATCHES: readonly (readonly [records: number, batches: number])[] = [
  [1, 64],
  [10, 8],
  [100, 1],
];
/**
 * Records before the first one that is measured: a power of two, so that the tree has a word for each level that the
 * records after it reach.
 */
const RECORDS_BEFORE = 4_096;
const HISTORY_LENGTHS = [100, 1000];
/** Streams of a batch's records: the columns of the table. */
const PATTERNS = ['new streams', 'one stream each', 'one shared stream', 'existing records'];

type Append = (records: BenchRecord[]) => Promise<number>;
type ContractCall = (...args: unknown[]) => Promise<unknown>;

const toGas = (gas: number | bigint): string => Math.round(Number(gas)).toLocaleString('en-US');

const gasOf = async (send: ContractCall, ...args: unknown[]): Promise<number> => {
  const transaction = (await send(...args)) as ContractTransactionResponse;
  return Number((await transaction.wait())!.gasUsed);
};

/** Records named after the label; they share one stream, or have one each. */
const makeRecords = (label: string, count: number, payload: Hex, shared: boolean): BenchRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    stream: keyOf(shared ? 'assets/shared' : `${label}/stream/${index}`),
    id: keyOf(`${label}/${index}`),
    payload,
  }));

/** Gas of one batch after another, in the order of PATTERNS. */
const measurePatterns = async (append: Append, label: string, count: number, payload: Hex): Promise<number[]> => {
  const opening = makeRecords(label, count, payload, false);
  const extending = opening.map((record, index) => ({ ...record, id: keyOf(`${label}/second/${index}`) }));
  const sharing = makeRecords(`${label}/shared`, count, payload, true);
  const gas = [];
  for (const records of [opening, extending, sharing, sharing]) gas.push(await append(records));
  return gas;
};

/** Mean gas of a record in batches of that many, in the order of PATTERNS. */
const measureMeans = async (append: Append, label: string, count: number, batches: number, payload: Hex) => {
  const sums = PATTERNS.map(() => 0);
  for (let batch = 0; batch < batches; batch += 1) {
    const gas = await measurePatterns(append, `${label}/${batch}`, count, payload);
    for (const [index, used] of gas.entries()) sums[index]! += used;
  }
  return sums.map((sum) => sum / batches / count);
};

const measureRecords = async (append: Append, label: string): Promise<string> => {
  const rows = [];
  for (const bytes of PAYLOAD_BYTES) {
    for (const [count, batches] of BATCHES) {
      const means = await measureMeans(append, `${label}/${bytes}/${count}`, count, batches, payloadOfBytes(bytes));
      rows.push([bytes, count, ...means.map(toGas)]);
    }
  }
  return toTable(['payload bytes', 'records in the batch', ...PATTERNS], rows);
};

const measureAdministration = async ({
  ledger,
  tenant,
  administrator,
  relayer,
  outsider,
}: GasLedger): Promise<string> => {
  const administered = ledger.connect(administrator);
  const calls: [string, ContractCall, unknown[]][] = [
    ['attest (the tree)', ledger.attest, [[{ tenant, streams: [], ids: [], accounts: [] }]]],
    [
      'attest (the tree and a stream)',
      ledger.attest,
      [[{ tenant, streams: [keyOf('assets/shared')], ids: [], accounts: [] }]],
    ],
    ['admitTenant', ledger.admitTenant, [keyOf('tenant/three'), administrator]],
    ['addWriter', administered.addWriter, [tenant, outsider]],
    ['removeWriter', administered.removeWriter, [tenant, outsider]],
    ['transferTenantAdministration', administered.transferTenantAdministration, [tenant, relayer]],
    ['acceptTenantAdministration', ledger.connect(relayer).acceptTenantAdministration, [tenant]],
  ];
  const rows = [];
  for (const [name, call, args] of calls) rows.push([`\`${name}\``, toGas(await gasOf(call, ...args))]);
  return toTable(['function', 'gas'], rows);
};

/** Appends the records that come before those that are measured. */
const fillTree = async (append: Append): Promise<void> => {
  const payload = payloadOfBytes(300);
  for (let from = 0; from < RECORDS_BEFORE; from += 128)
    await append(makeRecords(`before/${from}`, 128, payload, true));
};

/** A stream of that many records, of which only the digests are needed. */
const fillStream = async (bench: GasLedger, count: number): Promise<[Hex, Hex[]]> => {
  const { ledger, tenant, writer } = bench;
  const stream = keyOf(`history/${count}`);
  const records = makeRecords(stream, count, payloadOfBytes(300), false).map((record) => ({ ...record, stream }));
  for (let from = 0; from < count; from += 100) {
    await gasOf(ledger.connect(writer).append, tenant, records.slice(from, from + 100));
  }
  return [stream, records.map((record) => digestOf(bench, record))];
};

const measureReading = async (bench: GasLedger): Promise<string> => {
  const { ledger, tenant, writer } = bench;
  const rows = [];
  for (const bytes of PAYLOAD_BYTES) {
    const record = makeRecords(`reading/${bytes}`, 1, payloadOfBytes(bytes), false)[0]!;
    await gasOf(ledger.connect(writer).append, tenant, [record]);
    const gas = await ledger.verifyRecord.estimateGas(tenant, record.stream, record.id, writer, 1, record.payload);
    rows.push([`\`verifyRecord\`, payload of ${bytes} bytes`, toGas(gas)]);
  }
  for (const count of HISTORY_LENGTHS) {
    const gas = await ledger.verifyHistory.estimateGas(tenant, ...(await fillStream(bench, count)));
    rows.push([`\`verifyHistory\`, ${toGas(count)} records`, toGas(gas)]);
  }
  return toTable(['function', 'gas'], rows);
};

const measureDeployment = async ({ ledger, connection }: GasLedger): Promise<string> => {
  const deployment = ledger.deploymentTransaction()!;
  const code = await connection.ethers.provider.getCode(ledger);
  const rows = [
    ['gas of the deployment', toGas((await deployment.wait())!.gasUsed)],
    ['code on the chain, bytes (at most 24,576)', toGas(dataLength(code))],
    ['code that deploys it, bytes (at most 49,152)', toGas(dataLength(deployment.data))],
  ];
  return toTable(['contract', 'size'], rows);
};

const describeCompiler = (): string => {
  const compiler = hre.config.solidity.profiles.default!.compilers[0]!;
  const { optimizer, evmVersion, viaIR } = compiler.settings;
  return [
    `solc ${compiler.version}, optimizer ${optimizer.enabled ? `on, ${toGas(optimizer.runs)} runs` : 'off'}`,
    `via IR ${viaIR ? 'on' : 'off'}, EVM version ${evmVersion}`,
  ].join(', ');
};

const measureAll = async (bench: GasLedger): Promise<string> => {
  const { ledger, tenant, writer, relayer } = bench;
  const appendDirect: Append = (records) => gasOf(ledger.connect(writer).append, tenant, records);
  const appendRelayed: Append = async (records) =>
    gasOf(ledger.connect(relayer).appendSigned, [await signBatch(bench, records)]);
  await fillTree(appendDirect);
  return `# Gas

Written by \`npm run bench:gas\`: measured, not estimated, and the same in every run.
Compiler: ${describeCompiler()}. Chain: in-process Hardhat network, hardfork ${HARDFORK}.

Per record, everything included: the transaction's own 21,000, the call data (16 per byte of payload), two words of
storage, the log (8 per byte of payload) and the tenant's tree. A batch shares the 21,000, the check of the writer, the
signature, and the words of the tree. The figures for one record are means of ${BATCHES[0]![1]} transactions after
${toGas(RECORDS_BEFORE)} records: a record joins as many subtrees as its position has trailing ones in binary, one in
the mean. The first record that reaches a new level of the tree costs 17,100 more.
A transaction that carries much and does little pays the floor of EIP-7623 instead (40 per byte of payload), which here
is only so for existing records.

## Appended directly (\`append\`): gas per record

${await measureRecords(appendDirect, 'direct')}

## Appended by a relayer (\`appendSigned\`, one author): gas per record

${await measureRecords(appendRelayed, 'relayed')}

## Administration

${await measureAdministration(bench)}

## Reading

These calls are free, but nodes bound the gas of a call (geth: 50,000,000), which limits the history that one call can
verify. A longer history is checked against the head that \`streamOf\` returns.

${await measureReading(bench)}

## The contract

${await measureDeployment(bench)}
`;
};

const { output } = new Command('bench:gas')
  .description('Measures the gas of every function of the contract that writes, prints it and writes it to a file.')
  .option('-o, --output <file>', 'file to write', 'docs/measurements/gas.md')
  .parse()
  .opts<{ output: string }>();
const connection = await network.create({ override: { hardfork: HARDFORK } });
const report = await measureAll(await setUpLedger(connection));
writeFileSync(output, report);
process.stdout.write(report);
await connection.close();
