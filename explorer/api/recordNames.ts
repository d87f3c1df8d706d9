// What records are called, by their identities. Each name is asked for once while the explorer is open.
import { toAssetName, toEventType, uuidOf } from '../text/names.ts';
import { api, receive } from './client.ts';
import { fetchPolicy } from './policies.ts';
import { fetchAsset, fetchEvent } from './reads.ts';
import { token } from './session.ts';

const NAMES_MAX = 5_000;
const IDENTITY = /^(assets|locations|compliance_policies)\/([0-9a-f-]{36})(?:\/events\/([0-9a-f-]{36}))?$/;

const names = new Map<string, Promise<string>>();

// Somebody else may see other names.
token.subscribe(() => names.clear());

const fetchName = async (identity: string, isPublic: boolean): Promise<string> => {
  const [, collection, uuid = '', event] = IDENTITY.exec(identity) ?? [];
  const { signal } = new AbortController();
  const params = { path: { uuid } };
  if (collection === 'locations')
    return (await receive(api.GET('/v2/locations/{uuid}', { params, signal }))).body.display_name;
  if (collection === 'compliance_policies') return (await fetchPolicy(uuid, signal)).display_name;
  const asset = { uuid, isPublic };
  if (event === undefined) return toAssetName(await fetchAsset(asset, undefined, signal));
  const [type, name] = [fetchEvent(asset, event, signal), findName(`assets/${uuid}`, isPublic)];
  return `${toEventType(await type)}, ${await name}`;
};

/** Whether a text is an identity of a record that has a name: an asset, an event, a location or a policy. */
export const isNamedIdentity = (text: string): boolean => IDENTITY.test(text);

/**
 * The name of the record that an identity names. Rejects with ApiError where it can't be read.
 * @param isPublic whether it is read as everybody sees it.
 */
export const findName = (identity: string, isPublic: boolean): Promise<string> => {
  const key = `${isPublic} ${uuidOf(identity)}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  if (names.size >= NAMES_MAX) names.clear();
  const name = fetchName(identity, isPublic);
  names.set(key, name);
  name.catch(() => names.delete(key));
  return name;
};
