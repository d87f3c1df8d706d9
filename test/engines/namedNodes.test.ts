// The nodes that test:engines is given, and the gates before them.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createGate, type Gate } from './gate.ts';
import { readNamedNodes } from './namedNodes.ts';

describe('ENGINE_RPC_URLS', () => {
  it('names nodes, or none', () => {
    expect(readNamedNodes({})).to.equal(undefined);
    expect(readNamedNodes({ ENGINE_RPC_URLS: ' ' })).to.equal(undefined);
    const env = { ENGINE_RPC_URLS: 'http://a:1, https://b', ENGINE_CONFIRMATIONS: '3', ENGINE_FUNDER_KEY: '0x1' };
    expect(readNamedNodes(env)).to.deep.equal({
      urls: ['http://a:1', 'https://b'],
      confirmations: 3,
      funderKey: '0x1',
    });
  });

  it('is refused when it can not be read', () => {
    expect(() => readNamedNodes({ ENGINE_RPC_URLS: 'http://a,b' })).to.throw('ENGINE_RPC_URLS');
    expect(() => readNamedNodes({ ENGINE_RPC_URLS: 'ws://a' })).to.throw('ENGINE_RPC_URLS');
    const env = { ENGINE_RPC_URLS: 'http://a', ENGINE_CONFIRMATIONS: '0' };
    expect(() => readNamedNodes(env)).to.throw('ENGINE_CONFIRMATIONS');
  });
});

describe('a gate', () => {
  let node: Server;
  let gate: Gate;
  let authorization: string | undefined;
  before(async () => {
    node = createServer((request, response) => {
      ({ authorization } = request.headers);
      request.pipe(response);
    }).listen(0, '127.0.0.1');
    await once(node, 'listening');
    gate = await createGate(`http://name:w%20rd@127.0.0.1:${(node.address() as AddressInfo).port}`);
  });
  after(async () => {
    await gate.close();
    node.close();
    node.closeAllConnections();
  });

  const ask = async (): Promise<string> => (await fetch(gate.url, { method: 'POST', body: '"asked"' })).text();
  const outcome = (): Promise<string> => ask().catch(() => 'refused');

  it('that is open forwards requests, with user name and password', async () => {
    expect(await ask()).to.equal('"asked"');
    expect(authorization).to.equal(`Basic ${Buffer.from('name:w rd').toString('base64')}`);
  });

  it('that is closed ends connections', async () => {
    gate.set('closed');
    expect(await outcome()).to.equal('refused');
    gate.set('open');
    expect(await outcome()).to.equal('"asked"');
  });

  it('that is suspended answers when it is open again', async () => {
    gate.set('suspended');
    let answered: string | undefined;
    const asked = outcome().then((text) => {
      answered = text;
    });
    const signal = AbortSignal.timeout(200);
    await fetch(gate.url, { method: 'POST', body: '{}', signal }).catch(() => undefined);
    expect([answered, signal.aborted]).to.deep.equal([undefined, true]);
    gate.set('open');
    await asked;
    expect(answered).to.equal('"asked"');
  });
});
