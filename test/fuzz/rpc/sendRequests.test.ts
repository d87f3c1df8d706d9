// The JSON-RPC port answers odd requests; `npm run test:rpc` sends more of them to a server. A request that ends the
// engine ends mocha, which then says so.
import { expect } from 'chai';
import { createEmbeddedChain, type EmbeddedChain } from '../../../chain/embedded/embeddedChain.ts';
import { createRpcServer, type RpcServer } from '../../../chain/embedded/rpc/rpcServer.ts';
import { CHAIN_ID, deployTestLedger } from '../../support/chainLedger.ts';
import { runs } from '../../support/propertyRuns.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';
import { sendRequests } from './sendRequests.ts';

const SEED = 7;
const UNLIMITED = { perMinuteMax: 1e12, thirdPartyMax: 1e12 };

describe('the JSON-RPC port', () => {
  const errors: unknown[] = [];
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let chain: EmbeddedChain;
  let server: RpcServer;

  before(async () => {
    directory = await createTemporaryDirectory();
    chain = await createEmbeddedChain({
      directory: directory.path,
      chainId: CHAIN_ID,
      now: Date.now,
      publicGas: UNLIMITED,
    });
    const onError = (error: unknown) => errors.push(error);
    server = await createRpcServer({ answer: chain.answer, host: '127.0.0.1', port: 0, onError });
  });
  after(async () => {
    await server.close();
    await chain.close();
    await directory.remove();
  });

  it('answers every request, with nothing that is a fault of its own', async () => {
    const { address: contract } = await deployTestLedger(chain);
    const { numRuns } = runs(300);
    const port = { rpcUrl: server.url, contract, chainId: CHAIN_ID };
    const report = await sendRequests(port, SEED, (sent) => sent >= numRuns);
    expect(report.faults).to.deep.equal([]);
    expect(errors).to.deep.equal([]);
    expect(report.requests).to.be.at.least(numRuns);
    expect(report.answers.get('eth_sendRawTransaction ok')).to.be.greaterThan(0);
    expect(report.answers.get('eth_estimateGas ok')).to.be.greaterThan(0);
  });
});
