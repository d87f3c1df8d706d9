// The steps of Dockerfile and compose.yaml, run in plain directories: the packages are installed, the server starts
// and stops, the health check answers, and the contract is deployed on a node with the settings of the compose file.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import { parse } from 'yaml';
import { SETTINGS } from '../../host/settings/settings.ts';
import { useDirectories } from '../support/directories.ts';
import { findFreePort, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { until } from '../support/until.ts';
import { buildImage, type Image, toImageEnv } from './dockerfile.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

interface Service {
  readonly command?: string[];
  readonly environment: Record<string, string>;
  readonly volumes: string[];
  readonly depends_on: Record<string, unknown>;
  readonly networks: { default: { ipv4_address: string } };
}

/** Replaces the validators' program in the genesis service: writes a genesis block and four key pairs. */
const BESU = `#!/bin/sh
for key in a b c d; do
  mkdir -p "$KEYS/keys/0x$key"
  printf 0xprivate$key > "$KEYS/keys/0x$key/key"
  printf 0xpublic$key > "$KEYS/keys/0x$key/key.pub"
done
echo '{}' > "$KEYS/genesis.json"
`;

const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  configs: { qbft: { content: string } };
};
const { ledger, deploy, genesis, ...nodes } = compose.services as Record<string, Service> & {
  ledger: Service;
  deploy: Service;
  genesis: Service;
};

describe('the container', () => {
  const createDirectory = useDirectories();
  const running = new Set<ChildProcess>();
  let image: Image;

  before(async function () {
    // Each step of the image is run, among them npm.
    this.timeout(600_000);
    const env = { ...process.env, PATH, npm_config_loglevel: 'error' };
    image = buildImage(ROOT, await createDirectory(), env);
  });

  after(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  const toEnv = (settings: Record<string, string>) => ({
    HOME: join(image.root, 'home/node'),
    PATH,
    ...toImageEnv(image),
    HOST: '127.0.0.1',
    CHAIN_RPC_PORT: '0',
    ...settings,
  });
  const options = (settings: Record<string, string>) => ({
    cwd: join(image.root, image.workdir),
    env: toEnv(settings),
  });
  const checkHealth = (settings: Record<string, string>): number | null =>
    spawnSync(image.healthcheck[0]!, image.healthcheck.slice(1), options(settings)).status;
  const start = async (settings: Record<string, string>): Promise<ChildProcess> => {
    const child = spawn(image.command[0]!, image.command.slice(1), {
      ...options(settings),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until(() => output.includes('listening on') || child.exitCode !== null);
    expect(child.exitCode, output).to.equal(null);
    return child;
  };
  const stop = async (child: ChildProcess): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).to.deep.equal([0, null]);
    running.delete(child);
  };

  it('runs as an unprivileged user, with its data in a volume that only this user can access', () => {
    expect(image.user).to.equal('node');
    expect(image.volumes).to.deep.equal([image.env.DATA_DIR]);
    expect(statSync(join(image.root, image.env.DATA_DIR!)).mode & 0o777).to.equal(0o700);
  });

  it('has only the files that are needed at run time', () => {
    expect(readdirSync(join(image.root, image.workdir)).sort()).to.deep.equal(
      [...new Set(image.copied.map((path) => path.split('/')[0]!)), 'explorer', 'node_modules'].sort(),
    );
    for (const name of ['hardhat', 'typescript', 'mocha', 'solc'])
      expect(existsSync(join(image.root, image.workdir, 'node_modules', name)), name).to.equal(false);
  });

  it('starts, is healthy, and stops cleanly', async () => {
    const settings = { PORT: String(await findFreePort()) };
    expect(checkHealth(settings)).to.equal(1);
    const server = await start(settings);
    expect(checkHealth(settings)).to.equal(0);
    await stop(server);
    expect(checkHealth(settings)).to.equal(1);
  });

  it('is healthy with a certificate too', async () => {
    const directory = await createDirectory();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'ledger.test' }]);
    const files = { TLS_CERT_FILE: join(directory, 'cert.pem'), TLS_KEY_FILE: join(directory, 'key.pem') };
    writeFileSync(files.TLS_CERT_FILE, cert);
    writeFileSync(files.TLS_KEY_FILE, key, { mode: 0o600 });
    const settings = { ...files, DATA_DIR: join(directory, 'data'), PORT: String(await findFreePort()) };
    expect(checkHealth(settings)).to.equal(1);
    const server = await start(settings);
    expect(checkHealth(settings)).to.equal(0);
    const { TLS_CERT_FILE, ...withoutTls } = settings;
    expect(checkHealth(withoutTls)).to.equal(1);
    await stop(server);
  });

  it('deploys on a network and serves the ledger with the settings of compose.yaml', async () => {
    const node = await startNode(QUICK_NODE);
    const names = ledger.environment.CHAIN_RPC_URL!.split(',');
    const settings = {
      ...ledger.environment,
      CHAIN_RPC_URL: names.map((_, index) => `http://${['127.0.0.1', 'localhost'][index]}:${node.port}`).join(','),
      DATA_DIR: join(await createDirectory(), 'data'),
      PORT: String(await findFreePort()),
    };
    const deployNow = () =>
      spawnSync(deploy.command![0]!, deploy.command!.slice(1), { ...options(settings), encoding: 'utf8' });
    // Gas is free on the network of the compose file, and not on this node.
    const [, relayer] = /the account (0x\w+) has 0 wei/.exec(deployNow().stderr)!;
    await setBalance(node, relayer!);
    const { status, stdout, stderr } = deployNow();
    expect(status, stderr).to.equal(0);
    const server = await start(settings);
    expect(checkHealth(settings)).to.equal(0);
    expect(stdout).to.match(/^contract 0x[0-9a-f]{40} on chain/);
    await stop(server);
    await node.kill();
  });
});

describe('compose.yaml', () => {
  const createDirectory = useDirectories();

  it('configures each validator with a key and the addresses of all', async () => {
    const directory = await createDirectory();
    const [network, keys] = [join(directory, 'network'), join(directory, 'generated')];
    mkdirSync(network);
    writeFileSync(join(directory, 'besu'), BESU, { mode: 0o755 });
    const script = genesis
      .command!.at(-1)!
      .replaceAll('$$', () => '$')
      .replaceAll('/tmp/network', keys)
      .replaceAll(/(?<!\w)\/network/g, network);
    const env = { PATH: [directory, process.env.PATH].join(delimiter), KEYS: keys };
    const { status, stderr } = spawnSync('bash', ['-euc', script], { env, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    const addresses = Object.values(nodes).map((node) => node.networks.default.ipv4_address);
    const enodes = addresses.map((address, index) => `enode://public${'abcd'[index]}@${address}:30303`);
    for (const name of Object.keys(nodes)) {
      const text = readFileSync(join(network, name, 'static-nodes.json'), 'utf8');
      expect(JSON.parse(text)).to.deep.equal(enodes);
      expect(existsSync(join(network, name, 'key'))).to.equal(true);
    }
    expect(existsSync(join(network, 'genesis.json'))).to.equal(true);
  });

  it('names the nodes that it starts between the genesis block and the contract', () => {
    const hosts = ledger.environment.CHAIN_RPC_URL!.split(',').map((url) => new URL(url).hostname);
    expect(Object.keys(nodes)).to.include.members(hosts);
    expect(Object.keys(ledger.depends_on)).to.deep.equal(['deploy']);
    expect(Object.keys(deploy.depends_on)).to.deep.equal(Object.keys(nodes));
    for (const node of Object.values(nodes)) expect(Object.keys(node.depends_on)).to.deep.equal(['genesis']);
  });

  it('has only settings that the server reads and volumes that it declares', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name);
    expect(names).to.include.members(Object.keys(ledger.environment));
    const volumes = Object.values(compose.services).flatMap((service) => service.volumes);
    const declared = Object.keys(compose.volumes);
    for (const volume of volumes) expect(declared).to.include(volume.split(':')[0]);
  });

  it('generates as many validators as it starts', () => {
    const { blockchain } = JSON.parse(compose.configs.qbft.content) as { blockchain: { nodes: { count: number } } };
    expect(blockchain.nodes.count).to.equal(Object.keys(nodes).length);
    expect(Object.keys(genesis.depends_on ?? {})).to.deep.equal([]);
  });
});
