// The plan of a fire door: an inspection finds that it closes too slowly, and a technician repairs it.
import { type AssetPlanInput, type PlannedAsset, type PlannedEvent, type Texts, toActor } from './plan.ts';
import { PORTS } from './ports.ts';

/** The display type of doors. */
export const DOOR_TYPE = 'Fire door';
/** Types of the events that report and end a fault. */
export const FAULT_TYPES = { opened: 'Fault', closed: 'Repair' } as const;

const FIRST_HOURS_AGO = 12 * 24;
const inspector = toActor('inspector', 'fire-inspector-3', 'Tomas Reyes');
const technician = toActor('port', 'technician-17', 'Ida Holm');

const toInspection = (hoursAgo: number, seconds: number): PlannedEvent => ({
  author: 'inspector',
  actor: inspector,
  hoursAgo,
  type: 'Inspection',
  description: `Closes in ${seconds.toFixed(0)} s, limit 5 s`,
  eventAttributes: { closing_seconds: seconds.toFixed(0) },
  assetAttributes: { inspection: seconds > 5 ? 'failed' : 'passed' },
});

/** A test of a door by its technician. */
export const toDoorTest = (hoursAgo: number, seconds: number): PlannedEvent => ({
  author: 'port',
  actor: technician,
  hoursAgo,
  type: 'Door test',
  description: `Closes in ${seconds.toFixed(1)} s`,
  eventAttributes: { closing_seconds: seconds.toFixed(1) },
  assetAttributes: {},
});

const toWork = (
  type: string,
  given: { fault: string; hoursAgo: number; description: string; state: Texts },
): PlannedEvent => ({
  author: 'port',
  actor: technician,
  hoursAgo: given.hoursAgo,
  type,
  description: given.description,
  eventAttributes: { arc_correlation_id: given.fault },
  assetAttributes: given.state,
});

const toMaintenance = (index: number, hoursAgo: number): PlannedEvent[] => {
  const fault = `fault-${index}-1`;
  return [
    toInspection(hoursAgo, 9),
    toWork(FAULT_TYPES.opened, { fault, hoursAgo: hoursAgo - 1, description: 'Closer leaks', state: {} }),
    toWork(FAULT_TYPES.closed, {
      fault,
      hoursAgo: hoursAgo - 3,
      description: 'Closer adjusted, seal replaced',
      state: { inspection: 'passed' },
    }),
  ];
};

/** Plans a door. That with the index 0 has a fault that nobody repairs. */
export const planDoor = ({ draws, index, extraEvents }: AssetPlanInput): PlannedAsset => {
  const home = PORTS[draws.index(`door ${index} home`, PORTS.length)]!;
  const tests = Array.from({ length: extraEvents }, (_, test) => {
    const hoursAgo = ((FIRST_HOURS_AGO - 24) * (extraEvents - test)) / (extraEvents + 1);
    return toDoorTest(hoursAgo, draws.between(`door ${index} test ${test}`, 3, 5));
  });
  const last = { fault: `fault-${index}-2`, hoursAgo: 2, description: 'Hinge is loose', state: {} };
  const unrepaired = index === 0 ? [toWork(FAULT_TYPES.opened, last)] : [];
  return {
    name: `door-${index}`,
    author: 'port',
    isPublic: false,
    behaviours: ['RecordEvidence'],
    attributes: {
      arc_display_name: `Door ${index + 1}, port of ${home.name}`,
      arc_display_type: DOOR_TYPE,
      arc_description: `Fire door of the cold store at the port of ${home.name}`,
      inspection: 'due',
    },
    home,
    events: [...toMaintenance(index, FIRST_HOURS_AGO), ...tests, ...unrepaired].sort((a, b) => b.hoursAgo - a.hoursAgo),
  };
};
