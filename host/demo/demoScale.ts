// How much the demo records.

/** What determines the demo's data. */
export interface DemoScale {
  readonly seed: number;
  readonly assets: number;
  /** Events besides the creations of assets. */
  readonly events: number;
}

/** The scale of a demo that is given none. */
export const DEMO_SCALE: DemoScale = { seed: 7, assets: 24, events: 600 };

const BOUNDS: Readonly<Record<keyof DemoScale, readonly [number, number]>> = {
  seed: [0, 999_999],
  assets: [8, 240],
  events: [1, 20_000],
};

const readNumber = (name: keyof DemoScale, text: string): number => {
  const [min, max] = BOUNDS[name];
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`--${name} is ${JSON.stringify(text)}; it must be a whole number from ${min} to ${max}`);
};

/** Reads the options of the command. @throws Error that names the option that is out of its bounds. */
export const readDemoScale = (options: Readonly<Record<keyof DemoScale, string>>): DemoScale => ({
  seed: readNumber('seed', options.seed),
  assets: readNumber('assets', options.assets),
  events: readNumber('events', options.events),
});

/** The numbers of assets of each type, together `assets`: half are containers, a third gauges, a sixth doors. */
export const countAssets = (assets: number): { containers: number; gauges: number; doors: number } => {
  const [gauges, doors] = [Math.round(assets / 3), Math.round(assets / 6)];
  return { containers: assets - gauges - doors, gauges, doors };
};

/** The name of a set of data: the value of the attribute `demo` of its assets, and part of its idempotency keys. */
export const toDemoName = ({ seed, assets, events }: DemoScale): string => `${seed}-${assets}-${events}`;
