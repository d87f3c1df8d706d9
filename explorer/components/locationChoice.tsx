// Chooses a location by its name.
import { api, type LocationAnswer, receive } from '../api/client.ts';
import { useLoad } from '../state/useLoad.ts';
import { SelectField, TextField } from './fields.tsx';

const PAGE = 500;
/** A longer list isn't one to choose from: then the identity is entered. */
const LOCATIONS_MAX = 2_000;

const fetchLocations = async (signal: AbortSignal): Promise<LocationAnswer[] | undefined> => {
  const found: LocationAnswer[] = [];
  let page_token = '';
  do {
    const query = { page_size: PAGE, page_token, order_by: 'DISPLAY_NAME' } as const;
    const { body } = await receive(api.GET('/v2/locations', { params: { query }, signal }));
    found.push(...body.locations);
    page_token = body.next_page_token;
  } while (page_token !== '' && found.length < LOCATIONS_MAX);
  return page_token === '' ? found : undefined;
};

interface LocationChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (identity: string) => void;
  readonly isRequired?: boolean;
}

const HINT = 'Where it belongs.';

/** A choice of the tenant's locations; where there are very many, or they can't be read, a field for the identity. */
export const LocationChoice = (props: LocationChoiceProps) => {
  const { value, error } = useLoad('locations', async (signal) => ({ locations: await fetchLocations(signal) }));
  if (value === undefined && error === undefined)
    return <SelectField {...props} hint="Loading the locations …" choices={[[props.value, '…']]} />;
  const locations = value?.locations;
  if (locations === undefined) return <TextField {...props} hint={`${HINT} The identity of a location: locations/…`} />;
  const choices = locations.map(({ identity, display_name }) => [identity, display_name] as const);
  return <SelectField {...props} hint={HINT} choices={[['', 'none'], ...choices]} />;
};
