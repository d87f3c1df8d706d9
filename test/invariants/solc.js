#!/usr/bin/env node
// npm's solc with the command line that forge expects of a native compiler: `--version`, and standard JSON from input
// to output.
import { readFileSync } from 'node:fs';
import solc from 'solc';

if (process.argv.includes('--version')) {
  process.stdout.write(`Version: ${solc.version()}\n`);
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
