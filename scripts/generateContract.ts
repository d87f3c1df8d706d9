// npm run generate:contract: writes contracts/artifact/ProvenanceLedger.json, from which the server deploys the
// contract without a compiler. With --check it writes nothing, and fails when the file is not what the contract
// compiles to. Part of `npm run generate` and `npm run check`.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { LEDGER_ARTIFACT } from '../host/files/ledgerArtifact.ts';

const COMPILED = new URL('../artifacts/contracts/ProvenanceLedger.sol/ProvenanceLedger.json', import.meta.url);

interface Compiled {
  readonly abi: unknown;
  readonly bytecode: string;
  readonly deployedBytecode: string;
  /** Where the values are that the constructor sets, by number in the order of their declaration. */
  readonly immutableReferences: Readonly<Record<string, readonly { start: number }[]>>;
}

const toBytes = (digits: number): number => digits / 2;

// The code that a deployment leaves is in the creation bytecode, with zeros where the constructor writes values.
const toRuntime = ({ bytecode, deployedBytecode, immutableReferences }: Compiled) => {
  const code = deployedBytecode.slice('0x'.length);
  const start = bytecode.slice('0x'.length).indexOf(code);
  if (start < 0) throw new Error('the creation bytecode does not contain the code');
  const immutables = Object.entries(immutableReferences)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, places]) => places.map((place) => place.start));
  return { start: toBytes(start), length: toBytes(code.length), immutables };
};

// The rest of what the compiler wrote (source names, link references) is of no use at run time.
const readCompiled = async (): Promise<string> => {
  const compiled = JSON.parse(await readFile(COMPILED, 'utf8')) as Compiled;
  const { abi, bytecode } = compiled;
  return `${JSON.stringify({ abi, bytecode, runtime: toRuntime(compiled) }, undefined, 2)}\n`;
};

const run = async ({ check }: { check: boolean }): Promise<void> => {
  const compiled = await readCompiled();
  if (!check) {
    await mkdir(new URL('.', LEDGER_ARTIFACT), { recursive: true });
    await writeFile(LEDGER_ARTIFACT, compiled);
  } else if (compiled !== (await readFile(LEDGER_ARTIFACT, 'utf8'))) {
    console.error(`${fileURLToPath(LEDGER_ARTIFACT)} is not what the contract compiles to: run npm run generate`);
    process.exitCode = 1;
  }
};

await new Command('generate:contract')
  .description('Writes the contract artifact that the server deploys from')
  .option('--check', 'write nothing, and fail when the artifact is stale', false)
  .action(run)
  .parseAsync();
