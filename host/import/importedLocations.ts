// Locations and policies that an import creates.
import { restatePolicyLists } from '../../ledger/compliance/conditionSyntax.ts';
import { hasContent } from '../../ledger/encoding/jsonForm.ts';
import { toUuid } from '../../ledger/identity.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import type { Alternatives } from '../../ledger/records/policy.ts';
import { type ImportRequests, RecordRefused } from './importRequests.ts';
import type { References } from './references.ts';
import type { SourceRecord } from './sourceItem.ts';
import { IMPORTED_FROM, IMPORTED_MEMBERS, toImportKey, toOrigin } from './toImported.ts';

type Fail = (line: number, reason: string) => void;
type Requests = Pick<ImportRequests, 'create' | 'read' | 'findOne'>;

const LOCATION_MEMBERS = ['display_name', 'description', 'latitude', 'longitude'];
/** What a location has besides that is kept elsewhere, or only in the ledger that it comes from. */
const KEPT_ELSEWHERE = ['identity', 'attributes', 'tenant_identity', 'confirmation_status'];
/** What a policy has besides in the ledger that it comes from. */
const POLICY_PLACE = ['identity'];
/** An identity at the end of a condition. */
const NAMED = /(?:assets|blobs|locations)\/[0-9a-f-]{36}$/i;

// An attribute of a location is a text, so what it has besides is one JSON text.
const toOtherMembers = (value: SourceRecord['value']): object => {
  const isOther = ([name, member]: [string, unknown]): boolean =>
    ![...LOCATION_MEMBERS, ...KEPT_ELSEWHERE].includes(name) && hasContent(member);
  const others = Object.entries(value).filter(isOther);
  return others.length === 0 ? {} : { [IMPORTED_MEMBERS]: JSON.stringify(Object.fromEntries(others)) };
};

const createOnce = async (
  { create }: Pick<ImportRequests, 'create'>,
  { line, identity }: SourceRecord,
  fail: Fail,
  request: Parameters<ImportRequests['create']>,
): Promise<string | undefined> => {
  try {
    return (await create(...request)).identity;
  } catch (error) {
    if (!(error instanceof RecordRefused)) throw error;
    fail(line, `${identity}: ${error.message}`);
    return undefined;
  }
};

/** The locations of an import. */
export const createImportedLocations = (requests: Requests, fail: Fail) => {
  const found = new Map<string, Promise<string | undefined>>();

  const create = async (record: SourceRecord, { toHere }: Pick<References, 'toHere'>): Promise<string | undefined> => {
    const { identity, value } = record;
    const given = isJsonObject(value.attributes) ? await toHere(value.attributes) : {};
    const members = LOCATION_MEMBERS.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]);
    const attributes = { ...toOtherMembers(value), ...given, ...toOrigin(given, identity) };
    const body = { ...Object.fromEntries(members), attributes };
    return createOnce(requests, record, fail, ['v2/locations', toImportKey(identity), body]);
  };

  // An earlier import may have created it, or this is the ledger that it comes from.
  const findHere = async (identity: string): Promise<string | undefined> => {
    const own = await requests.read<{ identity: string }>(`v2/locations/${toUuid(identity)}`);
    const found = own ?? (await requests.findOne<{ identity: string }>('locations', IMPORTED_FROM, identity));
    return found?.identity;
  };

  return {
    /** Creates a location. Resolves with whether it is there. */
    create: async (record: SourceRecord, references: Pick<References, 'toHere'>): Promise<boolean> => {
      const created = await create(record, references);
      // One that was imported before, and has changed since, is refused and there.
      found.set(record.identity, created === undefined ? findHere(record.identity) : Promise.resolve(created));
      return created !== undefined;
    },
    /** The location here; undefined where there is none. */
    findLocation: (identity: string): Promise<string | undefined> => {
      const known = found.get(identity) ?? findHere(identity);
      found.set(identity, known);
      return known;
    },
  };
};

const isLists = (value: unknown): value is Alternatives[] =>
  Array.isArray(value) &&
  value.every(
    (each) => isJsonObject(each) && Array.isArray(each.or) && each.or.every((text) => typeof text === 'string'),
  );

// A policy that names no syntax was written without escapes, so its texts are restated with their meaning. Lists of
// another form are refused when the policy is created.
const withRestatedLists = (value: SourceRecord['value']): SourceRecord['value'] => {
  const { condition_syntax, asset_filter = [], richness_assertions = [] } = value;
  if (condition_syntax !== undefined || !isLists(asset_filter) || !isLists(richness_assertions)) return value;
  return { ...value, ...restatePolicyLists({ asset_filter, richness_assertions }) };
};

/** Creates a policy, whose conditions name what `find` finds as it is named here. */
export const createImportedPolicy = async (
  requests: Pick<ImportRequests, 'create'>,
  record: SourceRecord,
  { fail, find }: { fail: Fail; find: (text: string) => Promise<string | undefined> },
): Promise<boolean> => {
  const toHere = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(toHere));
    if (isJsonObject(value)) {
      const members = Object.entries(value).map(async ([name, inner]) => [name, await toHere(inner)] as const);
      return Object.fromEntries(await Promise.all(members));
    }
    const named = typeof value === 'string' ? NAMED.exec(value)?.[0] : undefined;
    return named === undefined ? value : `${String(value).slice(0, -named.length)}${(await find(named)) ?? named}`;
  };
  const members = Object.entries(withRestatedLists(record.value)).filter(([name]) => !POLICY_PLACE.includes(name));
  const body = (await toHere(Object.fromEntries(members))) as Record<string, unknown>;
  const key = toImportKey(record.identity);
  const request = ['v1/compliance_policies', key, body, 'policies'] as const;
  return (await createOnce(requests, record, fail, [...request])) !== undefined;
};
