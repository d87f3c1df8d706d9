// A link to an asset by its name. Each name is asked for once while the explorer is open.
import { api, receive } from '../api/client.ts';
import { token } from '../api/session.ts';
import { useLoad } from '../state/useLoad.ts';
import { abbreviate, toAssetName, uuidOf } from '../text/names.ts';
import { Identity } from './links.tsx';

const names = new Map<string, Promise<string>>();

const fetchName = async (identity: string): Promise<string> => {
  const params = { path: { uuid: uuidOf(identity) } };
  return toAssetName((await receive(api.GET('/v2/assets/{uuid}', { params }))).body);
};

// Somebody else may see other names.
token.subscribe(() => names.clear());

const findName = (identity: string): Promise<string> => {
  const known = names.get(identity);
  if (known !== undefined) return known;
  const name = fetchName(identity);
  names.set(identity, name);
  name.catch(() => names.delete(identity));
  return name;
};

/** The link; until the name is there, and where it can't be read, by the first digits of the identity. */
export const AssetLink = ({ identity }: { identity: string }) => {
  const { value } = useLoad(identity, () => findName(identity));
  return (
    <Identity identity={identity}>
      <span dir="auto">{value ?? abbreviate(identity)}</span>
    </Identity>
  );
};
