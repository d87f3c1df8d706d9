// The behaviours of assets and their operations, in words.

/** An operation that an event can be, and what it needs. */
export interface Operation {
  readonly behaviour: string;
  readonly operation: string;
  readonly title: string;
  /** Whether the event must have a description. */
  readonly isDescribed?: boolean;
  /** The field that the operation needs besides. */
  readonly needs?: 'files' | 'firmware' | 'location' | 'behaviour';
}

/** Behaviours that a person can choose for a new asset, and what each lets one record. */
export const BEHAVIOURS: readonly (readonly [name: string, text: string])[] = [
  ['RecordEvidence', 'everyday events, with any attributes'],
  ['Attachments', 'files that are appended to the asset’s list'],
  ['Maintenance', 'maintenance that is needed, and that was done'],
  ['Firmware', 'versions of its firmware, and their vulnerabilities'],
  ['LocationUpdate', 'another home location'],
];

/** Behaviours of a new asset unless others are chosen. */
export const USUAL_BEHAVIOURS: readonly string[] = ['RecordEvidence', 'Attachments'];

const OPERATIONS: readonly Operation[] = [
  { behaviour: 'RecordEvidence', operation: 'Record', title: 'Record evidence' },
  { behaviour: 'Attachments', operation: 'Attach', title: 'Append files to the asset', needs: 'files' },
  { behaviour: 'Maintenance', operation: 'Maintenance', title: 'Maintenance was done', isDescribed: true },
  { behaviour: 'Maintenance', operation: 'MaintenanceRequired', title: 'Maintenance is needed', isDescribed: true },
  { behaviour: 'Firmware', operation: 'Update', title: 'Firmware was updated', isDescribed: true, needs: 'firmware' },
  { behaviour: 'Firmware', operation: 'UpdateRequired', title: 'Firmware must be updated', isDescribed: true },
  { behaviour: 'Firmware', operation: 'Vulnerability', title: 'Firmware is vulnerable', isDescribed: true },
  { behaviour: 'LocationUpdate', operation: 'SetHomeLocation', title: 'Set the home location', needs: 'location' },
  { behaviour: 'Builtin', operation: 'StopTracking', title: 'Stop tracking the asset' },
  { behaviour: 'Builtin', operation: 'StartTracking', title: 'Track the asset again' },
  { behaviour: 'Builtin', operation: 'Add', title: 'Add a behaviour', needs: 'behaviour' },
  { behaviour: 'Builtin', operation: 'Remove', title: 'Remove a behaviour', needs: 'behaviour' },
];

/** The operations of an asset with these behaviours, the everyday one first. */
export const listOperations = (behaviours: readonly string[], isTracked: boolean): readonly Operation[] =>
  OPERATIONS.filter(({ behaviour, operation }) => {
    if (operation === 'StartTracking') return !isTracked;
    if (operation === 'StopTracking') return isTracked;
    return behaviours.includes(behaviour);
  });
