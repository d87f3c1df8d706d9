// Reports on fake nodes, and what one of them answers that is well.
import type { NodeClient } from '../../chain/nodeReport/fetchNodeStatus.ts';
import { createNodeReporter } from '../../chain/nodeReport/nodeReporter.ts';
import type { NodeReport } from '../../chain/port.ts';
import { createRpcClient } from '../../chain/rpcClient.ts';
import { type Behaviour, type FakeNode, startFakeNode } from './fakeNode.ts';
import { type Header, sealBft, sealClique, validator } from './sealedHeaders.ts';

type Answers = Readonly<Record<string, Behaviour>>;

const BYTES_MAX = 2 ** 20;
const TIMEOUT_MS = 300;

/** A client whose own time-out is far longer than a report takes. */
export const toClient = (url: string): NodeClient => ({ request: createRpcClient(url, 10_000, BYTES_MAX) });

export const hexOf = (key: Uint8Array | undefined): string | undefined => key && Buffer.from(key).toString('hex');

/** URL of the node whose key is that of validator `n`. */
export const enodeOf = (n: number): string => `enode://${validator(n).publicKey}@127.0.0.1:30303?discport=0`;

export const toAnswers = (head: Header, genesis: Header): Record<string, Behaviour> => ({
  'eth_getBlockByNumber latest': { result: head },
  'eth_getBlockByNumber 0x0': { result: genesis },
});

/** Genesis block of a clique chain with the signers 1 and 2. */
export const GENESIS = sealClique({ named: [1, 2] });
export const QBFT_GENESIS = sealBft('qbft', { sealers: [], fields: { number: '0x0' } });
/** A node of that clique chain, which has one more block, sealed by 2, and offers nothing but blocks. */
export const PLAIN: Answers = toAnswers(sealClique({ sealer: 2 }), GENESIS);

/** Registers a mocha hook that ends the nodes after each test. */
export const useFakeNodes = () => {
  const nodes: FakeNode[] = [];
  afterEach(() => {
    for (const node of nodes.splice(0)) node.close();
  });
  const start = async (answers: Answers | Behaviour): Promise<FakeNode> => {
    const node = await startFakeNode(answers);
    nodes.push(node);
    return node;
  };
  const report = async (...all: (Answers | Behaviour)[]): Promise<NodeReport> => {
    const clients = [];
    for (const answers of all) clients.push(toClient((await start(answers)).url));
    return createNodeReporter({ nodes: clients, now: Date.now, timeoutMs: TIMEOUT_MS })();
  };
  return { start, report };
};
