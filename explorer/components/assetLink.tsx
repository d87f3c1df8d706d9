// A link to an asset by its name. Each name is asked for once while the explorer is open.
import { fetchAsset } from '../api/reads.ts';
import { token } from '../api/session.ts';
import { useIsPublic } from '../state/scope.ts';
import { useLoad } from '../state/useLoad.ts';
import { abbreviate, toAssetName, uuidOf } from '../text/names.ts';
import { Identity } from './links.tsx';

const names = new Map<string, Promise<string>>();

const fetchName = async (identity: string, isPublic: boolean): Promise<string> => {
  const asset = await fetchAsset({ uuid: uuidOf(identity), isPublic }, undefined, new AbortController().signal);
  return toAssetName(asset);
};

// Somebody else may see other names.
token.subscribe(() => names.clear());

const findName = (identity: string, isPublic: boolean): Promise<string> => {
  const key = `${isPublic} ${identity}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = fetchName(identity, isPublic);
  names.set(key, name);
  name.catch(() => names.delete(key));
  return name;
};

/** The link; until the name is there, and where it can't be read, by the first digits of the identity. */
export const AssetLink = ({ identity }: { identity: string }) => {
  const isPublic = useIsPublic();
  const { value } = useLoad(identity, () => findName(identity, isPublic));
  return (
    <Identity identity={identity}>
      <span dir="auto">{value ?? abbreviate(identity)}</span>
    </Identity>
  );
};
