// The plan of a refrigerated container: it is sealed, lifted aboard, reports on its way, and may arrive.
import { toContainerNumber } from './containerNumber.ts';
import type { Draws } from './draws.ts';
import {
  type AssetPlanInput,
  type Journey,
  type PlannedAsset,
  type PlannedEvent,
  type Texts,
  toActor,
} from './plan.ts';
import { toLiftEvents, toSealEvents } from './portCalls.ts';
import { ROUTES, type SeaPort } from './ports.ts';
import { type ReadingPlan, toReadingEvents } from './readings.ts';

/** The display type of containers. */
export const CONTAINER_TYPE = 'Refrigerated container';

const OWNER = 'PVL';
const BEHAVIOURS = ['Attachments', 'LocationUpdate', 'RecordEvidence'];
const CARGOES = ['Frozen fish', 'Frozen beef', 'Frozen berries', 'Frozen poultry'];
const READINGS_MIN = 4;
const HOURS = 24;

/** What is particular about a container. */
interface ContainerRole {
  /** Its last readings are too warm. */
  readonly isWarm: boolean;
  /** One of its readings is too warm, and the next one isn't. */
  readonly isRecovered: boolean;
  /** Its seal was opened and not closed again. */
  readonly isOpen: boolean;
  /** One of its lifts takes much longer than the others. */
  readonly isSlow: boolean;
}

const toRole = (index: number): ContainerRole => ({
  isWarm: index === 0,
  isRecovered: index % 4 === 1,
  isOpen: index === 2,
  isSlow: index === 3,
});

const portOfficer = toActor('port', 'gate-officer-4', 'Marta Silva');

const toMove = (type: string, place: SeaPort, hoursAgo: number, state: Texts): PlannedEvent => ({
  author: 'port',
  actor: portOfficer,
  hoursAgo,
  type,
  description: `${type} at ${place.name}`,
  eventAttributes: { port: place.code },
  assetAttributes: state,
});

const planJourney = (draws: Draws, index: number): Journey => {
  const isArrived = index % 2 === 0 || index === 3;
  return {
    route: ROUTES[index % ROUTES.length]!,
    departureHoursAgo: draws.between(`container ${index} departure`, 10 * HOURS, 13 * HOURS),
    arrivalHoursAgo: isArrived
      ? draws.between(`container ${index} arrival`, HOURS, 2 * HOURS)
      : -draws.between(`container ${index} arrival`, HOURS, 4 * HOURS),
  };
};

const toDeparture = (input: AssetPlanInput, journey: Journey, seal: string): PlannedEvent[] => {
  const { departureHoursAgo: hoursAgo, route } = journey;
  const isCheckedHere = journey.arrivalHoursAgo < 0;
  return [
    ...toSealEvents({ seal, hoursAgo: hoursAgo + 20, isFirst: true, isOpened: isCheckedHere, isClosed: true }),
    ...toLiftEvents({ name: `container-${input.index}-departure`, hoursAgo: hoursAgo + 6, count: 1 }),
    toMove('Departure', route[0]!, hoursAgo, { journey: 'under way' }),
  ];
};

const toArrival = (input: AssetPlanInput, journey: Journey, seal: string, role: ContainerRole): PlannedEvent[] => {
  const { arrivalHoursAgo: hoursAgo, route } = journey;
  if (hoursAgo < 0) return [];
  const place = route.at(-1)!;
  return [
    { ...toMove('Arrival', place, hoursAgo, { journey: 'arrived' }), home: place },
    ...toLiftEvents({ name: `container-${input.index}-arrival`, hoursAgo: hoursAgo - 3, count: role.isSlow ? 5 : 1 }),
    ...toSealEvents({ seal, hoursAgo: hoursAgo - 9, isFirst: false, isOpened: true, isClosed: !role.isOpen }),
  ];
};

// The lift begins before the last readings and ends after everything else.
const toSlowLift = (input: AssetPlanInput, { arrivalHoursAgo }: Journey): PlannedEvent[] => {
  const name = `container-${input.index}-slow`;
  const [started, finished] = toLiftEvents({ name, hoursAgo: arrivalHoursAgo - 12, count: 1 });
  return [started!, { ...finished!, hoursAgo: 0, isLate: true }];
};

const toAttributes = ({ draws, index }: AssetPlanInput, number: string, route: readonly SeaPort[]): Texts => ({
  arc_display_name: number,
  arc_display_type: CONTAINER_TYPE,
  arc_serial_number: number,
  arc_description: `40 ft container, ${route.map(({ name }) => name).join(' to ')}`,
  size_type: '45R1',
  cargo: CARGOES[draws.index(`container ${index} cargo`, CARGOES.length)]!,
  set_point: '-18.0',
  temperature: '-18.0',
});

/** Plans a container. Which role it has depends on its index: 0 is warm, 2 open, 3 slow, and 1, 5, 9 recovered. */
export const planContainer = (input: AssetPlanInput): PlannedAsset => {
  const { draws, index, extraEvents } = input;
  const role = toRole(index);
  const journey = planJourney(draws, index);
  const number = toContainerNumber(OWNER, draws.index(`container ${index} block`, 1_300) * 720 + index * 3);
  const seal = `S${100_000 + draws.index(`container ${index} seal`, 900_000)}`;
  const readings: ReadingPlan = { ...journey, ...role, draws, index, number, count: READINGS_MIN + extraEvents };
  const events = [
    ...toDeparture(input, journey, seal),
    ...toReadingEvents(readings),
    ...toArrival(input, journey, seal, role),
    ...(role.isSlow ? toSlowLift(input, journey) : []),
  ];
  return {
    name: `container-${index}`,
    author: 'carrier',
    isPublic: index === 1,
    behaviours: BEHAVIOURS,
    attributes: toAttributes(input, number, journey.route),
    home: journey.route[0]!,
    events: events.sort((a, b) => b.hoursAgo - a.hoursAgo),
    journey,
  };
};
