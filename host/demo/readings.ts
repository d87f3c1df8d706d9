// The readings of a container's tracker: temperature and position.
import type { Draws } from './draws.ts';
import { interpolateRoute } from './greatCircle.ts';
import { type PlannedEvent, type Texts, toActor } from './plan.ts';
import type { SeaPort } from './ports.ts';

/** When and where a container reports, and what. */
export interface ReadingPlan {
  readonly draws: Draws;
  readonly index: number;
  readonly number: string;
  readonly count: number;
  readonly route: readonly SeaPort[];
  readonly departureHoursAgo: number;
  readonly arrivalHoursAgo: number;
  readonly isWarm: boolean;
  readonly isRecovered: boolean;
}

/** Temperatures above this one, in degrees Celsius, are too warm. */
export const TEMPERATURE_MAX = -15;
/** The display type of readings. */
export const READING_TYPE = 'Reading';

const LAST_HOURS_AGO = 0.5;
const inspector = toActor('inspector', 'cold-chain-inspector-8', 'Nils Berg');

/** Where a container is at a fraction of its route, as attributes: degrees with four digits. */
export const toPositionTexts = (route: readonly SeaPort[], fraction: number): Texts => {
  const { latitude, longitude } = interpolateRoute(route, Math.min(1, fraction));
  return { arc_gis_lat: latitude.toFixed(4), arc_gis_lng: longitude.toFixed(4) };
};

const toTemperature = ({ draws, index, count, isWarm, isRecovered }: ReadingPlan, reading: number): number => {
  const name = `container ${index} temperature ${reading}`;
  const isExcursion = (isWarm && reading >= count - 2) || (isRecovered && reading === Math.floor(count / 2));
  return isExcursion ? draws.between(name, -11.9, -8) : draws.between(name, -19.4, -16.6);
};

/** A reading of a container's tracker. */
export const toReading = (given: {
  number: string;
  hoursAgo: number;
  position: Texts;
  temperature: number;
}): PlannedEvent => {
  const measured = { temperature: given.temperature.toFixed(1), ...given.position };
  return {
    author: 'carrier',
    actor: toActor('carrier', `tracker-${given.number}`, `Tracker of ${given.number}`),
    hoursAgo: given.hoursAgo,
    type: READING_TYPE,
    description: `${measured.temperature} °C`,
    eventAttributes: measured,
    assetAttributes: measured,
  };
};

const toInspection = (hoursAgo: number): PlannedEvent => ({
  author: 'inspector',
  actor: inspector,
  hoursAgo,
  type: 'Temperature inspection',
  description: 'Refrigeration unit restarted, cargo unharmed',
  eventAttributes: { component: 'refrigeration unit' },
  assetAttributes: {},
});

/** The readings between departure and now, in equal intervals, and the inspection of an excursion that ended. */
export const toReadingEvents = (plan: ReadingPlan): PlannedEvent[] => {
  const { count, departureHoursAgo, arrivalHoursAgo } = plan;
  const intervalHours = (departureHoursAgo - LAST_HOURS_AGO) / count;
  const readings = Array.from({ length: count }, (_, reading): PlannedEvent => {
    const hoursAgo = departureHoursAgo - (reading + 1) * intervalHours;
    const position = toPositionTexts(
      plan.route,
      (departureHoursAgo - hoursAgo) / (departureHoursAgo - arrivalHoursAgo),
    );
    const event = toReading({ ...plan, hoursAgo, position, temperature: toTemperature(plan, reading) });
    return plan.isWarm && reading === count - 1 ? { ...event, isForged: true } : event;
  });
  if (!plan.isRecovered) return readings;
  const excursion = readings[Math.floor(count / 2)]!;
  return [...readings, toInspection(excursion.hoursAgo - intervalHours / 2)];
};
