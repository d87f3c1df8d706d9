// The report on all configured nodes. However often clients request it, the nodes are queried once for simultaneous
// requests, and at most once a second.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { SeenHead } from '../network/rpcNode.ts';
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
const createEntries = ({ nodes, genesisHash, readSeen = () => undefined }: NodeReporterOptions) => {
  const lastKnown = new Map<NodeClient, LastKnownStatus>();
  const knownSigners = createKnownSigners();
  const note = (node: NodeClient, fetched: FetchedStatus, atMs: number): void => {
    const { validatorKey, height, headAtSeconds, genesisHash: found } = fetched.status;
    if (found !== genesisHash) return;
    lastKnown.set(node, { validatorKey, height, headAtSeconds, atMs });
    knownSigners.note(fetched);
  };
  // The checks of the chain see it more often than reports are requested. They don't ask for its key.
  const findLastKnown = (at: number): LastKnownStatus | undefined => {
    const reported = lastKnown.get(nodes[at]!);
    const seen = readSeen(at);
    if (seen === undefined || (reported !== undefined && reported.atMs > seen.atMs)) return reported;
    return { ...seen, validatorKey: reported?.validatorKey };
  };
  const toEntries = (fetched: Fetched, atMs: number): ReportedNode[] => {
    fetched.forEach((entry, at) => {
      if (entry !== undefined) note(nodes[at]!, entry, atMs);
    });
    return nodes.map((node, at) => {
      const entry = fetched[at];
      const status = entry && { ...entry.status, peers: knownSigners.toPeers(entry) };
      return { host: node.host, status, lastKnown: status === undefined ? findLastKnown(at) : undefined };
    });
  };
  const asked = new Set<NodeClient>();
  /** Whether the chain's checks have reached a node for the first time since the last call. */
  const areUnasked = (): boolean => {
    const unasked = nodes.filter((node, at) => !asked.has(node) && readSeen(at) !== undefined);
    for (const node of unasked) asked.add(node);
    return unasked.length > 0;
  };
  return { toEntries, areUnasked };
};

/** Options of a reporter. */
export interface NodeReporterOptions {
  readonly nodes: readonly NodeClient[];
  /** Decides which nodes belong to the ledger's chain. */
  readonly genesisHash: Hex;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** By default `NODE_TIMEOUT_MS`. */
  readonly startTimeout?: StartTimeout;
  /** The newest block that a node, by its place in `nodes`, had at the chain's last successful check of it. */
  readonly readSeen?: (at: number) => SeenHead | undefined;
}

/** Reads the report on the nodes. */
export interface NodeReporter {
  /** The report, at most one second old. Never rejects: nodes that can't be reached have no status. */
  read(): Promise<NodeStates>;
  /** Reads the report if the chain has reached a node for the first time, so that its key is known. Never rejects. */
  readUnasked(): Promise<void>;
}

/** A reporter that has read nothing yet. */
export const createNodeReporter = (options: NodeReporterOptions): NodeReporter => {
  const { nodes, genesisHash, now, startTimeout = startNodeTimeout } = options;
  const { toEntries, areUnasked } = createEntries(options);
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
  const read = async (): Promise<NodeStates> => {
    const ageMs = latest === undefined ? FRESH_MS : now() - latest.atMs;
    if (latest !== undefined && ageMs >= 0 && ageMs < FRESH_MS) return latest.report;
    running ??= fetchReport();
    return running;
  };
  return {
    read,
    readUnasked: async () => {
      if (areUnasked()) await read();
    },
  };
};
