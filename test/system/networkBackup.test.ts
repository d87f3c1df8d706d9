// A backup of a ledger on a network contains everything except the chain, which the network keeps.
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { runScript } from '../support/runScript.ts';
import { createTemporaryDirectory } from '../support/testLedger.ts';

describe('a backup of a ledger on a network', () => {
  let node: ExternalNode;
  let fixture: NetworkFixture;
  let root: string;
  let remove: () => Promise<void>;
  let backup: string;
  let index: Map<string, string>;
  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
    backup = join(root, 'backup');
    node = await startNode(QUICK_NODE);
    fixture = await openNetworkFixture(node, toNetwork(node.url));
    await fixture.alpha.createAsset({ arc_display_name: 'Door 7' });
  });
  after(async () => {
    await fixture.close();
    await node.kill();
    await remove();
  });

  const restore = (dataDir: string, url: string) => runScript('restore.ts', dataDir, [backup], { CHAIN_RPC_URL: url });

  it('of a running server ends with the newest final block', async () => {
    const directory = join(root, 'running');
    const head = await createOperatorCommands(fixture.ledger).backUp!({ directory });
    expect(head).to.deep.equal(await fixture.ledger.chain.fetchFinalHead());
    expect((await readdir(directory)).sort()).to.deep.equal(['network.json', 'outbox']);
  });

  it('of a stopped server needs no node', async () => {
    await fixture.stop();
    index = await dumpDirectory(fixture.dataDir);
    const made = await runScript('backup.ts', fixture.dataDir, [backup]);
    expect([made.code, made.stderr.includes('no backup')]).to.deep.equal([0, false]);
    expect((await readdir(backup)).sort()).to.deep.equal(['keys', 'manifest.json', 'network.json', 'outbox']);
  });

  it('restores the same ledger, with the index rebuilt from the network', async () => {
    const dataDir = join(root, 'restored');
    const { code, stderr } = await restore(dataDir, node.url);
    expect(code, stderr).to.equal(0);
    expect(await dumpDirectory(dataDir)).to.deep.equal(index);
    const [there, then] = await Promise.all(
      [dataDir, fixture.dataDir].map((directory) => readFile(dataPaths(directory).network, 'utf8')),
    );
    expect(there).to.equal(then);
    await rm(dataDir, { recursive: true });
  });

  it('is not restored without its network or on another one', async () => {
    const other = await startNode(QUICK_NODE);
    for (const [name, url] of [
      ['without', ''],
      ['other', other.url],
    ] as const) {
      const dataDir = join(root, name);
      expect((await restore(dataDir, url)).code, name).to.equal(1);
      expect(existsSync(dataPaths(dataDir).network), name).to.equal(false);
    }
    await other.kill();
  });
});
