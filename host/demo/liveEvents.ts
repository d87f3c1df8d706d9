// New events of the demo's assets, every few seconds, until it is stopped.
import { setTimeout } from 'node:timers/promises';
import { console } from '../commandProcess.ts';
import type { DemoApis } from './demoApplications.ts';
import { createDraws, type Draws } from './draws.ts';
import type { PlannedEvent } from './plan.ts';
import { toDoorTest } from './planDoor.ts';
import { toGaugeCheck } from './planGauge.ts';
import { drawTemperature, toPositionTexts, toReading } from './readings.ts';
import { type RecordedAsset, type RecordedDemo, toDemoEventBody } from './recordDemo.ts';

/** An event to record now, and its asset. */
interface LiveEvent {
  readonly asset: RecordedAsset;
  readonly event: PlannedEvent;
}

const PERIOD_MS = 3_000;
const HOUR_MS = 3_600_000;

// The container of which the demo forges an event is the one that is too warm, and stays so.
const toLiveReading = (asset: RecordedAsset, draws: Draws, hoursSince: number): LiveEvent => {
  const { plan } = asset;
  const position = toPositionTexts(plan.journey!, -hoursSince);
  const temperature = drawTemperature(
    draws,
    plan.name,
    plan.events.some(({ isForged }) => isForged),
  );
  return {
    asset,
    event: toReading({ number: plan.attributes.arc_serial_number!, hoursAgo: 0, position, temperature }),
  };
};

// One container and one door in turn, and each gauge in continuous duty, so that these comply.
const toRound = ({ assets, createdAtMs }: RecordedDemo, round: number, nowMs: number): LiveEvent[] => {
  const draws = createDraws(`live ${nowMs}`);
  const select = (type: string): RecordedAsset[] => assets.filter(({ plan }) => plan.name.startsWith(type));
  const pick = (type: string): RecordedAsset => select(type)[round % select(type).length]!;
  const gauges = select('gauge').filter(({ plan }) => plan.attributes.duty === 'continuous');
  return [
    toLiveReading(pick('container'), draws, (nowMs - createdAtMs) / HOUR_MS),
    { asset: pick('door'), event: toDoorTest(0, draws.between('door', 3, 5)) },
    ...gauges.map((asset) => ({ asset, event: toGaugeCheck(0, draws.between(asset.plan.name, 4.9, 5.1)) })),
  ];
};

const record = async (apis: DemoApis, { asset, event }: LiveEvent, createdAtMs: number): Promise<void> => {
  const body = toDemoEventBody(event, { createdAtMs, locations: new Map(), files: new Map() });
  await apis[event.author].post(`/v2/${asset.identity}/events`, body);
  const name = asset.plan.attributes.arc_display_name ?? '';
  console.log(`${new Date(createdAtMs).toISOString()}  ${name}: ${event.type}, ${event.description}`);
};

const recordRounds = async (apis: DemoApis, demo: RecordedDemo, signal: AbortSignal): Promise<void> => {
  for (let round = 0; !signal.aborted; round += 1) {
    const nowMs = Date.now();
    for (const event of toRound(demo, round, nowMs)) await record(apis, event, nowMs);
    await setTimeout(PERIOD_MS, undefined, { signal }).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
  }
};

/**
 * Records new events every few seconds, and prints them, until this process gets SIGINT or SIGTERM.
 * @throws Error when a request is refused.
 */
export const recordLiveUntilStopped = async (apis: DemoApis, demo: RecordedDemo): Promise<void> => {
  const stop = new AbortController();
  // More than once, because Ctrl-C under npm delivers the signal twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  console.log('', 'Recording new events; Ctrl-C ends it');
  await recordRounds(apis, demo, stop.signal);
};
