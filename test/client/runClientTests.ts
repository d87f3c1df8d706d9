// npm run test:client: runs the tests of test/client/ against a running server. They use two unmodified versions of the
// public Python client.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { generate } from 'selfsigned';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import type { CreatedTenant } from '../../host/tenants.ts';
import { findPython, openPythonEnvironment } from '../support/pythonEnvironment.ts';
import { skipSuite } from '../support/skipSuite.ts';

const SUITE = fileURLToPath(new URL('.', import.meta.url));
/** The last version with compliance policies and locations, and the newest. */
const VERSIONS = ['0.33.2', '0.35.0'] as const;
/** The client requires Python 3.9. */
const PYTHON_MINOR = 9;
/** Limits that a few requests exceed. */
const NARROW = { RATE_LIMIT_PER_SECOND: '5', RATE_LIMIT_BURST: '0', POLICIES_MAX: '1' };

/** Names of the server's certificate and its key in the directory of a run. */
const TLS_FILES = { certificate: 'certificate.pem', key: 'key.pem' };

/** A server and its data directory. */
interface RunningServer {
  readonly dataDir: string;
  readonly server: ServerProcess;
}

/** The results that a run of the suite writes. */
interface Report {
  readonly passed: number;
  readonly failed: number;
}

const startPlain = async (directory: string): Promise<RunningServer> => {
  const dataDir = join(directory, 'plain');
  const server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'error' });
  return { dataDir, server };
};

const startNarrow = async (directory: string): Promise<RunningServer> => {
  const dataDir = join(directory, 'narrow');
  const [certificate, key] = [join(directory, TLS_FILES.certificate), join(directory, TLS_FILES.key)];
  const identity = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  await writeFile(certificate, identity.cert);
  await writeFile(key, identity.private, { mode: 0o600 });
  const settings = { ...NARROW, LOG_LEVEL: 'error', TLS_CERT_FILE: certificate, TLS_KEY_FILE: key };
  return { dataDir, server: await startServerProcess(dataDir, [], settings) };
};

// Each version has tenants of its own, so that both can run at the same time.
const admit = async ({ dataDir, server }: RunningServer, name: string): Promise<object> => {
  const tenant = await runOperatorCommand<CreatedTenant>(dataDir, 'createTenant', { name });
  const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', { tenant: name, role: 'root' });
  return {
    url: server.url,
    tenant: tenant.identity,
    root_token: token,
    client_id: tenant.clientId,
    client_secret: tenant.clientSecret,
  };
};

const printLines = async (version: string, input: NodeJS.ReadableStream): Promise<void> => {
  for await (const line of createInterface({ input })) console.log(`${version}  ${line}`);
};

// Variables of the client's HTTP library: the certificate that it trusts, and no proxy for this machine.
const toEnvironment = (directory: string) => ({
  ...process.env,
  REQUESTS_CA_BUNDLE: join(directory, '..', TLS_FILES.certificate),
  CURL_CA_BUNDLE: '',
  NO_PROXY: '127.0.0.1',
  CLIENT_TEST_DIRECTORY: directory,
  PYTHONDONTWRITEBYTECODE: '1',
});

const runSuite = async (python: string, version: string, directory: string, tests: string[]): Promise<Report> => {
  const env = toEnvironment(directory);
  const child = spawn(python, ['-u', '-m', 'run', ...tests], { cwd: SUITE, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await printLines(version, child.stdout);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`the suite with client ${version} ended with exit code ${code}`);
  return JSON.parse(await readFile(join(directory, 'report.json'), 'utf8')) as Report;
};

const testVersion = async (
  version: string,
  python: string,
  places: readonly RunningServer[],
  root: string,
  tests: string[],
) => {
  const directory = join(root, version);
  await mkdir(directory);
  const [plain, narrow] = await Promise.all(places.map((place) => admit(place, `client-${version}`)));
  const partner = await admit(places[0]!, `partner-${version}`);
  const fixture = JSON.stringify({ version, plain, narrow, partner });
  await writeFile(join(directory, 'fixture.json'), fixture, { mode: 0o600 });
  return runSuite(python, version, directory, tests);
};

const runAgainstServers = async (pythons: readonly string[], tests: string[]): Promise<Report[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-client-'));
  const places: RunningServer[] = [];
  try {
    for (const start of [startPlain, startNarrow]) places.push(await start(directory));
    return await Promise.all(
      VERSIONS.map((version, at) => testVersion(version, pythons[at]!, places, directory, tests)),
    );
  } finally {
    await Promise.all(places.map(({ server }) => server.stop('SIGTERM')));
    await rm(directory, { recursive: true, force: true });
  }
};

const toRequirements = (version: string) => ({
  name: `client-${version}`,
  files: [`${version}.txt`, 'common.txt'].map((file) => join(SUITE, 'requirements', file)),
});

const run = async (tests: string[]): Promise<void> => {
  const python = findPython(PYTHON_MINOR);
  if (python === undefined) {
    skipSuite('test:client', `there is no Python 3.${PYTHON_MINOR} or newer with venv and pip`);
    return;
  }
  const startedMs = Date.now();
  const pythons: string[] = [];
  for (const version of VERSIONS) pythons.push(await openPythonEnvironment(toRequirements(version), python));
  const reports = await runAgainstServers(pythons, tests);
  const sum = (count: (report: Report) => number): number => reports.map(count).reduce((a, b) => a + b, 0);
  const failed = sum((report) => report.failed);
  console.log(`${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
  console.log(`${sum((report) => report.passed)} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
};

await new Command('test:client')
  .description('Runs the public Python client, in two versions, against a server of this project')
  .argument('[tests...]', 'modules, classes or tests, such as test_assets.Filters; all without it')
  .action(async (tests: string[]) => {
    try {
      await run(tests);
    } catch (error) {
      console.error(`test:client failed: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
