// The fields of a policy, as its type needs them.
import { OPERATORS } from '../text/policyConditions.ts';
import type { PolicyFormEntries } from '../text/policyEntries.ts';
import { JUDGED_BY, PERIOD_UNITS, type PolicyField } from '../text/policyTypes.ts';
import { ConditionRows, type ConditionWording } from './conditionRows.tsx';
import { NumberField, SelectField, TextField } from './fields.tsx';

const ASSERTIONS: ConditionWording = {
  title: 'What must hold',
  hint: 'Numbers are compared as numbers, other values as text.',
  subject: 'Attribute',
  none: 'A policy of this type needs a condition.',
  names: [],
  operators: OPERATORS.richness_assertions,
};

interface PolicyFieldsProps {
  readonly entries: PolicyFormEntries;
  readonly change: (changes: Partial<PolicyFormEntries>) => void;
}

const Period = ({
  name,
  label,
  entries,
  change,
}: PolicyFieldsProps & { name: 'time_period_seconds' | 'dynamic_window'; label: string }) => (
  <div class="pair">
    <NumberField
      name={name}
      label={label}
      isRequired
      value={entries[name]}
      onValue={(entered) => change({ [name]: entered })}
    />
    <SelectField
      name="unit"
      label="Unit"
      value={entries.unit}
      onValue={(unit) => change({ unit })}
      choices={PERIOD_UNITS}
    />
  </div>
);

const FIELDS: Readonly<Record<PolicyField, (props: PolicyFieldsProps) => preact.JSX.Element>> = {
  event_display_type: ({ entries, change }) => (
    <TextField
      name="event_display_type"
      label="Type of event"
      hint="Its arc_display_type, exactly: Inspection or Fault, for example."
      isRequired
      value={entries.event_display_type}
      onValue={(event_display_type) => change({ event_display_type })}
    />
  ),
  closing_event_display_type: ({ entries, change }) => (
    <TextField
      name="closing_event_display_type"
      label="Type of the event that closes it"
      hint="It has the same correlation id: Repair, for example."
      isRequired
      value={entries.closing_event_display_type}
      onValue={(closing_event_display_type) => change({ closing_event_display_type })}
    />
  ),
  time_period_seconds: (props) => <Period {...props} name="time_period_seconds" label="Period" />,
  dynamic_window: (props) => <Period {...props} name="dynamic_window" label="Window" />,
  dynamic_variability: ({ entries, change }) => (
    <NumberField
      name="dynamic_variability"
      label="Standard deviations"
      hint="How far a duration may be from the mean."
      isRequired
      value={entries.dynamic_variability}
      onValue={(dynamic_variability) => change({ dynamic_variability })}
    />
  ),
  judged_by: ({ entries, change }) => (
    <SelectField
      name="judged_by"
      label="Judged by"
      value={entries.judged_by}
      onValue={(judged_by) => change({ judged_by })}
      choices={Object.entries(JUDGED_BY)}
    />
  ),
  richness_assertions: ({ entries, change }) => (
    <ConditionRows
      field="richness_assertions"
      wording={ASSERTIONS}
      lists={entries.richness_assertions}
      onLists={(richness_assertions) => change({ richness_assertions })}
    />
  ),
};

/** The fields that a type needs. */
export const PolicyFields = ({ fields, ...props }: PolicyFieldsProps & { fields: readonly PolicyField[] }) => (
  <>
    {fields.map((field) => {
      const Field = FIELDS[field];
      return <Field key={field} {...props} />;
    })}
  </>
);
