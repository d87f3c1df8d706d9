// npm run bench:contract: measures the prototype of a contract with fewer EVM steps against the contract, in turn, on
// one chain of the server's configuration: steps, gas, and the time of EDR's thread. Prints a table, and writes it to
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
const HEADING = 'A contract with fewer steps';
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
  readonly plain: RecordCost;
  readonly lean: RecordCost;
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
  return { call, size, plain: await toCost(0), lean: await toCost(1) };
};

const toRow = ({ call, size, plain, lean }: Comparison): (string | number)[] => {
  const [plainUs, leanUs] = [quantile(plain.edrUs, 0.5), quantile(lean.edrUs, 0.5)];
  return [
    `\`${call}\``,
    size,
    `${plain.steps.toFixed(0)} → ${lean.steps.toFixed(0)}`,
    `${plain.gas.toFixed(0)} → ${lean.gas.toFixed(0)}`,
    `${plainUs.toFixed(0)} → ${leanUs.toFixed(0)}`,
    (leanUs / plainUs).toFixed(2),
  ];
};

const toReport = (
  comparisons: readonly Comparison[],
  rounds: number,
): string => `Written by \`npm run bench:contract -- --record\`. \`contracts/test/LeanProvenanceLedger.sol\` is a prototype of the two
functions that append: the domain separator once a batch, loops over the calldata in assembly, no copies to fresh
memory, the place of each word computed once. It has every named error: its loop stops at a record that must be refused,
and Solidity finds the reason. forge compares it with the contract (\`npm run test:invariants\`,
\`test/invariants/LeanEquivalence.t.sol\`): answers, logs and storage of random batches, half of which are malformed.

Figures are for each record of 600 bytes, over 50 streams, in transactions to both contracts in turn on one embedded
chain; the time is the CPU time of all threads but the main thread, the median of ${rounds} transactions.
Machine: ${describeMachine()}.

${toTable(
  ['function', 'records a transaction', 'EVM steps', 'gas', 'EDR, µs', 'ratio of the times'],
  comparisons.map(toRow),
)}

Kept as a prototype: \`contracts/ProvenanceLedger.sol\` changes once, when the Merkle tree of the evidence is added, and
that change takes these loops over. A leaf of the tree is made where the first loop has a record's struct hash. The
plain contract, with the tree, then becomes the reference in \`contracts/test/\`, and the same fuzz tests compare them.
`;

const run = async (options: { rounds: string; record: boolean }): Promise<void> => {
  const rounds = Number(options.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a whole number, 1 or more');
  const { plain, lean } = await deployBoth();
  const comparisons: Comparison[] = [];
  for (const call of FUNCTIONS)
    for (const size of SIZES) {
      console.error(`${call}, ${size} records: ${rounds} transactions each ...`);
      comparisons.push(await compare([plain, lean], call, { size, rounds }));
    }
  const report = toReport(comparisons, rounds);
  console.log(report);
  if (options.record) await writeFile(PAGE, replaceSection(await readFile(PAGE, 'utf8'), HEADING, report));
};

await new Command('bench:contract')
  .description('Measures a prototype of the contract with fewer EVM steps against the contract')
  .option('--rounds <n>', 'transactions of each kind to each contract', '20')
  .option('--record', 'write the table to docs/measurements/performance.md', false)
  .action(run)
  .parseAsync();
