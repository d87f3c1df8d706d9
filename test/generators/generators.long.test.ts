// Clients that generators make of the interface document, each called against a running server.
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import { useDirectories } from '../support/directories.ts';
import { skipWithout, skipWithoutPrograms } from '../support/missing.ts';
import { findPython, openPythonEnvironment } from '../support/pythonEnvironment.ts';

const run = promisify(execFile);
const HERE = fileURLToPath(new URL('.', import.meta.url));
const PYTHON_MINOR = 11;
const GO_GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** Values of the three forms that an attribute has; `:` and `=` in a name. */
const toAttributes = (generator: string): object => ({
  generator,
  'ex:site=A': 'north',
  readings: [{ at: '1', value: '2' }],
  owner: { name: 'Depot' },
});

describe('a client of the interface document', function () {
  // Generators start slowly, and the first run installs them.
  this.timeout(600_000);
  const newDirectory = useDirectories();
  let directory: string;
  let server: ServerProcess;
  let token: string;

  before(async () => {
    directory = await newDirectory();
    const dataDir = join(directory, 'data');
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'error' });
    ({ token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', { tenant: FIRST_TENANT, role: 'root' }));
    const document = await fetch(`${server.url}/openapi.json`);
    await writeFile(join(directory, 'openapi.json'), await document.text());
  });
  after(() => server.stop('SIGTERM'));

  const runIn = async (cwd: string, command: string, args: readonly string[], env: object = {}): Promise<string> => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: OUTPUT_BYTES_MAX };
    return (await run(command, args, options)).stdout;
  };

  // What a program prints that creates an asset and an event, and reads both.
  const expectCalls = async (cwd: string, command: string, args: readonly string[]): Promise<void> => {
    const attributes = toAttributes(command + args.join());
    const env = { SERVER: `${server.url}/archivist`, TOKEN: token, ATTRIBUTES: JSON.stringify(attributes) };
    expect(JSON.parse(await runIn(cwd, command, args, env))).to.deep.equal({
      attributes,
      listed: [1, 0, 0],
      event: 'CONFIRMED',
      events: 2,
    });
  };

  const openPython = async (context: Mocha.Context): Promise<string> => {
    const python = findPython(PYTHON_MINOR);
    if (python === undefined) skipWithout(context, `Python 3.${PYTHON_MINOR} or newer with venv and pip`);
    return openPythonEnvironment({ name: 'generators', files: [join(HERE, 'requirements.txt')] }, python!);
  };

  it('that openapi-python-client generates creates and lists', async function () {
    const python = await openPython(this);
    const args = ['-m', 'openapi_python_client', 'generate', '--path', 'openapi.json', '--output-path', 'simple'];
    await runIn(directory, python, args);
    await expectCalls(join(directory, 'simple'), python, [join(HERE, 'openapi_python_client.py')]);
  });

  it('that OpenAPI Generator makes for Python creates and lists', async function () {
    skipWithoutPrograms(this, 'java');
    const python = await openPython(this);
    const args = ['generate', '-g', 'python', '-i', 'openapi.json', '-o', 'complete'];
    await runIn(directory, python, ['-c', 'import openapi_generator_cli; openapi_generator_cli.cli()', ...args]);
    await expectCalls(join(directory, 'complete'), python, [join(HERE, 'openapi_generator.py')]);
  });

  it('that oapi-codegen generates for Go creates and lists', async function () {
    skipWithoutPrograms(this, 'go');
    const program = join(directory, 'go');
    await cp(join(HERE, 'go'), program, { recursive: true });
    await mkdir(join(program, 'ledger'));
    const made = ['-package', 'ledger', '-generate', 'types,client', '-o', 'ledger/client.go', '../openapi.json'];
    await runIn(program, 'go', ['run', GO_GENERATOR, ...made], { GOFLAGS: '-mod=mod' });
    await expectCalls(program, 'go', ['run', '.']);
  });
});
