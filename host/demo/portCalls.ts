// What happens to a container in a port: its seal is fitted, opened and closed, and cranes lift it.
import { type PlannedEvent, toActor } from './plan.ts';

/** The events that an officer records at a seal. */
interface SealPlan {
  readonly seal: string;
  readonly hoursAgo: number;
  /** Whether the seal is fitted then. */
  readonly isFirst: boolean;
  readonly isOpened: boolean;
  readonly isClosed: boolean;
}

/** Types of the events that open and close a seal. */
export const SEAL_TYPES = { opened: 'Seal opened', closed: 'Seal closed' } as const;
/** Types of the events that begin and end a lift. */
export const LIFT_TYPES = { started: 'Lift started', finished: 'Lift finished' } as const;

const MINUTE = 1 / 60;
const terminalWorker = toActor('port', 'terminal-worker-12', 'Joon Park');
const customsOfficer = toActor('inspector', 'customs-officer-31', 'Amara Okafor');
const craneDriver = toActor('port', 'crane-driver-2', 'Lea Fuchs');

/** The events at a seal, one hour apart. */
export const toSealEvents = ({ seal, hoursAgo, isFirst, isOpened, isClosed }: SealPlan): PlannedEvent[] => {
  const attributes = { component: 'seal', seal_number: seal, arc_correlation_id: seal };
  const toEvent = (type: string, after: number, description: string, state: string): PlannedEvent => ({
    author: type === 'Seal fitted' ? 'port' : 'inspector',
    actor: type === 'Seal fitted' ? terminalWorker : customsOfficer,
    hoursAgo: hoursAgo - after,
    type,
    description,
    eventAttributes: attributes,
    assetAttributes: { seal_number: seal, seal: state },
  });
  return [
    ...(isFirst ? [toEvent('Seal fitted', 0, 'Fitted to the locking bar', 'closed')] : []),
    ...(isOpened ? [toEvent(SEAL_TYPES.opened, 1, 'Opened for a customs inspection', 'open')] : []),
    ...(isOpened && isClosed ? [toEvent(SEAL_TYPES.closed, 2, 'Closed after the inspection', 'closed')] : []),
  ];
};

/** Pairs of events of lifts, 20 minutes apart. */
export const toLiftEvents = (plan: { name: string; hoursAgo: number; count: number }): PlannedEvent[] => {
  const toEvent = (type: string, lift: number, after: number): PlannedEvent => ({
    author: 'port',
    actor: craneDriver,
    hoursAgo: plan.hoursAgo - lift * 20 * MINUTE - after * MINUTE,
    type,
    description: `${type}, crane 2`,
    eventAttributes: { arc_correlation_id: `${plan.name}-${lift}` },
    assetAttributes: {},
  });
  return Array.from({ length: plan.count }, (_, lift) => [
    toEvent(LIFT_TYPES.started, lift, 0),
    toEvent(LIFT_TYPES.finished, lift, 4),
  ]).flat();
};
