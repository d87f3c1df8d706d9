// The fields of an event.
import { BEHAVIOURS, type Operation } from '../text/behaviours.ts';
import type { EventFormEntries } from '../text/eventEntries.ts';
import { NumberField, SelectField, TextAreaField, TextField } from './fields.tsx';
import { LocationChoice } from './locationChoice.tsx';

interface EventFieldsProps {
  readonly entries: EventFormEntries;
  readonly change: (changes: Partial<EventFormEntries>) => void;
  readonly operation: Operation;
}

/** What the operation needs besides a description. */
export const NeededField = ({ entries, change, operation: { needs } }: EventFieldsProps) => {
  if (needs === 'firmware')
    return (
      <TextField
        name="asset_attributes/arc_firmware_version"
        label="Version of the firmware"
        isRequired
        value={entries.firmware}
        onValue={(firmware) => change({ firmware })}
      />
    );
  if (needs === 'location')
    return (
      <LocationChoice
        name="asset_attributes/arc_home_location_identity"
        label="New home location"
        isRequired
        value={entries.location}
        onValue={(location) => change({ location })}
      />
    );
  return needs === 'behaviour' ? (
    <SelectField
      name="event_attributes/arc_behaviour_name"
      label="Behaviour"
      isRequired
      value={entries.behaviour}
      onValue={(behaviour) => change({ behaviour })}
      choices={[['', 'choose one'], ...BEHAVIOURS.map(([name]) => [name, name] as const)]}
    />
  ) : null;
};

/** What happened. */
export const EventTexts = ({ entries, change, operation }: EventFieldsProps) => (
  <>
    <TextField
      name="event_attributes/arc_display_type"
      label="Type"
      hint="Policies select events by it: Inspection, for example."
      value={entries.type}
      onValue={(type) => change({ type })}
    />
    <TextAreaField
      name="event_attributes/arc_description"
      label="Description"
      isRequired={operation.isDescribed === true}
      value={entries.description}
      onValue={(description) => change({ description })}
    />
    <NeededField entries={entries} change={change} operation={operation} />
    <TextField
      name="event_attributes/arc_correlation_id"
      label="Correlation id"
      hint="The same text in two events joins them: a fault and its repair, for a policy."
      value={entries.correlation}
      onValue={(correlation) => change({ correlation })}
    />
  </>
);

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Where and when it happened. */
export const EventPlace = ({ entries, change }: Omit<EventFieldsProps, 'operation'>) => (
  <fieldset>
    <legend>Where and when</legend>
    <div class="pair">
      <NumberField
        name="event_attributes/arc_gis_lat"
        label="Latitude"
        hint="Degrees from -90 to 90."
        value={entries.latitude}
        onValue={(latitude) => change({ latitude })}
      />
      <NumberField
        name="event_attributes/arc_gis_lng"
        label="Longitude"
        hint="Degrees from -180 to 180."
        value={entries.longitude}
        onValue={(longitude) => change({ longitude })}
      />
    </div>
    <TextField
      type="datetime-local"
      name="timestamp_declared"
      label="Time"
      hint={`When it happened, if not now: local time (${zone}). The server adds when it accepted the event, which policies use.`}
      value={entries.declaredAt}
      onValue={(declaredAt) => change({ declaredAt })}
    />
  </fieldset>
);
