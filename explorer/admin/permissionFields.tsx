// The fields of one permission: for whom it is, and what it lets them read and record.
import { useState } from 'preact/hooks';
import { ConditionRows, type ConditionWording } from '../components/conditionRows.tsx';
import { CheckField, SelectField, TextAreaField } from '../components/fields.tsx';
import { type NameList, type PermissionText, toPermission } from '../text/accessPolicies.ts';
import { BEHAVIOURS } from '../text/behaviours.ts';
import { ALL } from '../text/grants.ts';
import { abbreviate } from '../text/names.ts';
import { PermissionSentence, type SubjectNames } from './grants.tsx';

const CLAIMS: ConditionWording = {
  title: 'Only callers with these claims',
  hint: 'Such as subject, which is an application’s client id, email, or a custom claim. Each value is compared exactly.',
  subject: 'Claim',
  none: 'No claim is demanded.',
  names: ['subject', 'email', 'issuer', 'display_name'],
  operators: [],
};

const LISTS: Readonly<Record<NameList, readonly [label: string, hint: string]>> = {
  asset_attributes_read: ['Attributes of the asset to read', 'One name on each line; * stands for all.'],
  event_arc_display_type_read: ['Types of events to read', 'One display type on each line; * stands for all.'],
  event_arc_display_type_write: [
    'Types of events to record',
    'One display type on each line; * stands for all, and for events without one.',
  ],
  asset_attributes_write: [
    'Attributes of the asset that such an event may set',
    'One name on each line; * stands for all. May be empty.',
  ],
};

const BEHAVIOUR_CHOICES: readonly (readonly [name: string, text: string])[] = [
  ...BEHAVIOURS,
  ['Builtin', 'behaviours that are added and removed, and whether it is tracked'],
  [ALL, 'all behaviours'],
];

interface PermissionFieldsProps {
  readonly at: number;
  readonly text: PermissionText;
  readonly names: SubjectNames;
  readonly onText: (text: PermissionText) => void;
  /** Undefined for the only one. */
  readonly onRemove: (() => void) | undefined;
}

const SubjectChoice = ({ at, text, names, onText }: PermissionFieldsProps) => {
  const [chosen, setChosen] = useState('');
  const toText = (identity: string): string =>
    `${names.get(identity) ?? 'a subject that isn’t there'} (${abbreviate(identity)})`;
  const free = [...names.keys()].filter((identity) => !text.subjects.includes(identity));
  const add = (identity: string): void => {
    setChosen('');
    if (identity !== '') onText({ ...text, subjects: [...text.subjects, identity] });
  };
  return (
    <>
      <SelectField
        name={`access_permissions/${at}/subjects`}
        label="Other organisations"
        hint="Subjects of this tenant. Without one, it is for callers of this tenant that have no role."
        choices={[['', 'Add a subject …'], ...free.map((identity) => [identity, toText(identity)] as const)]}
        value={chosen}
        onValue={add}
      />
      <ul class="chosen">
        {text.subjects.map((identity) => (
          <li key={identity}>
            <bdi>{toText(identity)}</bdi>{' '}
            <button
              type="button"
              class="link"
              onClick={() => onText({ ...text, subjects: text.subjects.filter((each) => each !== identity) })}
            >
              Remove
              <span class="hidden">
                {' '}
                <bdi>{toText(identity)}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
};

const Names = ({ at, list, text, onText }: PermissionFieldsProps & { readonly list: NameList }) => (
  <TextAreaField
    name={`access_permissions/${at}/${list}`}
    label={LISTS[list][0]}
    hint={LISTS[list][1]}
    rows={2}
    value={text[list]}
    onValue={(entered) => onText({ ...text, [list]: entered })}
  />
);

const Behaviours = ({ at, text, onText }: PermissionFieldsProps) => (
  <fieldset>
    <legend>Behaviours of events to record</legend>
    <p class="hint">Recording needs a behaviour and a type.</p>
    {BEHAVIOUR_CHOICES.map(([name, what]) => (
      <CheckField
        key={name}
        name={`access_permissions/${at}/behaviours/${name}`}
        label={name === ALL ? what : `${name}: ${what}`}
        isChecked={text.behaviours.includes(name)}
        onCheck={(isChecked) =>
          onText({
            ...text,
            behaviours: isChecked ? [...text.behaviours, name] : text.behaviours.filter((each) => each !== name),
          })
        }
      />
    ))}
  </fieldset>
);

/** The fields, with what they grant in a sentence. */
export const PermissionFields = (props: PermissionFieldsProps) => {
  const { at, text, names, onText, onRemove } = props;
  return (
    <fieldset>
      <legend>Permission {at + 1}</legend>
      <SubjectChoice {...props} />
      <ConditionRows
        field={`access_permissions/${at}/user_attributes`}
        wording={CLAIMS}
        lists={text.claims}
        onLists={(claims) => onText({ ...text, claims })}
      />
      <Names {...props} list="asset_attributes_read" />
      <Names {...props} list="event_arc_display_type_read" />
      <Behaviours {...props} />
      <Names {...props} list="event_arc_display_type_write" />
      <Names {...props} list="asset_attributes_write" />
      <p class="note sentence">
        <PermissionSentence permission={toPermission(text)} names={names} />
      </p>
      {onRemove === undefined ? null : (
        <p>
          <button type="button" onClick={onRemove}>
            Remove permission {at + 1}
          </button>
        </p>
      )}
    </fieldset>
  );
};
