// A node that refuses requests in its own words: too many of them, or bids below its minimum.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { deployNetworkLedger } from '../../host/networkLedger.ts';
import { deployOn, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { failureOf } from '../support/refusals.ts';
import { openTestLedger } from '../support/testLedger.ts';

interface Call {
  readonly id: number;
  readonly method: string;
}

const WORDS = 'your app has exceeded its compute units';
const MINIMUM = 'transaction underpriced: gas tip cap 1, minimum needed 25000000000';

describe('a node that refuses requests in its own words', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let proxy: Server;
  let refuse: (call: Call, response: ServerResponse) => boolean;
  before(async () => {
    node = await startNode(QUICK_NODE);
    proxy = createServer(async (request, response) => {
      const body = await text(request);
      const [call] = [JSON.parse(body) as Call | Call[]].flat();
      if (refuse(call!, response)) return;
      const headers = { 'content-type': 'application/json' };
      response.end(await (await fetch(node.url, { method: 'POST', headers, body })).text());
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await node.kill();
  });
  const toUrl = (): string => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  it('is waited for at a start, as it says, and its words are reported', async () => {
    const dataDir = await createDirectory();
    await deployOn(node, dataDir, toNetwork(node.url));
    let refusals = 0;
    refuse = ({ id }, response) => {
      if (refusals === 2) return false;
      refusals += 1;
      response.writeHead(429, { 'retry-after': '1' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_005, message: WORDS } }));
      return true;
    };
    const problems: string[] = [];
    await (await openTestLedger(dataDir, { network: toNetwork(toUrl()), problems })).close();
    expect(refusals).to.equal(2);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include(WORDS);
  });

  it('is not waited for when it says that it takes too long', async () => {
    const dataDir = await createDirectory();
    refuse = (_call, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end(WORDS);
      return true;
    };
    const error = await failureOf(openTestLedger(dataDir, { network: toNetwork(toUrl()) }));
    expect(error).to.have.property('code', 'CHAIN_UNAVAILABLE');
    expect((error as Error).message).to.include(WORDS);
  });

  it('says its minimum price to the operator who deploys', async () => {
    const dataDir = await createDirectory();
    refuse = ({ id, method }, response) => {
      if (method !== 'eth_sendRawTransaction') return false;
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: MINIMUM } }));
      return true;
    };
    const network = toNetwork(toUrl());
    const options = { dataDir, network, now: Date.now, onProblem: () => undefined };
    const addresses: string[] = [];
    const deploy = () =>
      deployNetworkLedger(options, (step) => addresses.push(...(step.match(/0x[0-9a-f]{40}$/) ?? [])));
    await failureOf(deploy());
    for (const address of addresses) await setBalance(node, address as `0x${string}`);
    const error = await failureOf(deploy());
    expect(error).to.have.property('code', 'TRANSACTION_REFUSED');
    expect((error as Error).message).to.include(MINIMUM);
  });
});
