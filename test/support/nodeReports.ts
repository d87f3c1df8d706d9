// Reports on fake nodes, and what one of them answers that is well.
import type { NodeClient } from '../../chain/nodeReport/fetchNodeStatus.ts';
import { createNodeReporter } from '../../chain/nodeReport/nodeReporter.ts';
import type { NodeReport } from '../../chain/port.ts';
import { createRpcClient } from '../../chain/rpcClient.ts';
import type { Hex } from '../../ledger/hex.ts';
import { type Behaviour, type FakeNode, startFakeNode } from './fakeNode.ts';
import { type Header, sealBft, sealClique, validator } from './sealedHeaders.ts';

type Answers = Readonly<Record<string, Behaviour>>;

const BYTES_MAX = 2 ** 20;
const TIMEOUT_MS = 300;
/** For nodes that answer everything: nothing ever waits for it to end. */
const PATIENT_MS = 20_000;

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
/** A node of that clique chain, which has one more block, sealed by 2, and offers nothing but blocks and its signer's address. */
export const PLAIN: Answers = {
  ...toAnswers(sealClique({ sealer: 2 }), GENESIS),
  eth_coinbase: { result: validator(2).address },
};

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
  const open = async (all: readonly (Answers | Behaviour)[], genesisHash: string, timeoutMs: number) => {
    const started: FakeNode[] = [];
    for (const answers of all) started.push(await start(answers));
    const clients = started.map(({ url }) => toClient(url));
    const options = { nodes: clients, genesisHash: genesisHash as Hex, now: Date.now, timeoutMs };
    return { asked: started.map(({ asked }) => asked), read: createNodeReporter(options) };
  };
  /** Of a ledger on the clique chain; nodes may hang. */
  const report = async (...all: (Answers | Behaviour)[]): Promise<NodeReport> =>
    (await open(all, GENESIS.hash!, TIMEOUT_MS)).read();
  /** The only entry of a ledger on the chain that this node is of, its key, and the methods that it was asked. */
  const reportOne = async (answers: Record<string, Behaviour>, timeoutMs = PATIENT_MS) => {
    const genesis = answers['eth_getBlockByNumber 0x0'] as { result: Header };
    const { asked, read } = await open([answers], genesis.result.hash!, timeoutMs);
    const { nodes: entries } = await read();
    return { entry: entries[0], key: hexOf(entries[0]?.validatorKey), asked: asked[0]! };
  };
  return { start, report, reportOne };
};
