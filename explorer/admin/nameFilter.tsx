// Finds records of a list by their name. The address keeps it.
import { useState } from 'preact/hooks';
import { useAddress } from '../state/address.ts';

/** A form for the exact name, as the interface compares it. */
export const NameFilter = () => {
  const { parameters, change } = useAddress();
  const given = parameters.get('display_name') ?? '';
  const [name, setName] = useState(given);
  const submit = (event: Event): void => {
    event.preventDefault();
    change({ display_name: name, page_token: undefined });
  };
  return (
    <form class="filters" aria-label="Find by name" onSubmit={submit}>
      <label>
        Name is exactly
        <input type="search" dir="auto" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <button type="submit">Find</button>
      {given === '' ? null : (
        <button
          type="button"
          onClick={() => {
            setName('');
            change({ display_name: undefined, page_token: undefined });
          }}
        >
          Show all
        </button>
      )}
    </form>
  );
};
