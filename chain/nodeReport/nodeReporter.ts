// The report on all configured nodes. Clients may ask as often as they like: the nodes are asked once for all who ask at the same time,
// and at most once a second.
import type { NodeReport } from '../port.ts';
import { fetchNodeStatus, type NodeClient } from './fetchNodeStatus.ts';

/** A node that has not answered by then can't be reached: the report is there within two seconds. */
export const NODE_TIMEOUT_MS = 1500;
const FRESH_MS = 1000;

const fetchNodeReport = async (nodes: readonly NodeClient[], timeoutMs: number): Promise<NodeReport> => {
  const fetched = await Promise.all(nodes.map((node) => fetchNodeStatus(node, timeoutMs)));
  const kind = fetched.find((entry) => entry?.kind !== undefined)?.kind;
  return { kind, nodes: fetched.map((entry) => entry?.status) };
};

/**
 * Reads the report on the nodes, at most one second old. Never rejects: nodes that can't be reached are left undefined.
 * `now` is in milliseconds.
 */
export const createNodeReporter = (options: {
  nodes: readonly NodeClient[];
  now: () => number;
  timeoutMs?: number;
}): (() => Promise<NodeReport>) => {
  const { nodes, now, timeoutMs = NODE_TIMEOUT_MS } = options;
  let underWay: Promise<NodeReport> | undefined;
  let latest: { report: NodeReport; atMs: number } | undefined;
  const fetchAnew = async (): Promise<NodeReport> => {
    try {
      const report = await fetchNodeReport(nodes, timeoutMs);
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
