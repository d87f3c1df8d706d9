// The filters of the list of assets. They are exact, as the interface's are.
import { useState } from 'preact/hooks';
import { useAddress } from '../state/address.ts';

/** What the name of a parameter that filters by an attribute begins with. */
export const FILTER_PREFIX = 'attributes.';

const COMMON = ['arc_display_name', 'arc_display_type', 'arc_serial_number', 'arc_home_location_identity'];

const AddFilter = () => {
  const { change } = useAddress();
  const [name, setName] = useState('arc_display_type');
  const [value, setValue] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (name.trim() === '' || value === '') return;
    change({ [`${FILTER_PREFIX}${name.trim()}`]: value, page_token: undefined });
    setValue('');
  };
  return (
    <form class="inline" onSubmit={submit}>
      <label>
        Attribute
        <input list="attributes" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <datalist id="attributes">
        {COMMON.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <label>
        is exactly
        <input value={value} placeholder="* for any" onInput={({ currentTarget }) => setValue(currentTarget.value)} />
      </label>
      <button type="submit">Filter</button>
    </form>
  );
};

const Choice = ({ name, title, values }: { name: string; title: string; values: readonly (readonly string[])[] }) => {
  const { parameters, change } = useAddress();
  return (
    <label>
      {title}
      <select
        value={parameters.get(name) ?? ''}
        onChange={({ currentTarget }) => change({ [name]: currentTarget.value, page_token: undefined })}
      >
        {values.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
};

const PRIVACY = [
  ['', 'public and others'],
  ['PUBLIC', 'public'],
  ['RESTRICTED', 'not public'],
];
const ORDERS = [
  ['', 'newest first'],
  ['SIMPLEHASHV2', 'oldest first'],
];

/** The filters that are set, each with a link that removes it, and the form that adds one. */
export const AssetFilterForm = () => {
  const { parameters, toLink } = useAddress();
  const set = [...parameters].filter(([name]) => name.startsWith(FILTER_PREFIX));
  return (
    <div class="filters">
      <AddFilter />
      <Choice name="privacy" title="Kind" values={PRIVACY} />
      <Choice name="order_by" title="Order" values={ORDERS} />
      <ul class="chips">
        {set.map(([name, value]) => (
          <li key={name}>
            <a href={toLink({ [name]: undefined, page_token: undefined })} title="Remove this filter">
              {name.slice(FILTER_PREFIX.length)} = {value} <span aria-hidden="true">✕</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
};
