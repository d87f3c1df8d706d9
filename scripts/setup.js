// Brings a fresh clone to where every npm script can run: packages installed, contracts compiled.
// Plain JavaScript without packages, because it runs on whatever Node (>= 20) the machine has, before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES_STAMP = join(root, 'node_modules', '.provenance-setup');
const CONTRACTS_STAMP = join(root, 'artifacts', '.provenance-setup');

const digestOf = (paths) => {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
};

const isStamped = (stamp, digest) => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;

// Standard output belongs to the command that follows (a token, a listing), so everything here goes to standard error.
// What a step says is shown only when it fails.
const runStep = (title, command, args) => {
  const startedMs = Date.now();
  process.stderr.write(`set-up: ${title} ...\n`);
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (error || status !== 0) {
    const said = [stdout, stderr, error?.message].filter(Boolean).join('\n');
    process.stderr.write(`${said}\nset-up: ${title} failed; mend what is said above and run the command again\n`);
    process.exit(1);
  }
  process.stderr.write(`set-up: ${title} done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s\n`);
};

const contractSources = () => [
  'hardhat.config.ts',
  ...readdirSync(join(root, 'contracts'), { recursive: true })
    .map((name) => join('contracts', name))
    .filter((path) => path.endsWith('.sol'))
    .sort(),
];

const packages = digestOf(['package-lock.json']);
if (!isStamped(PACKAGES_STAMP, packages)) {
  runStep('installing packages (npm ci)', 'npm', [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  writeFileSync(PACKAGES_STAMP, packages);
}
const contracts = digestOf(['package-lock.json', ...contractSources()]);
if (!isStamped(CONTRACTS_STAMP, contracts)) {
  const bin = join(root, 'node_modules', '.bin');
  runStep('compiling contracts (hardhat build)', join(bin, 'node'), [join(bin, 'hardhat'), 'build', '--quiet']);
  writeFileSync(CONTRACTS_STAMP, contracts);
}
