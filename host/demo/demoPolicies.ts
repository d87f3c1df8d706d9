// One compliance policy of each type, for the demo's assets alone.
import type { DemoApi } from './demoApi.ts';
import { CONTAINER_TYPE } from './planContainer.ts';
import { DOOR_TYPE, FAULT_TYPES } from './planDoor.ts';
import { CHECK_TYPE, GAUGE_TYPE } from './planGauge.ts';
import { LIFT_TYPES, SEAL_TYPES } from './portCalls.ts';
import { TEMPERATURE_MAX } from './readings.ts';

/** A fault that nobody repairs for this many seconds fails its policy. */
export const REPAIR_SECONDS = 5;
/** A gauge in continuous duty that nobody checks for this many seconds fails its policy. */
export const CHECK_SECONDS = 120;

const WINDOW_SECONDS = 86_400;

type Policy = Readonly<Record<string, unknown>>;

const toPolicies = (demo: string): readonly Policy[] => {
  const toFilter = (...conditions: string[]): { or: string[] }[] =>
    [`attributes.demo:${demo}`, ...conditions].map((condition) => ({ or: [condition] }));
  const containers = toFilter(`attributes.arc_display_type:${CONTAINER_TYPE}`);
  return [
    {
      compliance_type: 'COMPLIANCE_RICHNESS',
      display_name: 'Cold enough',
      description: `A container has at most ${TEMPERATURE_MAX} degrees Celsius`,
      asset_filter: containers,
      richness_assertions: [{ or: [`temperature<=${TEMPERATURE_MAX}`] }],
    },
    {
      compliance_type: 'COMPLIANCE_CURRENT_OUTSTANDING',
      display_name: 'No seal is open',
      description: 'A seal that was opened is closed again',
      asset_filter: containers,
      event_display_type: SEAL_TYPES.opened,
      closing_event_display_type: SEAL_TYPES.closed,
    },
    {
      compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE',
      display_name: 'Lifts take as long as usual',
      description: 'No lift of a day differs from the others of its container by more than 1.5 standard deviations',
      asset_filter: containers,
      event_display_type: LIFT_TYPES.started,
      closing_event_display_type: LIFT_TYPES.finished,
      dynamic_window: WINDOW_SECONDS,
      dynamic_variability: 1.5,
    },
    {
      compliance_type: 'COMPLIANCE_PERIOD_OUTSTANDING',
      display_name: 'Faults are repaired in time',
      description: `A fault of a door is repaired within ${REPAIR_SECONDS} s`,
      asset_filter: toFilter(`attributes.arc_display_type:${DOOR_TYPE}`),
      event_display_type: FAULT_TYPES.opened,
      closing_event_display_type: FAULT_TYPES.closed,
      time_period_seconds: REPAIR_SECONDS,
    },
    {
      compliance_type: 'COMPLIANCE_SINCE',
      display_name: 'Gauges are checked',
      description: `A gauge in continuous duty is checked every ${CHECK_SECONDS} s`,
      asset_filter: toFilter(`attributes.arc_display_type:${GAUGE_TYPE}`, 'attributes.duty:continuous'),
      event_display_type: CHECK_TYPE,
      time_period_seconds: CHECK_SECONDS,
    },
  ];
};

/** Creates the policies once for each name of a demo, and resolves with their names by identity. */
export const createDemoPolicies = async (root: DemoApi, demo: string): Promise<Map<string, string>> => {
  const names = new Map<string, string>();
  for (const policy of toPolicies(demo)) {
    const key = `demo-${demo}-${String(policy.compliance_type)}`;
    const created = await root.post<{ identity: string; display_name: string }>('/v1/compliance_policies', policy, key);
    names.set(created.identity, created.display_name);
  }
  return names;
};
