// Writes docs/errors.md, the page of all error codes. With --check it writes nothing, and fails when the page is stale.
// Part of `npm run generate` and `npm run check`.
import { Command } from 'commander';
import { isErrorsPageCurrent, writeErrorsPage } from '../host/files/errorsPage.ts';

const run = async ({ check }: { check: boolean }): Promise<void> => {
  if (!check) await writeErrorsPage();
  else if (!(await isErrorsPageCurrent())) {
    console.error('docs/errors.md is stale: run npm run generate');
    process.exitCode = 1;
  }
};

await new Command('generateErrors')
  .description('Writes the page of all error codes')
  .option('--check', 'write nothing, and fail when the page is stale', false)
  .action(run)
  .parseAsync();
