// npm run generate:contract: writes contracts/artifact/ProvenanceLedger.json, from which the server deploys the
// contract without a compiler. With --check it writes nothing, and fails when the file is not what the contract
// compiles to. Part of `npm run generate` and `npm run check`.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { LEDGER_ARTIFACT } from '../host/files/ledgerArtifact.ts';

const COMPILED = new URL('../artifacts/contracts/ProvenanceLedger.sol/ProvenanceLedger.json', import.meta.url);

// The rest of what the compiler wrote (source names, link references) is of no use at run time.
const readCompiled = async (): Promise<string> => {
  const { abi, bytecode } = JSON.parse(await readFile(COMPILED, 'utf8')) as { abi: unknown; bytecode: string };
  return `${JSON.stringify({ abi, bytecode }, undefined, 2)}\n`;
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
