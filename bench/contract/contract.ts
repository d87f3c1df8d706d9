// npm run bench:contract: measures the contract against that of another commit, in turn, on one chain of the server's
// configuration: steps, gas, and the time of EDR's thread. Prints a table, and writes it to
// docs/measurements/performance.md on request.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { describeMachine } from '../machine.ts';
import { replaceSection } from '../page.ts';
import { quantile } from '../quantile.ts';
import { toTable } from '../table.ts';
import { type AppendFunction, type DeployedContract, deployBoth } from './contractChain.ts';

const PAGE = fileURLToPath(new URL('../../docs/measurements/performance.md', import.meta.url));
const HEADING = 'The contract';
/** The last commit whose contract has no tree and no loops in assembly. */
const COMMIT = '9c2ef7e';
const FUNCTIONS: readonly AppendFunction[] = ['append', 'appendSigned'];
const SIZES = [30, 64, 200];

/** Figures for each record. */
interface RecordCost {
  readonly steps: number;
  readonly gas: number;
  readonly edrUs: readonly number[];
}

interface Comparison {
  readonly call: AppendFunction;
  readonly size: number;
  readonly before: RecordCost;
  readonly now: RecordCost;
}

const measureOne = async (contract: DeployedContract, call: AppendFunction, size: number) => {
  const { hash, gas, edrCpuMs } = await contract.send(await contract.prepare(call, size));
  return { hash, gas: gas / size, edrUs: (edrCpuMs * 1_000) / size };
};

// The first transaction of each contract opens streams and is not timed; the steps and the gas are those of the last.
const compare = async (
  contracts: readonly [DeployedContract, DeployedContract],
  call: AppendFunction,
  { size, rounds }: { size: number; rounds: number },
): Promise<Comparison> => {
  const times: [number[], number[]] = [[], []];
  const last: Awaited<ReturnType<typeof measureOne>>[] = [];
  for (let round = 0; round <= rounds; round += 1)
    for (const [side, contract] of contracts.entries()) {
      last[side] = await measureOne(contract, call, size);
      if (round > 0) times[side]!.push(last[side].edrUs);
    }
  const toCost = async (side: 0 | 1): Promise<RecordCost> => {
    const { hash, gas } = last[side]!;
    const edrUs = times[side].toSorted((a, b) => a - b);
    return { steps: (await contracts[side].countSteps(hash)) / size, gas, edrUs };
  };
  return { call, size, before: await toCost(0), now: await toCost(1) };
};

const toRow = ({ call, size, before, now }: Comparison): (string | number)[] => {
  const [beforeUs, nowUs] = [quantile(before.edrUs, 0.5), quantile(now.edrUs, 0.5)];
  return [
    `\`${call}\``,
    size,
    `${before.steps.toFixed(0)} → ${now.steps.toFixed(0)}`,
    `${before.gas.toFixed(0)} → ${now.gas.toFixed(0)}`,
    `${beforeUs.toFixed(0)} → ${nowUs.toFixed(0)}`,
    (nowUs / beforeUs).toFixed(2),
  ];
};

const toReport = (
  comparisons: readonly Comparison[],
  commit: string,
  rounds: number,
): string => `Written by \`npm run bench:contract -- --record\`: the contract of ${commit}, which has no tree, against this one, which
has a leaf and, in the mean, one node of the tenant's tree for each record. Its loops over the calldata are in assembly:
the domain separator once a batch, no copies to fresh memory, the place of each word computed once. The loop stops at a
record that must be refused, and Solidity finds the reason, so every named error is kept. forge compares it with plain
Solidity (\`npm run test:invariants\`, \`test/invariants/PlainEquivalence.t.sol\`): answers, logs and storage of random
batches, half of which are malformed.

Figures are for each record of 600 bytes, over 50 streams, in transactions to both contracts in turn on one embedded
chain; the time is the CPU time of all threads but the main thread, the median of ${rounds} transactions.
Machine: ${describeMachine()}.

${toTable(
  ['function', 'records a transaction', 'EVM steps', 'gas', 'EDR, µs', 'ratio of the times'],
  comparisons.map(toRow),
)}
`;

const run = async (options: { rounds: string; commit: string; record: boolean }): Promise<void> => {
  const rounds = Number(options.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a whole number, 1 or more');
  const contracts = await deployBoth(options.commit);
  const comparisons: Comparison[] = [];
  for (const call of FUNCTIONS)
    for (const size of SIZES) {
      console.error(`${call}, ${size} records: ${rounds} transactions each ...`);
      comparisons.push(await compare(contracts, call, { size, rounds }));
    }
  const report = toReport(comparisons, options.commit, rounds);
  console.log(report);
  if (options.record) await writeFile(PAGE, replaceSection(await readFile(PAGE, 'utf8'), HEADING, report));
};

await new Command('bench:contract')
  .description('Measures the contract against that of another commit: EVM steps, gas and time')
  .option('--rounds <n>', 'transactions of each kind to each contract', '20')
  .option('--commit <commit>', 'the other contract, in the file contracts/artifact/ of that commit', COMMIT)
  .option('--record', 'write the table to docs/measurements/performance.md', false)
  .action(run)
  .parseAsync();
