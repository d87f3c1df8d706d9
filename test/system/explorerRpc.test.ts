// The JSON-RPC for pages, over HTTP and on real chains: it answers what a browser needs to check a record, and nothing
// that shows a payload.
import { expect } from 'chai';
import { callView } from '../../chain/callView.ts';
import { RPC_CODE } from '../../chain/jsonRpc/rpcError.ts';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, serveTestLedger } from '../support/testLedger.ts';

const TIMEOUT_MS = 20_000;

interface Header {
  readonly hash: string;
  readonly number: string;
  readonly parentHash: string;
}

for (const kind of CHAIN_KINDS) {
  describe(`the JSON-RPC for pages, on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    let server: ListeningServer;
    let tenant: FixtureTenant;
    let event: EventResource;

    before(async () => {
      server = await serveTestLedger(shared().ledger);
      tenant = await createFixtureTenant(shared().ledger, server, 'pages');
      event = (await tenant.record(await tenant.createAsset(), 'secret')).body;
    });
    after(() => server.close());

    const request: ReturnType<typeof createRpcClient> = (method, params) =>
      createRpcClient(`${server.url}/rpc`, TIMEOUT_MS)(method, params);
    const post = (body: string, type = 'application/json') =>
      fetch(`${server.url}/rpc`, { method: 'POST', headers: { 'content-type': type }, body });
    const codeOf = async (method: string, params: readonly unknown[]): Promise<unknown> => {
      const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      return ((await answer.json()) as { error?: { code: number } }).error?.code;
    };

    it('says by the contract that a record is there, and that another one is not', async () => {
      const { ledger } = shared();
      const recordOf = (identity: string) =>
        callView(request, ledger.contract, {
          name: 'recordOf',
          args: [toKey(tenant.identity), toKey(identity)],
        });
      const [hash] = await recordOf(event.identity);
      const [none] = await recordOf(`${event.identity}0`);
      expect(BigInt(hash as string)).to.not.equal(0n);
      expect(BigInt(none as string)).to.equal(0n);
    });

    it('has the headers of blocks, without transactions', async () => {
      const head = (await request('eth_getBlockByNumber', ['latest', false])) as Header;
      expect(Number(await request('eth_blockNumber', []))).to.be.at.least(event.block_number);
      const block = (await request('eth_getBlockByNumber', [`0x${event.block_number.toString(16)}`, false])) as Header;
      expect(await request('eth_getBlockByHash', [block.hash, false])).to.deep.equal(block);
      expect(Number(block.number)).to.equal(event.block_number);
      expect({ ...block, ...head }).to.not.have.any.keys('transactions', 'withdrawals', 'uncles', 'size');
      expect(Number(await request('eth_chainId', []))).to.equal(shared().ledger.chain.chainId);
    });

    it('answers nothing that shows a payload, and sends nothing', async () => {
      const filter = { fromBlock: '0x0', toBlock: 'latest' };
      expect(await codeOf('eth_getLogs', [filter])).to.equal(RPC_CODE.METHOD_NOT_FOUND);
      expect(await codeOf('eth_getTransactionByHash', [event.transaction_id])).to.equal(RPC_CODE.METHOD_NOT_FOUND);
      expect(await codeOf('eth_getTransactionReceipt', [event.transaction_id])).to.equal(RPC_CODE.METHOD_NOT_FOUND);
      expect(await codeOf('eth_sendRawTransaction', ['0x00'])).to.equal(RPC_CODE.METHOD_NOT_FOUND);
      expect(await codeOf('eth_getBlockByNumber', ['latest', true])).to.equal(RPC_CODE.INVALID_PARAMS);
    });

    it('is answered to JSON of a bounded size alone, and has no other method', async () => {
      expect((await post('{}', 'text/plain')).status).to.equal(415);
      expect((await post(`"${'x'.repeat(300_000)}"`)).status).to.equal(413);
      expect((await fetch(`${server.url}/rpc`)).status).to.equal(404);
      const { headers } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }));
      expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).to.deep.equal([
        'no-store',
        null,
      ]);
    });
  });
}
