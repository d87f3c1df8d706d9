// npm run test:fuzz: schemathesis sends requests that the interface document permits and requests that it forbids to a
// running server, and compares each answer with the document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { SELF_IDENTITY } from '../../ledger/identity.ts';
import type { CallerRole } from '../../server/auth/rights.ts';
import { findPython, openPythonEnvironment } from '../support/pythonEnvironment.ts';
import { skipSuite } from '../support/skipSuite.ts';

const SUITE = fileURLToPath(new URL('.', import.meta.url));
/** Schemathesis requires Python 3.11. */
const PYTHON_MINOR = 11;
/** The tenant with which the first one shares its records. */
const PARTNER = 'partner';

interface FuzzCaller {
  readonly name: string;
  readonly tenant: string;
  readonly role: CallerRole | undefined;
  readonly phases: string;
}

/**
 * The callers of the requests. Root may call every operation, so only root gets the cases that schemathesis derives one
 * by one from the document. The partner comes first, because root deletes what shares records with it.
 */
const CALLERS: readonly FuzzCaller[] = [
  { name: PARTNER, tenant: PARTNER, role: 'root', phases: 'fuzzing' },
  { name: 'root', tenant: FIRST_TENANT, role: 'root', phases: 'examples,coverage,fuzzing' },
  { name: 'writer', tenant: FIRST_TENANT, role: 'writer', phases: 'fuzzing' },
  { name: 'reader', tenant: FIRST_TENANT, role: 'reader', phases: 'fuzzing' },
  { name: 'anonymous', tenant: FIRST_TENANT, role: undefined, phases: 'fuzzing' },
];
/** Records of the kinds that requests can delete. */
const DELETABLE = 40;
/** Limits that this many requests in a row don't reach. */
const SETTINGS = {
  LOG_LEVEL: 'error',
  RATE_LIMIT_PER_SECOND: '0',
  PUBLIC_RATE_LIMIT_PER_SECOND: '0',
  TOKEN_FAILURES_PER_MINUTE: '0',
  POLICIES_MAX: '100000',
  APPLICATIONS_MAX: '100000',
  ACCESS_POLICIES_MAX: '100000',
  SUBJECTS_MAX: '100000',
};

interface Options {
  readonly seed: string;
  readonly maxExamples: string;
}

interface Api {
  create(path: string, body: object | FormData): Promise<{ identity: string; hash?: { value: string } }>;
}

const createApi = (url: string, token: string): Api => ({
  create: async (path, body) => {
    const isForm = body instanceof FormData;
    const headers = { authorization: `Bearer ${token}`, ...(isForm ? {} : { 'content-type': 'application/json' }) };
    const init = { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) };
    const response = await fetch(`${url}/svc${path}`, init);
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return (await response.json()) as { identity: string };
  },
});

const toUuid = ({ identity }: { identity: string }): string => identity.split('/').at(-1)!;

const createMany = (count: number, create: (number: number) => Promise<{ identity: string }>): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async (_, number) => toUuid(await create(number))));

const uploadFile = ({ create }: Api): ReturnType<Api['create']> => {
  const form = new FormData();
  form.append('file', new File(['No defects.'], 'report.txt', { type: 'text/plain' }));
  return create('/v1/blobs', form);
};

const createPolicy = ({ create }: Api, number: number): ReturnType<Api['create']> =>
  create('/v1/compliance_policies', {
    compliance_type: 'COMPLIANCE_RICHNESS',
    display_name: `Policy ${number}`,
    richness_assertions: [{ or: ['weight<=10'] }],
  });

const BEHAVIOURS = ['RecordEvidence', 'Attachments', 'Firmware', 'Maintenance', 'LocationUpdate'];
const OPERATIONS = [
  { behaviour: 'RecordEvidence', operation: 'Record' },
  { behaviour: 'Builtin', operation: 'StartTracking' },
];
const FILTERS = ['weight=*', 'weight!=9'];

const createSubject = ({ create }: Api, number: number, keys: readonly string[]): ReturnType<Api['create']> =>
  create('/iam/v1/subjects', { display_name: `Subject ${number}`, wallet_pub_key: keys });

const createAccessPolicy = ({ create }: Api, number: number, subject: string): ReturnType<Api['create']> =>
  create('/iam/v1/access_policies', {
    display_name: `Access ${number}`,
    filters: [{ or: FILTERS }],
    access_permissions: [
      {
        subjects: [subject],
        behaviours: ['*'],
        asset_attributes_read: ['*'],
        asset_attributes_write: ['*'],
        event_arc_display_type_read: ['*'],
        event_arc_display_type_write: ['*'],
      },
    ],
  });

// Records that the first tenant and its partner have in common, and texts for new ones.
const createShared = async (api: Api, keys: readonly string[]): Promise<Record<string, readonly string[]>> => {
  const subject = await createMany(DELETABLE, (number) => createSubject(api, number, keys));
  const subjects = subject.map((uuid) => `subjects/${uuid}`);
  return {
    subject,
    subjects,
    accessPolicy: await createMany(DELETABLE, (number) => createAccessPolicy(api, number, subjects[number]!)),
    wallet_pub_key: keys,
    behaviours: ['*', ...BEHAVIOURS],
    filters: FILTERS,
  };
};

/**
 * Creates a public asset with a file, an event with the same file, and one or more records of each other kind. Returns
 * UUIDs by kind.
 */
const createRecords = async (
  api: Api,
  tenantIdentity: string,
  partnerKeys: readonly string[],
): Promise<Record<string, readonly unknown[]>> => {
  const blob = await uploadFile(api);
  const report = { arc_attribute_type: 'arc_attachment', arc_blob_identity: blob.identity };
  const attributes = { arc_display_name: 'Door 7', weight: '8', report };
  const asset = await api.create('/v2/assets', { public: true, attributes, behaviours: BEHAVIOURS });
  const event = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { report } };
  const place = { display_name: 'Depot', latitude: '51.5', longitude: '0' };
  return {
    blob: [toUuid(blob)],
    asset: [toUuid(asset)],
    event: [toUuid(await api.create(`/v2/${asset.identity}/events`, event))],
    location: await createMany(DELETABLE, () => api.create('/v2/locations', place)),
    policy: await createMany(DELETABLE, (number) => createPolicy(api, number)),
    application: await createMany(DELETABLE, (number) =>
      api.create('/iam/v1/applications', { display_name: `Gate ${number}` }),
    ),
    tenant: [toUuid({ identity: tenantIdentity })],
    operations: OPERATIONS,
    ...(await createShared(api, partnerKeys)),
  };
};

const fetchToken = async (dataDir: string, tenant: string, role: CallerRole): Promise<string> =>
  (await runOperatorCommand<{ token: string }>(dataDir, 'token', { tenant, role })).token;

// The public keys of the partner's wallets, as the partner would send them.
const createPartner = async (dataDir: string, url: string): Promise<readonly string[]> => {
  await runOperatorCommand(dataDir, 'createTenant', { name: PARTNER });
  const headers = { authorization: `Bearer ${await fetchToken(dataDir, PARTNER, 'root')}` };
  const response = await fetch(`${url}/svc/iam/v1/${SELF_IDENTITY}`, { headers });
  return ((await response.json()) as { wallet_pub_key: string[] }).wallet_pub_key;
};

const readTenant = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { tenant: string }).tenant;

const runSchemathesis = async (
  python: string,
  url: string,
  phases: string,
  { seed, maxExamples }: Options,
  rest: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> => {
  const where = ['run', `${url}/openapi.json`, '--origin', url, '--phases', phases];
  const bounds = ['--seed', seed, '--max-examples', maxExamples];
  const config = ['--config-file', join(SUITE, 'schemathesis.toml')];
  const args = ['-m', 'schemathesis.cli', ...config, ...where, ...bounds, ...rest];
  const child = spawn(python, args, { cwd: env.FUZZ_DIRECTORY, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
};

const fuzz = async (python: string, options: Options, rest: readonly string[]): Promise<string[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-fuzz-'));
  const dataDir = join(directory, 'data');
  const server = await startServerProcess(dataDir, [], SETTINGS);
  try {
    const root = await fetchToken(dataDir, FIRST_TENANT, 'root');
    const keys = await createPartner(dataDir, server.url);
    const known = join(directory, 'known.json');
    await writeFile(known, JSON.stringify(await createRecords(createApi(server.url, root), readTenant(root), keys)));
    const failed: string[] = [];
    for (const { name, tenant, role, phases } of CALLERS) {
      console.log(`\nas ${name}`);
      const authorization = role === undefined ? '' : `Bearer ${await fetchToken(dataDir, tenant, role)}`;
      const env = {
        ...process.env,
        FUZZ_AUTHORIZATION: authorization,
        FUZZ_KNOWN: known,
        FUZZ_DIRECTORY: directory,
        PYTHONPATH: SUITE,
        PYTHONDONTWRITEBYTECODE: '1',
        NO_PROXY: '127.0.0.1',
      };
      if (!(await runSchemathesis(python, server.url, phases, options, rest, env))) failed.push(name);
    }
    return failed;
  } finally {
    await server.stop('SIGTERM');
    await rm(directory, { recursive: true, force: true });
  }
};

const run = async (rest: readonly string[], options: Options): Promise<void> => {
  const python = findPython(PYTHON_MINOR);
  if (python === undefined) {
    skipSuite('test:fuzz', `there is no Python 3.${PYTHON_MINOR} or newer with venv and pip`);
    return;
  }
  const files = [join(SUITE, 'requirements.txt')];
  const environment = await openPythonEnvironment({ name: 'fuzz', files }, python);
  const startedMs = Date.now();
  const failed = await fuzz(environment, options, rest);
  console.log(`\nseed ${options.seed}, ${((Date.now() - startedMs) / 1000).toFixed(0)} s`);
  console.log(failed.length === 0 ? 'no defects found' : `defects found as ${failed.join(', ')}`);
  if (failed.length > 0) process.exitCode = 1;
};

await new Command('test:fuzz')
  .description('Compares the answers of a running server with the interface document, for generated requests')
  .option('--seed <number>', 'of the generated requests', '1')
  .option('--max-examples <number>', 'requests for each operation and caller, in the phase `fuzzing`', '20')
  .argument('[options...]', 'more options of `schemathesis run`, after --')
  .action(async (rest: string[], options: Options) => {
    try {
      await run(rest, options);
    } catch (error) {
      console.error(`test:fuzz failed: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
