// npm run deploy -- --fund-from: the commands and a development node, each in a process of its own.
import { expect } from 'chai';
import { Wallet } from 'ethers';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, startNode } from '../support/externalNode.ts';
import { runScript } from '../support/runScript.ts';

const TEN_ETHER = 10n ** 19n;
const TRANSFERRED = /transferred ([\d.]+) ether from (0x\S+) to (0x\S+)/;

describe('npm run deploy -- --fund-from', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let account: string;

  before(async () => {
    node = await startNode('hardhat');
    [account] = (await node.request('eth_accounts', [])) as [string];
  });
  after(() => node.kill());

  const deploy = async (dataDir: string, from: string) =>
    runScript('deploy.ts', dataDir, ['--rpc', node.url, '--fund-from', from]);
  const fetchBalance = async (address: string) =>
    BigInt((await node.request('eth_getBalance', [address, 'latest'])) as string);

  it('deploys, paid by an account of the node, and brings the balance to 10 ether again when it is repeated', async () => {
    const dataDir = await createDirectory();
    const first = await deploy(dataDir, account);
    expect(first.code, first.stderr).to.equal(0);
    const [, ether, from, relayer] = TRANSFERRED.exec(first.stdout + first.stderr)!;
    expect({ ether, from }).to.eql({ ether: '10.0', from: account });
    expect(await fetchBalance(relayer!)).to.satisfy((wei: bigint) => wei < TEN_ETHER && wei > TEN_ETHER / 2n);
    const second = await deploy(dataDir, account);
    expect(second.code, second.stderr).to.equal(0);
    expect(second.stdout).to.match(/^contract 0x/m);
    expect(await fetchBalance(relayer!)).to.equal(TEN_ETHER);
  });

  it('refuses an account that the node does not have, and names those that it has', async () => {
    const foreign = Wallet.createRandom().address;
    const { code, stderr } = await deploy(await createDirectory(), foreign);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^not deployed: the node can't pay from 0x/m);
    expect(stderr).to.include(foreign).and.include(account.toLowerCase());
  });

  it('refuses a private key, and does not repeat it', async () => {
    const { privateKey } = Wallet.createRandom();
    const { code, stdout, stderr } = await deploy(await createDirectory(), privateKey);
    expect(code).to.equal(1);
    expect(stdout + stderr).not.to.include(privateKey.slice(2));
  });
});
