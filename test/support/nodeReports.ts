// Reports on fake nodes, and the answers of a healthy one.
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import type { NodeClient, StartTimeout } from '../../chain/nodeReport/fetchNodeStatus.ts';
import { createNodeReporter } from '../../chain/nodeReport/nodeReporter.ts';
import type { NodeStates, NodeStatus } from '../../chain/port.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { type Behaviour, type FakeNode, startFakeNode } from './fakeNode.ts';
import { type Header, sealBft, sealClique, validator } from './sealedHeaders.ts';

type Answers = Readonly<Record<string, Behaviour>>;

const BYTES_MAX = 2 ** 20;

/** A client whose own time-out is far longer than a report takes, also on a loaded machine. */
export const toClient = (url: string): NodeClient => ({ request: createRpcClient(url, 60_000, BYTES_MAX) });

export const statusesOf = ({ nodes }: NodeStates): (NodeStatus | undefined)[] => nodes.map(({ status }) => status);

/** Timeout of a report in which every node answers: never reached. */
export const WITHOUT_TIMEOUT: StartTimeout = () => () => undefined;

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
/**
 * A node of that clique chain, which has one more block, sealed by 2, and offers nothing but blocks and its signer's
 * address.
 */
export const PLAIN: Answers = {
  ...toAnswers(sealClique({ sealer: 2 }), GENESIS),
  eth_coinbase: { result: validator(2).address },
};

/**
 * Lets the timeout of a report pass as soon as it waits for nothing but requests that hang, however long the others
 * take.
 */
const createReportTimeout = () => {
  const waiting = new Set<() => boolean>();
  const timeouts: (() => void)[] = [];
  const check = (): void => {
    if (waiting.size === 0 || ![...waiting].every((isHanging) => isHanging())) return;
    for (const onTimeout of timeouts.splice(0)) onTimeout();
  };
  // An answer may lead to another request, which is sent before the next turn of the event loop.
  const checkLater = (): void => void setImmediate(check);
  const startTimeout: StartTimeout = (onTimeout) => {
    timeouts.push(onTimeout);
    return () => undefined;
  };
  const watch = ({ url, isHanging }: FakeNode): NodeClient => {
    const { request } = toClient(url);
    return {
      request: async (method, params) => {
        const isRequestHanging = (): boolean => isHanging(method, params);
        waiting.add(isRequestHanging);
        try {
          return await request(method, params);
        } finally {
          waiting.delete(isRequestHanging);
          checkLater();
        }
      },
    };
  };
  return { startTimeout, watch, checkLater };
};

/** Registers a mocha hook that ends the nodes after each test. */
export const useFakeNodes = () => {
  const nodes: FakeNode[] = [];
  afterEach(() => {
    for (const node of nodes.splice(0)) node.close();
  });
  const start = async (answers: Answers | Behaviour, onRequest?: () => void): Promise<FakeNode> => {
    const node = await startFakeNode(answers, onRequest);
    nodes.push(node);
    return node;
  };
  const open = async (all: readonly (Answers | Behaviour)[], genesisHash: string) => {
    const { startTimeout, watch, checkLater } = createReportTimeout();
    const started: FakeNode[] = [];
    for (const answers of all) started.push(await start(answers, checkLater));
    const clients = started.map(watch);
    const options = { nodes: clients, genesisHash: genesisHash as Hex, now: Date.now, startTimeout };
    return { requested: started.map(({ requested }) => requested), read: createNodeReporter(options).read };
  };
  /** The statuses of nodes of a ledger on a chain, by default the clique chain; nodes may hang. */
  const reportOn = async (genesisHash: string, ...all: (Answers | Behaviour)[]) => {
    const { read } = await open(all, genesisHash);
    const states = await read();
    return { kind: states.kind, statuses: statusesOf(states) };
  };
  const report = (...all: (Answers | Behaviour)[]) => reportOn(GENESIS.hash!, ...all);
  /** The only entry of a ledger on the chain that this node is of, its key, and the methods that it was asked. */
  const reportOne = async (answers: Record<string, Behaviour>) => {
    const genesis = answers['eth_getBlockByNumber 0x0'] as { result: Header };
    const { requested, read } = await open([answers], genesis.result.hash!);
    const [entry] = statusesOf(await read());
    return { entry, key: hexOf(entry?.validatorKey), requested: requested[0]! };
  };
  return { start, report, reportOn, reportOne };
};
