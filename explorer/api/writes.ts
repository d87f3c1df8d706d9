// What a person records by the forms. Each request has a key: the server records what has a known key once.
import type { components } from '../../server/openapi/api.gen.ts';
import { type AssetAnswer, api, type LedgerEvent, receive } from './client.ts';

type Schemas = components['schemas'];
type AssetEntries = Schemas['NewAsset'];
type EventEntries = Schemas['NewEvent'];
export type PolicyEntries = Schemas['NewPolicy'];
export type PolicyAnswer = Schemas['Policy'];
export type TriedAnswer = Schemas['TriedPolicy'];

const toHeader = (key: string) => ({ 'Idempotency-Key': key });

/** Creates an asset. */
export const submitAsset = async (body: AssetEntries, key: string): Promise<AssetAnswer> =>
  (await receive(api.POST('/v2/assets', { params: { header: toHeader(key) }, body }))).body;

/** Records an event of an asset. */
export const submitEvent = async (asset_uuid: string, body: EventEntries, key: string): Promise<LedgerEvent> => {
  const params = { path: { asset_uuid }, header: toHeader(key) };
  return (await receive(api.POST('/v2/assets/{asset_uuid}/events', { params, body }))).body;
};

/** Creates a policy. */
export const submitPolicy = async (body: PolicyEntries, key: string): Promise<PolicyAnswer> =>
  (await receive(api.POST('/v1/compliance_policies', { params: { header: toHeader(key) }, body }))).body;

/** Evaluates a policy on an asset at a time (RFC 3339; undefined: now) without recording anything. */
export const submitTrial = async (uuid: string, body: PolicyEntries, at: string | undefined): Promise<TriedAnswer> => {
  const params = { path: { uuid }, query: at === undefined ? {} : { compliant_at: at } };
  return (await receive(api.POST('/v1/compliance/assets/{uuid}:try', { params, body }))).body;
};

/** Deletes a policy. */
export const submitDeletion = async (uuid: string): Promise<PolicyAnswer> =>
  (await receive(api.DELETE('/v1/compliance_policies/{uuid}', { params: { path: { uuid } } }))).body;
