// Conditions of which all must be met, each with alternatives.
import { useId } from 'preact/hooks';
import {
  type ConditionLists,
  type ConditionRow,
  EMPTY_CONDITION,
  hasValue,
  type Operators,
} from '../text/conditions.ts';
import { SelectField, TextField } from './fields.tsx';

/** What the conditions are about. */
export interface ConditionWording {
  readonly title: string;
  readonly hint: string;
  /** Name of what is compared: Attribute, say. */
  readonly subject: string;
  /** What it means that there is no condition. */
  readonly none: string;
  /** Suggestions of names. */
  readonly names: readonly string[];
  /** How it may be compared; none: it must be equal. */
  readonly operators: Operators;
}

interface ConditionRowsProps {
  /** The field of the request. */
  readonly field: string;
  readonly wording: ConditionWording;
  readonly lists: ConditionLists;
  readonly onLists: (lists: ConditionLists) => void;
}

interface AlternativeProps {
  readonly name: string;
  /** Its place among all, for people: 1.2 is the second alternative of the first condition. */
  readonly place: string;
  readonly wording: ConditionWording;
  /** Identity of the suggestions. */
  readonly namesId: string;
  readonly row: ConditionRow;
  readonly onRow: (row: ConditionRow) => void;
  readonly onRemove: () => void;
}

const Alternative = ({ name, place, wording, namesId, row, onRow, onRemove }: AlternativeProps) => (
  <div class="row condition">
    <TextField
      name={name}
      label={`${wording.subject} ${place}`}
      list={namesId}
      value={row.name}
      onValue={(entered) => onRow({ ...row, name: entered })}
    />
    {wording.operators.length === 0 ? null : (
      <SelectField
        name={`${name}/operator`}
        label={`Condition ${place}`}
        choices={wording.operators}
        value={row.operator}
        onValue={(operator) => onRow({ ...row, operator })}
      />
    )}
    {hasValue(row) ? (
      <TextField
        name={`${name}/value`}
        label={`Value ${place}`}
        value={row.value}
        onValue={(value) => onRow({ ...row, value })}
      />
    ) : (
      <span />
    )}
    <button type="button" aria-label={`Remove ${place}`} onClick={onRemove}>
      Remove
    </button>
  </div>
);

const replaceAt = <T,>(list: readonly T[], at: number, ...items: readonly T[]): readonly T[] => [
  ...list.slice(0, at),
  ...items,
  ...list.slice(at + 1),
];

/** The rows, with buttons that add and remove them. */
export const ConditionRows = ({ field, wording, lists, onLists }: ConditionRowsProps) => {
  const namesId = useId();
  const change = (at: number, rows: readonly ConditionRow[]): void =>
    onLists(rows.length === 0 ? replaceAt(lists, at) : replaceAt(lists, at, rows));
  return (
    <fieldset class="rows">
      <legend>{wording.title}</legend>
      <p class="hint">{wording.hint}</p>
      {lists.length === 0 ? <p>{wording.none}</p> : null}
      {lists.map((rows, at) => (
        <div class="condition-list" key={at}>
          {at === 0 ? null : <strong>and</strong>}
          {rows.map((row, index) => (
            <div key={index}>
              {index === 0 ? null : 'or'}
              <Alternative
                name={`${field}/${at}/or/${index}`}
                place={`${at + 1}.${index + 1}`}
                wording={wording}
                namesId={namesId}
                row={row}
                onRow={(next) => change(at, replaceAt(rows, index, next))}
                onRemove={() => change(at, replaceAt(rows, index))}
              />
            </div>
          ))}
          <button type="button" onClick={() => change(at, [...rows, EMPTY_CONDITION])}>
            Or … <span class="hidden">alternative to {at + 1}</span>
          </button>
        </div>
      ))}
      <datalist id={namesId}>
        {wording.names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="button" onClick={() => onLists([...lists, [EMPTY_CONDITION]])}>
        {lists.length === 0 ? 'Add a condition' : 'And …'}
      </button>
    </fieldset>
  );
};
