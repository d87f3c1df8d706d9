// Metrics of the nodes of a network. Their label is the host alone: a URL may hold an access key.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SubscriptionUse } from '../../chain/network/headSubscription.ts';
import type { NodeUse } from '../../chain/network/rpcNode.ts';

/** Hosts with a label of their own; the others share one. */
const HOSTS_MAX = 16;
const OTHERS = 'others';

/** False answers by host, those of further hosts together. Nodes of one host count together. */
export const countByHost = (nodes: readonly NodeUse[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { name, falseAnswers } of nodes) {
    const { hostname } = new URL(name);
    const label = counts.has(hostname) || counts.size < HOSTS_MAX ? hostname : OTHERS;
    counts.set(label, (counts.get(label) ?? 0) + falseAnswers);
  }
  return counts;
};

/** Watches nodes, and the subscriptions to their new blocks. */
export type WatchNodes = (
  readNodes: () => readonly NodeUse[],
  readSubscriptions?: () => readonly SubscriptionUse[],
) => void;

/** Adds the metrics of nodes to a registry. */
export const createNodeMetrics = (
  registry: Registry,
  ...[readNodes, readSubscriptions = () => []]: Parameters<WatchNodes>
): void => {
  const registers = [registry];
  new Counter({
    name: 'ledger_chain_false_answers_total',
    help: 'Answers of a node that the hashes of blocks contradict, by its host',
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      for (const [host, count] of countByHost(readNodes())) this.inc({ host }, count);
    },
  });
  new Gauge({
    name: 'ledger_chain_nodes_left',
    help: 'Nodes that are not used now, because they fail, gave a false answer or belong to another chain',
    registers,
    collect() {
      this.set(readNodes().filter(({ isLeft }) => isLeft).length);
    },
  });
  new Gauge({
    name: 'ledger_chain_subscriptions_lost',
    help: 'Addresses of CHAIN_WS_URL that announce no blocks now',
    registers,
    collect() {
      this.set(readSubscriptions().filter(({ isLive }) => !isLive).length);
    },
  });
};
