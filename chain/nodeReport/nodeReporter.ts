// The report on all configured nodes. However often clients request it, the nodes are queried once for simultaneous
// requests, and at most once a second.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { NodeStates } from '../port.ts';
import { type FetchedStatus, fetchNodeStatus, type NodeClient, type StartTimeout } from './fetchNodeStatus.ts';

/**
 * Milliseconds after which a node counts as unreachable: the report is ready within two seconds, even on a busy
 * machine.
 */
export const NODE_TIMEOUT_MS = 1200;
const FRESH_MS = 1000;

const startNodeTimeout: StartTimeout = (onTimeout) => {
  const timer = setTimeout(onTimeout, NODE_TIMEOUT_MS);
  return () => clearTimeout(timer);
};

// The kind is that of the first node that reports one, and stays the same during an outage.
const toNodeReport = (fetched: readonly (FetchedStatus | undefined)[], knownKind: string | undefined): NodeStates => ({
  kind: fetched.find((entry) => entry?.kind !== undefined)?.kind ?? knownKind,
  nodes: fetched.map((entry) => entry?.status),
});

/**
 * Returns a function that reads the report, at most one second old. It never rejects: nodes that can't be reached are
 * undefined. `genesisHash` decides which nodes belong to the ledger's chain. `now` is in milliseconds. A node's timeout
 * is `NODE_TIMEOUT_MS` by default.
 */
export const createNodeReporter = (options: {
  nodes: readonly NodeClient[];
  genesisHash: Hex;
  now: () => number;
  startTimeout?: StartTimeout;
}): (() => Promise<NodeStates>) => {
  const { nodes, genesisHash, now, startTimeout = startNodeTimeout } = options;
  let running: Promise<NodeStates> | undefined;
  let latest: { report: NodeStates; atMs: number } | undefined;
  const fetchReport = async (): Promise<NodeStates> => {
    try {
      const fetched = await Promise.all(nodes.map((node) => fetchNodeStatus(node, genesisHash, startTimeout)));
      const report = toNodeReport(fetched, latest?.report.kind);
      latest = { report, atMs: now() };
      return report;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    const ageMs = latest === undefined ? FRESH_MS : now() - latest.atMs;
    if (latest !== undefined && ageMs >= 0 && ageMs < FRESH_MS) return latest.report;
    running ??= fetchReport();
    return running;
  };
};
