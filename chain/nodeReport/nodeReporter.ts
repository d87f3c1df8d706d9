// The report on all configured nodes. However often clients request it, the nodes are queried once for simultaneous
// requests, and at most once a second.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { LastKnownStatus, NodeStates, ReportedNode } from '../port.ts';
import { type FetchedStatus, fetchNodeStatus, type NodeClient, type StartTimeout } from './fetchNodeStatus.ts';
import { createKnownSigners } from './peerKeys.ts';

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

type Fetched = readonly (FetchedStatus | undefined)[];

// The kind is that of the first node that reports one, and stays the same during an outage.
const findKind = (fetched: Fetched, knownKind: string | undefined): string | undefined =>
  fetched.find((entry) => entry?.kind !== undefined)?.kind ?? knownKind;

// Remembers of each node of the ledger's chain what it last reported.
const createEntries = (nodes: readonly NodeClient[], genesisHash: Hex) => {
  const lastKnown = new Map<NodeClient, LastKnownStatus>();
  const knownSigners = createKnownSigners();
  const note = (node: NodeClient, fetched: FetchedStatus, atMs: number): void => {
    const { validatorKey, height, headAtSeconds, genesisHash: found } = fetched.status;
    if (found !== genesisHash) return;
    lastKnown.set(node, { validatorKey, height, headAtSeconds, atMs });
    knownSigners.note(fetched);
  };
  return (fetched: Fetched, atMs: number): ReportedNode[] => {
    fetched.forEach((entry, at) => {
      if (entry !== undefined) note(nodes[at]!, entry, atMs);
    });
    return nodes.map((node, at) => {
      const entry = fetched[at];
      const status = entry && { ...entry.status, peers: knownSigners.toPeers(entry) };
      return { host: node.host, status, lastKnown: status === undefined ? lastKnown.get(node) : undefined };
    });
  };
};

/**
 * Returns a function that reads the report, at most one second old. It never rejects: nodes that can't be reached have
 * no status. `genesisHash` decides which nodes belong to the ledger's chain. `now` is in milliseconds. A node's timeout
 * is `NODE_TIMEOUT_MS` by default.
 */
export const createNodeReporter = (options: {
  nodes: readonly NodeClient[];
  genesisHash: Hex;
  now: () => number;
  startTimeout?: StartTimeout;
}): (() => Promise<NodeStates>) => {
  const { nodes, genesisHash, now, startTimeout = startNodeTimeout } = options;
  const toEntries = createEntries(nodes, genesisHash);
  let running: Promise<NodeStates> | undefined;
  let latest: { report: NodeStates; atMs: number } | undefined;
  const fetchReport = async (): Promise<NodeStates> => {
    try {
      const fetched = await Promise.all(nodes.map((node) => fetchNodeStatus(node, genesisHash, startTimeout)));
      const atMs = now();
      const report = { kind: findKind(fetched, latest?.report.kind), nodes: toEntries(fetched, atMs) };
      latest = { report, atMs };
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
