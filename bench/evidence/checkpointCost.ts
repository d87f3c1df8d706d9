// What checkpoints cost the write path: two servers in turn, one with checkpoints far more often than by default, one
// without any.
import { createAssets } from '../load/createAssets.ts';
import { readProcessUsage } from '../load/processUsage.ts';
import { runLoad } from '../load/runLoad.ts';
import { quantile } from '../quantile.ts';
import { type EvidenceServer, startEvidenceServer } from './evidenceServer.ts';

const ASSETS = 50;
const WARM_UP_MS = 3_000;
/** Seconds between checkpoints; 600 by default. */
export const CHECKPOINT_SECONDS = 10;

/** Rates of one round, in events per second, and CPU time of the main threads, in microseconds an event. */
interface Round {
  readonly ratePerSecond: number;
  readonly mainMicros: number;
}

/** With checkpoints divided by without: medians of the rounds, and the outermost. */
export interface CheckpointCost {
  readonly rate: readonly [number, number, number];
  readonly mainCpu: readonly [number, number, number];
  readonly ratesPerSecond: readonly [number, number];
}

const measureRound = async (server: EvidenceServer, assets: readonly string[], measureMs: number): Promise<Round> => {
  const usages: Promise<{ mainThreadCpuMs: number }>[] = [];
  const onBoundary = (): void => void usages.push(readProcessUsage(server.pid));
  const { url, token } = server;
  const order = { url, token, assets, clients: 64, warmUpMs: WARM_UP_MS, warmUpEvents: 1, measureMs, eventsMin: 1 };
  const { latenciesMs, elapsedMs } = await runLoad(order, { onBoundary });
  const [began, ended] = await Promise.all(usages);
  const events = latenciesMs.length;
  const mainMs = ended!.mainThreadCpuMs - began!.mainThreadCpuMs;
  return { ratePerSecond: (events * 1_000) / elapsedMs, mainMicros: (mainMs * 1_000) / events };
};

const summarize = (values: readonly number[]): [number, number, number] => {
  const sorted = values.toSorted((a, b) => a - b);
  return [quantile(sorted, 0.5), sorted[0]!, sorted.at(-1)!];
};

/** Measures rounds of this length, alternating. */
export const measureCheckpointCost = async (
  { rounds, seconds }: { rounds: number; seconds: number },
  onRound: (done: number) => void,
): Promise<CheckpointCost> => {
  await using opened = new AsyncDisposableStack();
  const sides: { server: EvidenceServer; assets: string[]; found: Round[] }[] = [];
  for (const checkpointSeconds of [CHECKPOINT_SECONDS, 0]) {
    const server = opened.adopt(await startEvidenceServer(checkpointSeconds), ({ stop }) => stop());
    sides.push({ server, assets: await createAssets(server.url, server.token, ASSETS), found: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first alternates, too.
    for (const { server, assets, found } of round % 2 === 0 ? sides : sides.toReversed())
      found.push(await measureRound(server, assets, seconds * 1_000));
    onRound(round + 1);
  }
  const [withThem, without] = sides.map(({ found }) => found) as [Round[], Round[]];
  const ratesOf = (found: readonly Round[]) => found.map(({ ratePerSecond }) => ratePerSecond);
  return {
    rate: summarize(withThem.map(({ ratePerSecond }, at) => ratePerSecond / without[at]!.ratePerSecond)),
    mainCpu: summarize(withThem.map(({ mainMicros }, at) => mainMicros / without[at]!.mainMicros)),
    ratesPerSecond: [summarize(ratesOf(withThem))[0], summarize(ratesOf(without))[0]],
  };
};
