// Conditions row by row: all groups must be met, each by at least one of its rows.
import {
  type ConditionField,
  EMPTY_ROW,
  hasValue,
  OPERATORS,
  type PolicyCondition,
  type PolicyConditionLists,
} from '../text/policyConditions.ts';
import { SelectField, TextField } from './fields.tsx';

interface PolicyConditionsProps {
  readonly field: ConditionField;
  readonly title: string;
  readonly hint: string;
  readonly lists: PolicyConditionLists;
  readonly onLists: (lists: PolicyConditionLists) => void;
}

interface RowProps {
  readonly field: ConditionField;
  /** Position of its group, and in it, in words. */
  readonly place: string;
  readonly path: string;
  readonly row: PolicyCondition;
  readonly onRow: (row: PolicyCondition | undefined) => void;
}

const Row = ({ field, place, path, row, onRow }: RowProps) => (
  <div class="row policy-condition">
    <TextField name={path} label={`Attribute ${place}`} value={row.name} onValue={(name) => onRow({ ...row, name })} />
    <SelectField
      name={`${path}/operator`}
      label={`Condition ${place}`}
      value={row.operator}
      onValue={(operator) => onRow({ ...row, operator })}
      choices={OPERATORS[field]}
    />
    {hasValue(row) ? (
      <TextField
        name={`${path}/value`}
        label={`Value ${place}`}
        value={row.value}
        onValue={(value) => onRow({ ...row, value })}
      />
    ) : (
      <span />
    )}
    <button type="button" aria-label={`Remove line ${place}`} onClick={() => onRow(undefined)}>
      Remove
    </button>
  </div>
);

const replace = <T,>(items: readonly T[], at: number, item: T | undefined): T[] =>
  items.flatMap((each, index) => (index !== at ? [each] : item === undefined ? [] : [item]));

/** The rows, with buttons that add an alternative to a group, or another group. */
export const PolicyConditions = ({ field, title, hint, lists, onLists }: PolicyConditionsProps) => {
  const change = (list: number, rows: readonly PolicyCondition[]): void =>
    onLists(replace(lists, list, rows.length === 0 ? undefined : rows));
  return (
    <fieldset class="rows">
      <legend>{title}</legend>
      <p class="hint">{hint}</p>
      {lists.map((rows, list) => (
        <fieldset key={list}>
          <legend>
            {list === 0 ? '' : 'and '}
            {rows.length === 1 ? 'this holds' : 'one of these holds'}
          </legend>
          {rows.map((row, at) => (
            <Row
              key={at}
              field={field}
              place={`${list + 1}.${at + 1}`}
              path={`${field}/${list}/or/${at}`}
              row={row}
              onRow={(changed) => change(list, replace(rows, at, changed))}
            />
          ))}
          <button type="button" onClick={() => change(list, [...rows, EMPTY_ROW])}>
            Or …
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => onLists([...lists, [EMPTY_ROW]])}>
        {lists.length === 0 ? 'Add a condition' : 'And …'}
      </button>
    </fieldset>
  );
};
