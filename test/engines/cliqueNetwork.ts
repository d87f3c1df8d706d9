// A clique network of three geth signers, which are peers: a block each second, keys and ports of its own.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encryptKeystoreJsonSync, hexlify, randomBytes, Wallet } from 'ethers';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import { findFreePort } from '../support/externalNode.ts';
import { until } from '../support/until.ts';
import type { Engine, EngineKind, EngineNode } from './engine.ts';
import { fundAccount } from './funding.ts';
import { createGethNode } from './gethProcess.ts';

const run = promisify(execFile);

const SIGNERS = 3;
/** Half of the signers plus one. */
const CONFIRMATIONS = 2;
const CHAIN_ID = 77_013;
const PERIOD_SECONDS = 1;
const VANITY = '00'.repeat(32);
const NO_SEAL = '00'.repeat(65);
const FORKS = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul'];
const PASSWORD = 'of one run';
const TIMEOUT_MS = 5_000;

interface Signer {
  /** Signs blocks. */
  readonly wallet: Wallet;
  /** Identifies the node to its peers. */
  readonly nodeKey: Wallet;
  readonly directory: string;
  readonly httpPort: number;
  readonly peerPort: number;
  readonly authPort: number;
}

const newWallet = (): Wallet => new Wallet(hexlify(randomBytes(32)));
const withoutPrefix = (hex: string): string => hex.slice(2).toLowerCase();

const createSigner = async (directory: string, number: number): Promise<Signer> => ({
  wallet: newWallet(),
  nodeKey: newWallet(),
  directory: join(directory, `signer-${number}`),
  httpPort: await findFreePort(),
  peerPort: await findFreePort(),
  authPort: await findFreePort(),
});

const toGenesis = (signers: readonly Wallet[], funded: string): string => {
  const blocks = [...FORKS, 'berlin', 'london'].map((fork) => [`${fork}Block`, 0]);
  const clique = { period: PERIOD_SECONDS, epoch: 30_000 };
  const named = signers.map(({ address }) => withoutPrefix(address)).sort();
  return JSON.stringify({
    config: { chainId: CHAIN_ID, ...Object.fromEntries(blocks), clique },
    difficulty: '1',
    gasLimit: '30000000',
    extradata: `0x${VANITY}${named.join('')}${NO_SEAL}`,
    alloc: { [withoutPrefix(funded)]: { balance: String(10n ** 24n) } },
  });
};

const toEnode = ({ nodeKey, peerPort }: Signer): string =>
  `enode://${nodeKey.signingKey.publicKey.slice(4)}@127.0.0.1:${peerPort}`;

const writeSigner = async (signer: Signer, others: readonly Signer[]): Promise<void> => {
  const { directory, wallet, nodeKey } = signer;
  const keystore = join(directory, 'keystore');
  await mkdir(keystore, { recursive: true, mode: 0o700 });
  const mode = 0o600;
  // One round of scrypt: the key is of no value and lives as long as the test.
  const encrypted = encryptKeystoreJsonSync(wallet, PASSWORD, { scrypt: { N: 2 } });
  await writeFile(join(keystore, `UTC--${withoutPrefix(wallet.address)}`), encrypted, { mode });
  await writeFile(join(directory, 'password'), PASSWORD, { mode });
  await writeFile(join(directory, 'node.key'), withoutPrefix(nodeKey.privateKey), { mode });
  const peers = others.map((other) => `"${toEnode(other)}"`).join(', ');
  await writeFile(join(directory, 'config.toml'), `[Node.P2P]\nStaticNodes = [${peers}]\n`);
};

const toArguments = ({ directory, wallet, httpPort, peerPort, authPort }: Signer): string[] => [
  ...['--datadir', directory, '--config', join(directory, 'config.toml'), '--networkid', String(CHAIN_ID)],
  ...['--nodiscover', '--nat', 'none', '--netrestrict', '127.0.0.0/8', '--syncmode', 'full', '--ipcdisable'],
  ...['--port', String(peerPort), '--nodekey', join(directory, 'node.key'), '--authrpc.port', String(authPort)],
  ...['--http', '--http.addr', '127.0.0.1', '--http.port', String(httpPort)],
  ...['--http.api', 'eth,net,web3,clique,admin', '--allow-insecure-unlock', '--cache', '64', '--verbosity', '3'],
  ...['--mine', '--miner.etherbase', wallet.address, '--unlock', wallet.address],
  ...['--password', join(directory, 'password')],
];

const createNode = async (geth: string, genesis: string, signer: Signer): Promise<EngineNode> => {
  await run(geth, ['--datadir', signer.directory, 'init', genesis]);
  const url = `http://127.0.0.1:${signer.httpPort}`;
  return createGethNode({ geth, args: toArguments(signer), directory: signer.directory, url });
};

// 0 for a node that doesn't answer.
const fetchHead = ({ url }: EngineNode): Promise<number> =>
  createRpcClient(url, TIMEOUT_MS)('eth_blockNumber', []).then(Number, () => 0);

/** Resolves when the chain goes on: each node has a newer block than any of them has now. */
const awaitBlocks = async (nodes: readonly EngineNode[]): Promise<void> => {
  const newest = Math.max(...(await Promise.all(nodes.map(fetchHead))));
  for (const node of nodes) await until(async () => (await fetchHead(node)) > newest);
};

const openNetwork = async (geth: string, directory: string): Promise<Engine> => {
  const funder = newWallet();
  const signers: Signer[] = [];
  for (let number = 1; number <= SIGNERS; number += 1) signers.push(await createSigner(directory, number));
  const wallets = signers.map(({ wallet }) => wallet);
  const genesis = join(directory, 'genesis.json');
  await writeFile(genesis, toGenesis(wallets, funder.address));
  const nodes: EngineNode[] = [];
  for (const signer of signers) {
    const others = signers.filter((other) => other !== signer);
    await writeSigner(signer, others);
    nodes.push(await createNode(geth, genesis, signer));
  }
  const close = async (): Promise<void> => void (await Promise.all(nodes.map(({ kill }) => kill())));
  const [first, ...others] = nodes;
  try {
    for (const { start } of nodes) await start();
    await awaitBlocks(nodes);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    nodes: nodes.map((node) => ({ ...node, start: () => node.start().then(() => awaitBlocks(nodes)) })),
    confirmations: CONFIRMATIONS,
    validators: wallets.map(({ address }) => address.toLowerCase()),
    fund: (address) => fundAccount(first!.url, funder.privateKey, address),
    // One signer of three can't go on alone.
    stall: async () => {
      for (const { suspend } of others) suspend();
    },
    continue: async () => {
      for (const { resume } of others) resume();
      await awaitBlocks(nodes);
    },
    close,
  };
};

/** Networks of three signers, of this geth. */
export const cliqueOf = (geth: string): EngineKind => ({
  name: 'a clique network of three geth signers',
  open: (directory) => openNetwork(geth, directory),
});
