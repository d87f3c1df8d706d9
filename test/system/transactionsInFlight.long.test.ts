// Several transactions in flight on a real node, which loses one in the middle, or lets one run out of gas; and the
// server's process is killed meanwhile. Each record is on the chain once in the end.
import { expect } from 'chai';
import type { ServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { deployOn, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, skipWithoutAnvil, startNode } from '../support/externalNode.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { createSendProxy, type SendFault, type SendProxy } from '../support/sendProxy.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const IN_FLIGHT = 16;

describe('several transactions in flight on a node', () => {
  let node: ExternalNode;
  before(async function () {
    skipWithoutAnvil(this);
    node = await startNode('anvil');
  });
  after(() => node?.kill());

  // Blocks come only when the test says so.
  const holdBlocks = async (): Promise<void> => {
    await node.mineEvery(0);
    await node.request('evm_setAutomine', [false]);
  };
  const makeBlocks = (): Promise<unknown> => node.mineEvery(1);
  const release = async (): Promise<void> => {
    await node.mineEvery(0);
    await node.request('evm_setAutomine', [true]);
  };
  const readPending = async (): Promise<number> => {
    const { pending } = (await node.request('txpool_status', [])) as { pending: string };
    return Number(pending);
  };
  const readHead = async (): Promise<number> => Number(await node.request('eth_blockNumber', []));
  // Transactions of the blocks from this one on that reverted.
  const countReverted = async (first: number): Promise<number> => {
    const head = await readHead();
    let reverted = 0;
    for (let number = first; number <= head; number += 1) {
      const found = (await node.request('eth_getBlockReceipts', [`0x${number.toString(16)}`])) as { status: string }[];
      reverted += found.filter(({ status }) => status === '0x0').length;
    }
    return reverted;
  };
  // How often each record is on the chain, whatever contract logged it.
  const countOnChain = async (identities: readonly string[]): Promise<number[]> => {
    const logs = (await node.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])) as {
      topics: string[];
    }[];
    return identities.map((identity) => {
      const key = toHex(toKey(identity));
      return logs.filter(({ topics }) => topics.includes(key)).length;
    });
  };

  describe('that', () => {
    let proxy: SendProxy;
    let fixture: NetworkFixture;
    beforeEach(async () => {
      proxy = await createSendProxy(node.url);
      const limits = { transactionsInFlight: IN_FLIGHT, batchRecordsMax: 1 };
      fixture = await openNetworkFixture(node, toNetwork(proxy.url), limits);
      await holdBlocks();
    });
    afterEach(async () => {
      await release();
      await fixture?.close();
      await proxy?.close();
    });

    const readCount = (): Promise<unknown> =>
      node.request('eth_getTransactionCount', [fixture.ledger.relayer.address, 'latest']);
    const createAssets = (count: number): Promise<AssetResource>[] =>
      Array.from({ length: count }, () => fixture.alpha.createAsset());
    const isConfirmed = async (identity: string): Promise<boolean> => {
      const { body } = await fixture.alpha.get<AssetResource>(identity);
      expect(body.confirmation_status).not.to.equal('FAILED');
      return body.confirmation_status === 'CONFIRMED';
    };
    const expectEachOnce = async (creations: readonly Promise<AssetResource>[]): Promise<void> => {
      const identities = (await Promise.all(creations)).map(({ identity }) => identity);
      for (const identity of identities)
        await until(
          () => isConfirmed(identity),
          () => `${identity} is final`,
        );
      expect(await countOnChain(identities)).to.deep.equal(identities.map(() => 1));
    };

    const faults: Record<string, (place: number, times: number) => SendFault> = {
      'loses one in the middle, fills the gap with it': (place, times) =>
        place === 3 && times === 0 ? 'lose' : 'none',
      'loses two of them several times, fills the gaps': (place, times) =>
        (place === 2 || place === 5) && times < 2 ? 'lose' : 'none',
      'refuses one in the middle for a while, sends it again': (place, times) =>
        place === 3 && times < 3 ? 'refuse' : 'none',
    };
    for (const [what, onSend] of Object.entries(faults)) {
      it(`${what}, and commits each record once`, async () => {
        const before = proxy.sent.size;
        let hasFault = false;
        proxy.onSend = (place, times) => {
          const fault = onSend(place - before, times);
          hasFault ||= fault !== 'none';
          return fault;
        };
        const creations = createAssets(10);
        await until(() => hasFault);
        await makeBlocks();
        await expectEachOnce(creations);
      });
    }

    it('lets some run out of gas, sends them again with more, and commits each record once', async () => {
      const { chain } = fixture.ledger;
      const { fetchBid } = chain;
      let short = 0;
      Object.assign(chain, {
        fetchBid: async (...[call]: Parameters<typeof fetchBid>) => {
          const bid = await fetchBid(call);
          if (call.isMeasured !== true || short === 4) return bid;
          short += 1;
          return { ...bid, gasLimit: Math.floor(bid.gasLimit * 0.35) };
        },
      });
      const firstBlock = await readHead();
      const creations = createAssets(10);
      await until(async () => (await readPending()) >= 10);
      expect(short).to.equal(4);
      await makeBlocks();
      await expectEachOnce(creations);
      expect(await countReverted(firstBlock)).to.be.at.least(4);
    });

    it('bids a price that has risen since the head that it was read at, and commits each record once', async () => {
      const first = createAssets(3);
      await until(async () => (await readPending()) >= 3);
      await node.request('anvil_setNextBlockBaseFeePerGas', ['0x174876e800']);
      const count = await readCount();
      await node.request('evm_mine', []);
      expect(await readCount()).to.equal(count);
      const later = createAssets(3);
      await makeBlocks();
      await expectEachOnce([...first, ...later]);
    });
  });

  describe('of a server that is killed', () => {
    const createDirectory = useDirectories();
    let directory: string;
    let server: ServerProcess | undefined;
    beforeEach(async () => {
      directory = await createDirectory();
      await deployOn(node, directory, toNetwork(node.url));
      await start();
    });
    afterEach(async () => {
      await release();
      await server?.stop('SIGKILL');
    });

    let token: string;
    const start = async (): Promise<void> => {
      server = await startServerProcess(directory, [], { CHAIN_RPC_URL: node.url, LOG_LEVEL: 'silent' });
      const given = { tenant: FIRST_TENANT, role: 'root' };
      ({ token } = await runOperatorCommand<{ token: string }>(directory, 'token', given));
    };
    const createAsset = () =>
      send<AssetResource>(`${server!.url}/archivist/v2/assets`, token, { body: { attributes: {} } });

    // Sends creations until all transactions that may be in flight are; each follows the one before.
    const fill = async (): Promise<Promise<string>[]> => {
      const answers: Promise<string>[] = [];
      for (let inFlight = 1; inFlight <= IN_FLIGHT; inFlight += 1) {
        const creations = [createAsset(), createAsset()];
        answers.push(...creations.map(async (creation) => (await creation).body.identity));
        await until(
          async () => (await readPending()) >= inFlight,
          () => `${inFlight} are in flight`,
        );
      }
      return answers;
    };

    const dropFirst = async (): Promise<void> => {
      const { pending } = (await node.request('txpool_content', [])) as {
        pending: Record<string, Record<string, { hash: string }>>;
      };
      const [ofRelayer] = Object.values(pending);
      const [first] = Object.keys(ofRelayer!).sort((a, b) => Number(a) - Number(b));
      await node.request('anvil_dropTransaction', [ofRelayer![first!]!.hash]);
    };
    const meanwhile: Record<string, () => Promise<unknown>> = {
      'are mined before its start': () => node.request('evm_mine', []),
      'are mined after its start': async () => undefined,
      'are lost by the node': () => node.request('anvil_dropAllTransactions', []),
      'lose the first one at the node': dropFirst,
    };
    for (const [what, happen] of Object.entries(meanwhile)) {
      it(`${what}: each record that was answered is there once`, async () => {
        await holdBlocks();
        const answers = await fill();
        const identities = await Promise.all(answers);
        // These aren't answered.
        const unanswered = [createAsset(), createAsset()].map((creation) => creation.catch(() => undefined));
        await server!.stop('SIGKILL');
        await Promise.all(unanswered);
        await happen();
        await start();
        await makeBlocks();
        const readStatus = async (identity: string): Promise<string> => {
          const { body } = await send<AssetResource>(`${server!.url}/archivist/v2/${identity}`, token);
          return body.confirmation_status;
        };
        for (const identity of identities)
          await until(
            async () => (await readStatus(identity)) === 'CONFIRMED',
            () => `${identity} is final`,
          );
        expect(await countOnChain(identities)).to.deep.equal(identities.map(() => 1));
        const { body } = await send<{ assets: AssetResource[] }>(
          `${server!.url}/archivist/v2/assets?page_size=500`,
          token,
        );
        const listed = body.assets.map(({ identity }) => identity);
        expect(new Set(listed).size).to.equal(listed.length);
        expect(listed).to.include.members(identities);
      });
    }
  });
});
