// A server joins a ledger with its address alone, and refuses an address that isn't that of a ledger.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { getCreateAddress } from 'ethers';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import type { KnownLedger } from '../../host/knownLedger.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { requestTenant } from '../../host/tenancy/tenantRequests.ts';
import { createTenant } from '../../host/tenants.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { deployOn, type TestNetwork, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { rejectionOf } from '../support/refusals.ts';
import { runScript, startScript } from '../support/runScript.ts';
import { openTestLedger } from '../support/testLedger.ts';

const NOWHERE = `0x${'12'.repeat(20)}` as const;

const readKnown = async (dataDir: string): Promise<KnownLedger> =>
  JSON.parse(await readFile(dataPaths(dataDir).network, 'utf8'));

const readOldBytecode = async (): Promise<Hex> => {
  const vector = new URL('../vectors/contract-0.1.json', import.meta.url);
  return (JSON.parse(await readFile(vector, 'utf8')) as { bytecode: Hex }).bytecode;
};

describe('a ledger that another installation deployed', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let network: TestNetwork;
  let contract: Hex;
  before(async () => {
    node = await startNode(QUICK_NODE);
    network = toNetwork(node.url);
    const founder = await createDirectory();
    await deployOn(node, founder, network);
    ({ contract } = await readKnown(founder));
  });
  after(() => node.kill());

  const createFunded = async (): Promise<string> => {
    const dataDir = await createDirectory();
    const keyring = await openKeyring(dataPaths(dataDir).keys);
    await setBalance(node, (await keyring.openWallet('relayer')).address);
    return dataDir;
  };
  const open = (dataDir: string, named: Hex | undefined, given: Partial<TestNetwork> = {}): Promise<Ledger> =>
    openTestLedger(dataDir, { network: { ...network, ...given, contract: named } });
  const codeOfOpening = (dataDir: string, named: Hex, given: Partial<TestNetwork> = {}): Promise<string> =>
    rejectionOf(open(dataDir, named, given).then(({ close }) => close()));

  it('is joined without any of its keys, and kept', async () => {
    const dataDir = await createFunded();
    // A development node proves states of blocks before its newest one.
    await node.request('evm_mine', []);
    const problems: string[] = [];
    const ledger = await openTestLedger(dataDir, { network: { ...network, contract }, problems });
    expect(problems).to.deep.equal([]);
    expect([ledger.contract, ledger.isJoined]).to.deep.equal([contract, true]);
    await ledger.close();
    expect(await readKnown(dataDir)).to.include({ contract, joined: true });
    const again = await open(dataDir, undefined);
    expect([again.contract, again.isJoined]).to.deep.equal([contract, true]);
    expect(await rejectionOf(createTenant(again, { name: 'mine' }, Date.now()))).to.equal('FORBIDDEN');
    expect(await again.keyring.listWallets()).to.deep.equal(['relayer']);
    await again.close();
    await rm(dataPaths(dataDir).network);
    await (await open(dataDir, contract)).close();
    expect((await readKnown(dataDir)).deploymentBlock).to.equal(ledger.deploymentBlock);
  });

  it('is refused where no contract is, or one that is not final or no ledger of this version', async () => {
    const dataDir = await createFunded();
    const [sender] = (await node.request('eth_accounts', [])) as Hex[];
    const nonce = Number(await node.request('eth_getTransactionCount', [sender, 'latest']));
    const data = `${await readOldBytecode()}${sender!.slice(2).padStart(64, '0')}`;
    await node.request('eth_sendTransaction', [{ from: sender, data, gas: '0x5b8d80' }]);
    const old = getCreateAddress({ from: sender!, nonce }).toLowerCase() as Hex;
    await node.request('hardhat_setCode', [`0x${'34'.repeat(20)}`, '0x6001']);
    await node.request('evm_mine', []);
    expect(await codeOfOpening(dataDir, NOWHERE)).to.equal('CONTRACT_NOT_FOUND');
    expect(await codeOfOpening(dataDir, old)).to.equal('CONTRACT_UNKNOWN');
    expect(await codeOfOpening(dataDir, `0x${'34'.repeat(20)}`)).to.equal('CONTRACT_UNKNOWN');
    expect(await codeOfOpening(dataDir, contract, { confirmations: 1_000 })).to.equal('CONTRACT_PENDING');
    expect(existsSync(dataPaths(dataDir).network)).to.equal(false);
  });

  it('is backed up and restored without the keys of its administrator, with what was requested', async () => {
    const [dataDir, parent] = [await createFunded(), await createDirectory()];
    const ledger = await open(dataDir, contract);
    const { line } = await requestTenant(ledger, { name: 'acme' });
    await ledger.close();
    const [backup, restored] = [join(parent, 'backup'), join(parent, 'restored')];
    expect((await runScript('backup.ts', dataDir, [backup])).code).to.equal(0);
    const { code, stderr } = await runScript('restore.ts', restored, [backup], { CHAIN_RPC_URL: node.url });
    expect(code, stderr).to.equal(0);
    expect(await readKnown(restored)).to.include({ contract, joined: true });
    const again = await open(restored, undefined);
    expect((await requestTenant(again, { name: 'acme' })).line).to.equal(line);
    await again.close();
  });

  it('is not exchanged for another one, nor a directory that has deployed its own', async () => {
    const [joined, founder] = [await createFunded(), await createDirectory()];
    await (await open(joined, contract)).close();
    await deployOn(node, founder, network);
    const { contract: other } = await readKnown(founder);
    expect(await codeOfOpening(joined, other)).to.equal('CHAIN_MISMATCH');
    expect(await codeOfOpening(founder, contract)).to.equal('CHAIN_MISMATCH');
    await rm(dataPaths(founder).network);
    expect(await codeOfOpening(founder, contract)).to.equal('CHAIN_MISMATCH');
    const again = await open(founder, other);
    expect(again.isJoined).to.equal(false);
    await again.close();
  });

  it('needs a network and an address without a mistake, and is not deployed', async () => {
    const dataDir = await createDirectory();
    const wrong: [string, Record<string, string>, string][] = [
      ['start.ts', { LEDGER_CONTRACT: contract }, 'CHAIN_RPC_URL'],
      ['start.ts', { LEDGER_CONTRACT: contract.slice(0, -1), CHAIN_RPC_URL: node.url }, 'LEDGER_CONTRACT is'],
      // With the letters of its checksum in the wrong case.
      ['start.ts', { LEDGER_CONTRACT: `0x${'aB'.repeat(20)}`, CHAIN_RPC_URL: node.url }, 'LEDGER_CONTRACT is'],
      ['deploy.ts', { LEDGER_CONTRACT: contract, CHAIN_RPC_URL: node.url }, 'LEDGER_CONTRACT names'],
    ];
    for (const [script, settings, words] of wrong) {
      const { code, stderr } = await startScript(script, dataDir, [], { PORT: '0', ...settings });
      expect(code, words).to.equal(1);
      expect(stderr).to.include(words);
    }
    expect(existsSync(dataPaths(dataDir).network)).to.equal(false);
  });
});
