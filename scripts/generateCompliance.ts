// npm run generate:compliance: writes server/openapi/compliance.gen.json, the compliance operations of
// server/openapi.yaml as OpenAPI 2.0. With --check it writes nothing, and fails when the file is stale. Part of
// `npm run generate` and `npm run check`.
import { Command } from 'commander';
import { isComplianceFileCurrent, writeComplianceFile } from '../host/files/complianceFile.ts';

const run = async ({ check }: { check: boolean }): Promise<void> => {
  if (!check) await writeComplianceFile();
  else if (!(await isComplianceFileCurrent())) {
    console.error('server/openapi/compliance.gen.json is stale: run npm run generate');
    process.exitCode = 1;
  }
};

await new Command('generate:compliance')
  .description('Writes the OpenAPI 2.0 document of the compliance operations')
  .option('--check', 'write nothing, and fail when the document is stale', false)
  .action(run)
  .parseAsync();
