// The form with which a list is filtered, and the filters that are set. The address keeps them; they are exact, as the
// interface's are.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAddress } from '../state/address.ts';
import { COMMON_NAMES } from '../text/conditions.ts';
import {
  type AttributeTest,
  fromFormTime,
  listFilters,
  toAttributeFilter,
  toFilterText,
  toFormTime,
} from '../text/filters.ts';

/** A field of the form. */
export interface FilterField {
  /** The parameter. */
  readonly name: string;
  readonly title: string;
  /** What can be chosen, each with its title; the first one is empty: any. */
  readonly values?: readonly (readonly [value: string, title: string])[];
  readonly isTime?: boolean;
  readonly suggestions?: readonly string[];
}

/** Fields that belong together. */
export interface FilterGroup {
  readonly title: string;
  readonly fields: readonly FilterField[];
}

/** Attributes that may be filtered by: what their parameters begin with, and a title. */
export type AttributeMaps = readonly (readonly [map: string, title: string])[];

interface FilterFormProps {
  /** What most readers filter by. */
  readonly simple: readonly FilterField[];
  readonly more: readonly FilterGroup[];
  readonly maps: AttributeMaps;
  /** Titles of parameters that are no field. */
  readonly others?: readonly (readonly [name: string, title: string])[];
  /** Filters to choose with one click. */
  readonly children?: ComponentChildren;
}

type Changes = Record<string, string | undefined>;

const TESTS: readonly (readonly [AttributeTest, string])[] = [
  ['equal', 'is exactly'],
  ['different', 'is not'],
  ['present', 'is present'],
  ['absent', 'is absent or empty'],
];
/** Names of the fields about an attribute, which are no parameters. */
const MAP = ':map';
const NAME = ':name';
const TEST = ':test';
const VALUE = ':value';
const SUGGESTED = [...COMMON_NAMES, 'arc_description', 'arc_correlation_value'];

const readText = (data: FormData, name: string): string => String(data.get(name) ?? '').trim();

const readAttribute = (data: FormData): Changes => {
  const [name, value] = [readText(data, NAME), readText(data, VALUE)];
  const test = readText(data, TEST) as AttributeTest;
  if (name === '' || (value === '' && (test === 'equal' || test === 'different'))) return {};
  return Object.fromEntries([toAttributeFilter(readText(data, MAP), name, test, value)]);
};

const readForm = (data: FormData, fields: readonly FilterField[], parameters: URLSearchParams): Changes => {
  const read = ({ name, isTime }: FilterField): [string, string] => {
    const text = readText(data, name);
    return [name, isTime ? fromFormTime(text, parameters.get(name) ?? '') : text];
  };
  return { ...Object.fromEntries(fields.map(read)), ...readAttribute(data), page_token: undefined };
};

const Options = ({ values, chosen }: { values: readonly (readonly [string, string])[]; chosen: string }) => (
  <>
    {values.map(([value, title]) => (
      <option key={value} value={value} selected={value === chosen}>
        {title}
      </option>
    ))}
  </>
);

const Suggestions = ({ id, texts }: { id: string; texts: readonly string[] }) => (
  <datalist id={id}>
    {texts.map((text) => (
      <option key={text} value={text} />
    ))}
  </datalist>
);

const Control = ({ field, value }: { field: FilterField; value: string }) => {
  const { name, values, isTime, suggestions } = field;
  if (values !== undefined)
    return (
      <select id={name} name={name}>
        <Options values={values} chosen={value} />
      </select>
    );
  if (isTime) return <input id={name} type="datetime-local" step="1" name={name} defaultValue={toFormTime(value)} />;
  const list = suggestions === undefined ? {} : { list: `${name}-values` };
  return (
    <>
      <input id={name} name={name} defaultValue={value} maxLength={4096} autocomplete="off" dir="auto" {...list} />
      {suggestions === undefined ? null : <Suggestions id={`${name}-values`} texts={suggestions} />}
    </>
  );
};

const Field = ({ field, value }: { field: FilterField; value: string }) => (
  <label htmlFor={field.name}>
    {field.title}
    <Control field={field} value={value} />
  </label>
);

const AttributeFields = ({ maps }: { maps: AttributeMaps }) => (
  <fieldset>
    <legend>An attribute</legend>
    {maps.length === 1 ? (
      <input type="hidden" name={MAP} value={maps[0]![0]} />
    ) : (
      <label>
        Where
        <select name={MAP}>
          <Options values={maps} chosen="" />
        </select>
      </label>
    )}
    <label>
      Name
      <input name={NAME} list="attribute-names" maxLength={1024} autocomplete="off" dir="auto" />
      <Suggestions id="attribute-names" texts={SUGGESTED} />
    </label>
    <label>
      Condition
      <select name={TEST}>
        <Options values={TESTS} chosen="equal" />
      </select>
    </label>
    <label>
      Value
      <input name={VALUE} maxLength={4096} autocomplete="off" dir="auto" />
    </label>
  </fieldset>
);

const Chips = ({ titles }: { titles: ReadonlyMap<string, string> }) => {
  const { parameters, toLink } = useAddress();
  const set = listFilters(parameters);
  if (set.length === 0) return null;
  const none = Object.fromEntries(set.map(([name]) => [name, undefined]));
  return (
    <ul class="chips" aria-label="Filters that are set">
      {set.map(([name, value]) => (
        <li key={name}>
          <a href={toLink({ [name]: undefined, page_token: undefined })} title="Remove this filter" dir="auto">
            {toFilterText(name, value, titles)} <span aria-hidden="true">✕</span>
          </a>
        </li>
      ))}
      {set.length < 2 ? null : (
        <li>
          <a href={toLink({ ...none, page_token: undefined })}>Remove all filters</a>
        </li>
      )}
    </ul>
  );
};

/** The form, and the filters that are set, each with a link that removes it. */
export const FilterForm = ({ simple, more, maps, others = [], children }: FilterFormProps) => {
  const { parameters, change } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const hidden = more.flatMap(({ fields }) => fields);
  const fields = [...simple, ...hidden];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change(readForm(new FormData(event.currentTarget as HTMLFormElement), fields, parameters));
  };
  const titles = new Map([...fields.map(({ name, title }) => [name, title] as const), ...others]);
  const toField = (field: FilterField) => (
    <Field key={field.name} field={field} value={parameters.get(field.name) ?? ''} />
  );
  return (
    <>
      <form class="filters" key={parameters.toString()} onSubmit={submit}>
        {simple.map(toField)}
        <button type="submit">Filter</button>
        {children}
        {maps.length === 0 && more.length === 0 ? null : (
          <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>More filters</summary>
            <AttributeFields maps={maps} />
            {more.map((group) => (
              <fieldset key={group.title}>
                <legend>{group.title}</legend>
                {group.fields.map(toField)}
              </fieldset>
            ))}
          </details>
        )}
      </form>
      <Chips titles={titles} />
    </>
  );
};
