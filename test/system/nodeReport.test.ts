// The node report of a complete installation.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SigningKey } from 'ethers';
import { createEmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { components } from '../../server/openapi/api.gen.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { findFreePort, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { startFakeNode } from '../support/fakeNode.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { openNetworkFixture } from '../support/networkFixture.ts';
import { GENESIS, PLAIN } from '../support/nodeReports.ts';
import { openTestLedger, plantKeys, serveTestLedger, TEST_CHAIN_ID, useDataDirectory } from '../support/testLedger.ts';

type Report = components['schemas']['NodeReport'];
type Block = Readonly<Record<'hash' | 'stateRoot' | 'number' | 'timestamp' | 'miner', string>>;

const NO_KEY = { kty: 'EC', crv: 'secp256k1', x: '', y: '', d: '' };
const KEY_FILE = 'embedded-chain.key';

const toHost = (url: string): string => new URL(url).host;

const toTime = (seconds: string): string => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');

describe('the node report of an installation', () => {
  const directory = useDataDirectory();

  // Opens the installation for one report, with a new tenant of the given name.
  const fetchReport = async (tenantName: string) => {
    const ledger = await openTestLedger(directory.path);
    const server = await serveTestLedger(ledger);
    try {
      const tenant = await createFixtureTenant(ledger, server, tenantName);
      await tenant.createAsset();
      const { status, body } = await tenant.get<Report>('../v1/node');
      expect(status).to.equal(200);
      const read = async (tag: string) => (await ledger.chain.request('eth_getBlockByNumber', [tag, false])) as Block;
      return { report: body, head: await read('latest'), genesis: await read('0x0') };
    } finally {
      await server.close();
      await ledger.close();
    }
  };

  it('has the current state of the chain and the public half of its key', async () => {
    const { report, head, genesis } = await fetchReport('alpha');
    const privateKey = await readFile(join(directory.keys, KEY_FILE), 'utf8');
    const publicKey = Buffer.from(new SigningKey(privateKey).publicKey.slice(4), 'hex');
    const { age_seconds: age } = report.chain_head!;
    expect(age).to.be.within(0, 300);
    expect(report).to.deep.equal({
      identity: 'hardhat',
      chain_head: {
        block_height: String(Number(head.number)),
        timestamp_committed: toTime(head.timestamp),
        age_seconds: age,
      },
      chain_stalled: null,
      chain_validators: null,
      blockchain_nodes: [
        {
          validator_pubkey: {
            kty: 'EC',
            crv: 'secp256k1',
            x: publicKey.subarray(0, 32).toString('base64url'),
            y: publicKey.subarray(32).toString('base64url'),
            d: '',
          },
          block_height: String(Number(head.number)),
          connection_status: 'REACHABLE',
          genesis_hash: genesis.hash,
          state_root: genesis.stateRoot,
          timestamp_committed: toTime(head.timestamp),
          timestamp_created: toTime(genesis.timestamp),
          syncing: null,
          peers: [],
          host: null,
          last_known: null,
        },
      ],
    });
    expect(Number(head.number)).to.be.greaterThan(1);
  });

  it('has the same chain and key after a restart, and no key once its file is lost', async () => {
    const first = await fetchReport('alpha');
    const second = await fetchReport('beta');
    const [before] = first.report.blockchain_nodes;
    const [after] = second.report.blockchain_nodes;
    expect(after?.genesis_hash).to.equal(before?.genesis_hash);
    expect(after?.validator_pubkey).to.deep.equal(before?.validator_pubkey);
    expect(Number(after?.block_height)).to.be.greaterThan(Number(before?.block_height));
    await rm(join(directory.keys, KEY_FILE));
    const third = await fetchReport('gamma');
    expect(third.report.blockchain_nodes[0]?.validator_pubkey).to.deep.equal(NO_KEY);
    expect(third.report.blockchain_nodes[0]?.genesis_hash).to.equal(before?.genesis_hash);
    expect(await readdir(directory.keys)).to.not.include(KEY_FILE);
  });

  it("has no key when the existing key is another chain's", async () => {
    await fetchReport('alpha');
    await rm(join(directory.keys, KEY_FILE));
    await plantKeys(directory.path, { 'embedded-chain': `0x${'11'.repeat(32)}` });
    const { report } = await fetchReport('beta');
    expect(report.blockchain_nodes[0]?.validator_pubkey).to.deep.equal(NO_KEY);
  });

  it('has no key for a chain that was created without one', async () => {
    const options = { directory: dataPaths(directory.path).chain, chainId: TEST_CHAIN_ID, now: Date.now };
    const old = await createEmbeddedChain(options);
    await old.close();
    const { report, genesis } = await fetchReport('alpha');
    expect(genesis.hash).to.equal(old.genesisHash);
    expect(report.blockchain_nodes[0]?.validator_pubkey).to.deep.equal(NO_KEY);
    expect(report.blockchain_nodes[0]?.connection_status).to.equal('REACHABLE');
    expect(await readdir(directory.keys)).to.not.include(KEY_FILE);
  });

  it('has an entry for each node of a network, including one that is down and one of another chain', async () => {
    const down = `http://127.0.0.1:${await findFreePort()}`;
    const node = await startNode(QUICK_NODE);
    const foreign = await startFakeNode({ ...PLAIN, web3_clientVersion: { result: 'Geth/v1.13.14' } });
    const fixture = await openNetworkFixture(node, toNetwork(node.url, foreign.url, down));
    try {
      const { body } = await fixture.alpha.get<Report>('../v1/archivistnode');
      expect(body.identity).to.equal(QUICK_NODE);
      const [up, other, gone] = body.blockchain_nodes;
      expect(up!.connection_status).to.equal('REACHABLE');
      expect(Number(up!.block_height)).to.be.greaterThan(1);
      expect(other).to.deep.include({
        connection_status: 'REACHABLE',
        genesis_hash: GENESIS.hash,
        validator_pubkey: NO_KEY,
      });
      expect(gone).to.deep.include({
        connection_status: 'UNREACHABLE',
        block_height: '0',
        genesis_hash: '',
        peers: [],
      });
      expect(up!.genesis_hash).to.equal(fixture.ledger.chain.genesisHash);
      expect([up, other, gone].map((entry) => entry!.host)).to.deep.equal([node.url, foreign.url, down].map(toHost));
      expect([up, other, gone].map((entry) => entry!.last_known)).to.deep.equal([null, null, null]);
    } finally {
      await fixture.close();
      foreign.close();
      await node.kill();
    }
  });
});
