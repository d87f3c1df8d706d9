// The readings of a container's tracker: temperature and position.
import type { Draws } from './draws.ts';
import { interpolateRoute } from './greatCircle.ts';
import { type Journey, type PlannedEvent, type Texts, toActor } from './plan.ts';

/** When and where a container reports, and what. */
export interface ReadingPlan extends Journey {
  readonly draws: Draws;
  readonly index: number;
  readonly number: string;
  readonly count: number;
  readonly isWarm: boolean;
  readonly isRecovered: boolean;
}

/** Temperatures above this one, in degrees Celsius, are too warm. */
export const TEMPERATURE_MAX = -15;
const READING_TYPE = 'Reading';

const LAST_HOURS_AGO = 0.5;
const inspector = toActor('inspector', 'cold-chain-inspector-8', 'Nils Berg');

/** Where a container is on its way, or in the port where it arrived, as attributes: degrees with four digits. */
export const toPositionTexts = (journey: Journey, hoursAgo: number): Texts => {
  const { route, departureHoursAgo, arrivalHoursAgo } = journey;
  const fraction = (departureHoursAgo - hoursAgo) / (departureHoursAgo - arrivalHoursAgo);
  const { latitude, longitude } = interpolateRoute(route, Math.min(1, fraction));
  return { arc_gis_lat: latitude.toFixed(4), arc_gis_lng: longitude.toFixed(4) };
};

/** Draws a temperature in degrees Celsius, which is too warm or isn't. */
export const drawTemperature = (draws: Draws, name: string, isExcursion: boolean): number =>
  isExcursion ? draws.between(name, -11.9, -8) : draws.between(name, -19.4, -16.6);

const toTemperature = ({ draws, index, count, isWarm, isRecovered }: ReadingPlan, reading: number): number => {
  const isExcursion = (isWarm && reading >= count - 2) || (isRecovered && reading === Math.floor(count / 2));
  return drawTemperature(draws, `container ${index} temperature ${reading}`, isExcursion);
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
  const { count, departureHoursAgo } = plan;
  const intervalHours = (departureHoursAgo - LAST_HOURS_AGO) / count;
  const readings = Array.from({ length: count }, (_, reading): PlannedEvent => {
    const hoursAgo = departureHoursAgo - (reading + 1) * intervalHours;
    const position = toPositionTexts(plan, hoursAgo);
    const event = toReading({ ...plan, hoursAgo, position, temperature: toTemperature(plan, reading) });
    return plan.isWarm && reading === count - 1 ? { ...event, isForged: true } : event;
  });
  if (!plan.isRecovered) return readings;
  const excursion = readings[Math.floor(count / 2)]!;
  return [...readings, toInspection(excursion.hoursAgo - intervalHours / 2)];
};
