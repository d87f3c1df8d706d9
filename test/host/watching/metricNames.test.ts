// The rules of Prometheus for the names and texts of metrics, for all that a server may show.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { NodeUse } from '../../../chain/network/rpcNode.ts';
import { createMetrics } from '../../../host/watching/metrics.ts';
import type { BlobStore } from '../../../server/blobs/blobStore.ts';
import { findProgram, skipWithout } from '../../support/missing.ts';

const run = promisify(execFile);
type Shown = MetricObjectWithValues<MetricValue<string>>;

const NODE = { name: 'http://node:8545', falseAnswers: 1, isLeft: false } as unknown as NodeUse;
const STATE = {
  chainBlock: 1,
  indexBlock: 1,
  parked: { records: 0 },
  outboxPending: 1,
  outboxFailed: 0,
  unavailableAuthors: 0,
  progress: { head: { timestampSeconds: 1 } },
  engine: { isReady: true, endedCount: 1, memoryBytes: 1 },
  sandbox: { endedCount: 1, memoryBytes: 1 },
};

// Every metric that the code has, those of the embedded chain and of a network, each with a value.
const createAll = () => {
  const metrics = createMetrics();
  metrics.watchNodes(() => [NODE]);
  metrics.watchBlobs({} as BlobStore);
  metrics.watchBlockLog({ newest: () => undefined, shown: () => undefined }, () => 0);
  metrics.watchLedger(async () => STATE as never);
  metrics.onAnswered({ operationId: 'getNode', status: 200, durationMs: 3 } as never);
  metrics.onBatch([1]);
  metrics.onFailedAttempt();
  metrics.onConnectionClosing('api' as never, 'refused' as never);
  return metrics.registry;
};

const NAME = /^(?:ledger|process|nodejs)(?:_[a-z0-9]+)+$/;
/** Units that have another base, and abbreviations, at the end or before `_total`. */
const OTHER_UNITS =
  /_(?:ms|us|ns|s|sec|milliseconds|microseconds|minutes|hours|days|kb|mb|gb|kib|mib|kilobytes|megabytes|percent)(?:_total)?$/;
const OF_HISTOGRAMS = /_(?:bucket|count|sum)$/;

const RULES: readonly (readonly [rule: string, holds: (metric: Shown) => boolean])[] = [
  ['has a name in snake case with the prefix of its source', ({ name }) => NAME.test(name)],
  ['has a text, which says more than its name', ({ name, help }) => help.trim().length > 10 && help !== name],
  [
    'ends with _total if it is a counter, and else does not',
    ({ name, type }) => /_total$/.test(name) === (String(type) === 'counter'),
  ],
  ['has base units', ({ name }) => !OTHER_UNITS.test(name)],
  ['has no suffix of a histogram', ({ name }) => !OF_HISTOGRAMS.test(name)],
  ['names no type', ({ name }) => !/_(?:gauge|counter|histogram|summary)(?:_|$)/.test(name)],
];

describe('the metrics', () => {
  for (const [rule, holds] of RULES) {
    it(`each ${rule}`, async () => {
      const shown: Shown[] = await createAll().getMetricsAsJSON();
      expect(shown.length).to.be.greaterThan(50);
      expect(shown.filter((metric) => !holds(metric)).map(({ name }) => name)).to.deep.equal([]);
    });
  }

  it('pass promtool check metrics', async function () {
    const promtool = findProgram('promtool');
    if (promtool === undefined) skipWithout(this, 'promtool is not on the PATH: it comes with the package prometheus');
    const checked = run(promtool!, ['check', 'metrics']);
    checked.child.stdin!.end(await createAll().metrics());
    expect(await checked).to.deep.equal({ stdout: '', stderr: '' });
  });
});
