// npm run test:verifiers: both verifiers of evidence files check the files of a ledger, changed at random and by
// forgers, and must agree. The one in Python was written from docs/evidence-format.md.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { createRandom } from '../../bench/random.ts';
import { CHAIN_KINDS, type TestChain } from '../support/chainKinds.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { findProgram } from '../support/missing.ts';
import { findPython, openPythonEnvironment } from '../support/pythonEnvironment.ts';
import { skipSuite } from '../support/skipSuite.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger } from '../support/testLedger.ts';
import { createTimestampAuthority, type TimestampAuthority } from '../support/timestampAuthority.ts';
import { makeAnchoredOriginals } from './anchoredOriginals.ts';
import type { Variant } from './change.ts';
import { type Comparison, compare, type Defect } from './compare.ts';
import { makeComplianceOriginals } from './complianceOriginals.ts';
import { makeContributedOriginals } from './contributedOriginals.ts';
import { makeEarlyOriginals } from './earlyOriginals.ts';
import { forgeriesOf } from './forgeries.ts';
import { makeOriginals, type Original } from './originals.ts';
import { type PythonVerifier, REQUIREMENTS, readVectorsInPython, startPythonVerifier } from './pythonVerifier.ts';
import { makeRecordedOriginal } from './recordedOriginals.ts';
import { soundVerdict } from './recordForgeries.ts';
import { variantsOf } from './variants.ts';

/** The packages of the verifier require Python 3.9. */
const PYTHON_MINOR = 9;
const VARIANTS = 10_000;
const SHOWN_MAX = 20;
const CHAINS = CHAIN_KINDS.map(({ name }) => name);

interface Options {
  readonly seed: number;
  readonly variants: number;
}

const readOriginals = async (kind: TestChain, authority: TimestampAuthority): Promise<Original[]> => {
  const { path, remove } = await createTemporaryDirectory();
  try {
    const network = await kind.prepare(path);
    const ledger = await openTestLedger(path, { network });
    const server = await serveTestLedger(ledger);
    const tenant = await createFixtureTenant(ledger, server, 'alpha');
    const originals = await makeOriginals(ledger, server.url, tenant);
    originals.push(
      ...(await makeAnchoredOriginals(ledger, originals[1]!, authority)),
      ...(await makeComplianceOriginals(ledger, server.url, tenant)),
      await makeRecordedOriginal(ledger, tenant),
      ...(await makeContributedOriginals(ledger, server)),
      ...(await makeEarlyOriginals(ledger, server)),
    );
    const since = originals.find(({ name }) => name === 'verdict: since')!;
    originals.push({ name: 'verdict: of own records', ...soundVerdict(since, () => since) });
    await server.close();
    await ledger.close();
    return originals.map((original) => ({ ...original, name: `${kind.name}: ${original.name}` }));
  } finally {
    await remove();
  }
};

const toUnchanged = (original: Original): Variant => ({
  name: `${original.name}: unchanged`,
  original,
  file: JSON.stringify(original.file),
  trust: JSON.stringify(original.trust),
  leaves: original.leaves,
});

const checkAll = async (
  originals: readonly Original[],
  python: PythonVerifier,
  { seed, variants }: Options,
): Promise<Defect[]> => {
  const report = (name: string, { codes, defects }: Comparison): Defect[] => {
    const counts = [...codes].sort().map(([code, count]) => `${count} with exit code ${code}`);
    console.log(`${name}: ${counts.join(', ')}; ${defects.length} defects`);
    return defects;
  };
  const unchanged = await compare(originals.map(toUnchanged), python);
  if (unchanged.codes.get('0') !== originals.length) throw new Error('an unchanged file is not accepted');
  const forged = await compare(forgeriesOf(originals, CHAINS), python);
  const changed = await compare(variantsOf(originals, createRandom(seed), variants), python);
  return [report('unchanged', unchanged), report('forgeries', forged), report('variants', changed)].flat();
};

const show = async ({ kind, variant, answers }: Defect, at: number): Promise<void> => {
  const [ours, theirs] = answers;
  const directory = await mkdtemp(join(tmpdir(), `verifier-defect-${at}-`));
  const paths = ['evidence', 'trust'].map((name) => join(directory, `${name}.json`));
  await writeFile(paths[0]!, variant.file);
  await writeFile(paths[1]!, variant.trust);
  console.log(`${kind}: ${variant.name}\n  TypeScript: ${ours}\n  Python: ${theirs}\n  ${paths.join(' ')}`);
};

const run = async (options: Options): Promise<void> => {
  const python = findPython(PYTHON_MINOR);
  if (python === undefined) {
    skipSuite('test:verifiers', `there is no Python 3.${PYTHON_MINOR} or newer with venv and pip`);
    return;
  }
  if (findProgram('openssl') === undefined) {
    skipSuite('test:verifiers', 'there is no openssl');
    return;
  }
  const environment = await openPythonEnvironment({ name: 'verifier', files: [REQUIREMENTS] }, python);
  const startedMs = Date.now();
  console.log(`${await readVectorsInPython(environment)} vectors of records\nseed ${options.seed}`);
  const { path, remove } = await createTemporaryDirectory();
  const authority = await createTimestampAuthority(path);
  const originals: Original[] = [];
  for (const kind of CHAIN_KINDS) originals.push(...(await readOriginals(kind, authority)));
  const verifier = startPythonVerifier(environment);
  try {
    const defects = await checkAll(originals, verifier, options);
    for (const [at, defect] of defects.slice(0, SHOWN_MAX).entries()) await show(defect, at);
    console.log(`${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
    if (defects.length > 0) process.exitCode = 1;
    else await remove();
  } finally {
    await verifier.stop();
  }
};

const toInteger = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be an integer');
  return Number(text);
};

await new Command('test:verifiers')
  .description('Compares the two verifiers of evidence files on changed and forged files')
  .option('--seed <N>', 'what the changes are drawn from', toInteger, Date.now() % 1_000_000)
  .option('--variants <N>', 'number of changed files', toInteger, VARIANTS)
  .action(async (options: Options) => {
    try {
      await run(options);
    } catch (error) {
      console.error(`test:verifiers failed: ${(error as Error).stack}`);
      process.exitCode = 1;
    }
    process.exit();
  })
  .parseAsync();
