// The plan of a demo of any scale.
import { countAssets, type DemoScale, toDemoName } from './demoScale.ts';
import { createDraws } from './draws.ts';
import type { AssetPlanInput, PlannedAsset } from './plan.ts';
import { planContainer } from './planContainer.ts';
import { planDoor } from './planDoor.ts';
import { planGauge } from './planGauge.ts';

type PlanAsset = (input: AssetPlanInput) => PlannedAsset;

interface AssetShare {
  readonly plan: PlanAsset;
  readonly count: number;
  readonly extraEvents: number;
}

const countEvents = (assets: readonly PlannedAsset[]): number =>
  assets.reduce((sum, { events }) => sum + events.length, 0);

// Gauges get three twentieths of the additional events, doors two, containers the rest.
const toShares = (scale: DemoScale, extraEvents: number): readonly AssetShare[] => {
  const { containers, gauges, doors } = countAssets(scale.assets);
  const [ofGauges, ofDoors] = [Math.floor((extraEvents * 3) / 20), Math.floor((extraEvents * 2) / 20)];
  return [
    { plan: planContainer, count: containers, extraEvents: extraEvents - ofGauges - ofDoors },
    { plan: planGauge, count: gauges, extraEvents: ofGauges },
    { plan: planDoor, count: doors, extraEvents: ofDoors },
  ];
};

const planAssets = (scale: DemoScale, extraEvents: number): PlannedAsset[] => {
  const draws = createDraws(toDemoName(scale));
  return toShares(scale, extraEvents).flatMap(({ plan, count, extraEvents: share }) =>
    Array.from({ length: count }, (_, index) => {
      const own = Math.floor(share / count) + (index < share % count ? 1 : 0);
      return plan({ draws, index, extraEvents: own });
    }),
  );
};

/**
 * Plans the assets of a demo, containers first, with exactly as many events as the scale says.
 * @throws Error when these are fewer than the assets need.
 */
export const planDemo = (scale: DemoScale): PlannedAsset[] => {
  const eventsMin = countEvents(planAssets(scale, 0));
  if (scale.events >= eventsMin) return planAssets(scale, scale.events - eventsMin);
  throw new Error(`--events is ${scale.events}; ${scale.assets} assets need at least ${eventsMin}`);
};
