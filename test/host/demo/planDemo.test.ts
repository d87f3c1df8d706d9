import { expect } from 'chai';
import { toCheckDigit } from '../../../host/demo/containerNumber.ts';
import { countAssets, DEMO_SCALE } from '../../../host/demo/demoScale.ts';
import { toAngle } from '../../../host/demo/greatCircle.ts';
import type { PlannedAsset } from '../../../host/demo/plan.ts';
import { planDemo } from '../../../host/demo/planDemo.ts';

const countEvents = (assets: readonly PlannedAsset[]): number =>
  assets.reduce((sum, { events }) => sum + events.length, 0);

const eventsMinOf = (assets: number): number => {
  try {
    planDemo({ seed: 1, assets, events: 1 });
    return 1;
  } catch (error) {
    return Number(/need at least (\d+)$/.exec((error as Error).message)![1]);
  }
};

const typesOf = (asset: PlannedAsset, pattern: RegExp): string[] =>
  asset.events.map(({ type }) => type).filter((type) => pattern.test(type));

describe('the plan of a demo', () => {
  const plan = planDemo(DEMO_SCALE);
  const containers = plan.filter(({ name }) => name.startsWith('container'));

  it('is the same for the same scale, and another for another seed', () => {
    expect(planDemo(DEMO_SCALE)).to.deep.equal(plan);
    expect(planDemo({ ...DEMO_SCALE, seed: 8 })).not.to.deep.equal(plan);
  });

  it('has exactly the numbers of assets and events of any scale', () => {
    for (const assets of [8, 9, 24, 61, 240])
      for (const more of [0, 1, 7, 1_000]) {
        const events = eventsMinOf(assets) + more;
        const planned = planDemo({ seed: 3, assets, events });
        expect([planned.length, countEvents(planned)]).to.deep.equal([assets, events]);
      }
  });

  it('is refused when the events are too few for the assets', () => {
    const events = eventsMinOf(8) - 1;
    expect(() => planDemo({ seed: 1, assets: 8, events })).to.throw(`--events is ${events}; 8 assets need at least `);
  });

  it('has the events of each asset in the order of their times, none in the future', () => {
    for (const { events, name } of plan) {
      const hours = events.map(({ hoursAgo }) => hoursAgo);
      expect(hours, name).to.deep.equal(hours.toSorted((a, b) => b - a));
      expect(hours.at(-1), name).to.be.at.least(0);
    }
  });

  it('gives all containers different numbers with valid check digits, at the largest scale too', () => {
    const many = planDemo({ seed: 5, assets: 240, events: 20_000 }).slice(0, countAssets(240).containers);
    const numbers = many.map(({ attributes }) => attributes.arc_serial_number!);
    expect(new Set(numbers).size).to.equal(120);
    for (const number of numbers) {
      expect(number).to.match(/^PVLU\d{7}$/);
      expect(toCheckDigit(number.slice(0, 10)), number).to.equal(Number(number[10]));
    }
  });

  it('leads containers along four routes between nine ports', () => {
    const routes = new Set(containers.map(({ journey }) => journey!.route));
    expect(routes.size).to.equal(4);
    expect(new Set([...routes].flat().map(({ code }) => code)).size).to.equal(9);
    for (const { journey, events } of containers) {
      const { route } = journey!;
      const angles = route.slice(1).map((stop, index) => toAngle(route[index]!, stop));
      for (const { assetAttributes } of events.filter(({ type }) => type === 'Reading')) {
        const [latitude, longitude] = [Number(assetAttributes.arc_gis_lat), Number(assetAttributes.arc_gis_lng)];
        // On one of the legs the distances to both stops add up to the length of the leg.
        const detours = angles.map(
          (angle, leg) =>
            toAngle(route[leg]!, { latitude, longitude }) + toAngle({ latitude, longitude }, route[leg + 1]!) - angle,
        );
        expect(Math.min(...detours)).to.be.closeTo(0, 1e-4);
      }
    }
  });

  it('leaves one seal open, and has one event to forge and one that ends late', () => {
    const open = containers.filter((one) => typesOf(one, /^Seal/).at(-1) === 'Seal opened');
    expect(open.map(({ name }) => name)).to.deep.equal(['container-2']);
    const events = plan.flatMap((asset) => asset.events);
    expect(events.filter(({ isForged }) => isForged)).to.have.length(1);
    expect(events.filter(({ isLate }) => isLate).map(({ type }) => type)).to.deep.equal(['Lift finished']);
  });
});
