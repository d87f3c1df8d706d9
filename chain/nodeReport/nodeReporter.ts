// The report on all configured nodes. Clients may ask as often as they like: the nodes are asked once for all who ask at the same time,
// and at most once a second.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { NodeReport } from '../port.ts';
import { type FetchedStatus, fetchNodeStatus, type NodeClient, type StartTimeout } from './fetchNodeStatus.ts';

/** A node that has not answered by then can't be reached: the report is there within two seconds, also on a busy machine. */
export const NODE_TIMEOUT_MS = 1200;
const FRESH_MS = 1000;

const startNodeTimeout: StartTimeout = (onTimeout) => {
  const timer = setTimeout(onTimeout, NODE_TIMEOUT_MS);
  return () => clearTimeout(timer);
};

// The first node that says its kind says the report's. An outage doesn't change what the chain is carried by.
const toReport = (fetched: readonly (FetchedStatus | undefined)[], knownKind: string | undefined): NodeReport => ({
  kind: fetched.find((entry) => entry?.kind !== undefined)?.kind ?? knownKind,
  nodes: fetched.map((entry) => entry?.status),
});

/**
 * Reads the report on the nodes, at most one second old. Never rejects: nodes that can't be reached are left undefined.
 * `genesisHash` says which nodes are of the ledger's chain. `now` is in milliseconds. A node has `NODE_TIMEOUT_MS` by default.
 */
export const createNodeReporter = (options: {
  nodes: readonly NodeClient[];
  genesisHash: Hex;
  now: () => number;
  startTimeout?: StartTimeout;
}): (() => Promise<NodeReport>) => {
  const { nodes, genesisHash, now, startTimeout = startNodeTimeout } = options;
  let underWay: Promise<NodeReport> | undefined;
  let latest: { report: NodeReport; atMs: number } | undefined;
  const fetchAnew = async (): Promise<NodeReport> => {
    try {
      const fetched = await Promise.all(nodes.map((node) => fetchNodeStatus(node, genesisHash, startTimeout)));
      const report = toReport(fetched, latest?.report.kind);
      latest = { report, atMs: now() };
      return report;
    } finally {
      underWay = undefined;
    }
  };
  return async () => {
    const ageMs = latest === undefined ? FRESH_MS : now() - latest.atMs;
    if (latest !== undefined && ageMs >= 0 && ageMs < FRESH_MS) return latest.report;
    underWay ??= fetchAnew();
    return underWay;
  };
};
