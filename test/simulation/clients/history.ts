// What clients have requested and what they were answered, as they saw it from outside: the model of a run.
import type { Commitment } from '../../../ledger/records/commitment.ts';

/** One sending of a request. */
export interface Attempt {
  readonly sentMs: number;
  /** `lost`: the client never learns what happened. A code: the server refused the request with it. */
  outcome: 'pending' | 'answered' | 'lost' | { readonly refusal: string };
}

/** A record as an answer showed it. */
export interface Sight {
  /** When the request that shows it was sent, and when its answer arrived. */
  readonly sentMs: number;
  readonly atMs: number;
  /** Identity of the event or the location; of an asset, that of the asset. */
  readonly identity: string;
  readonly status: Commitment['confirmation_status'] | 'unknown';
  /** 0 unless the status is CONFIRMED. */
  readonly blockNumber: number;
  readonly transactionHash: string;
}

/** A request of a client that creates a record. */
export interface CreationRequest {
  /** Unique in the run. The record carries it. */
  readonly label: string;
  readonly kind: 'createAsset' | 'createEvent' | 'createLocation';
  readonly tenantIdentity: string;
  /** UUID of the asset of an event. */
  readonly assetUuid: string | undefined;
  readonly isKeyed: boolean;
  readonly attempts: Attempt[];
  /** What the answers to this request and later reads showed. */
  readonly sights: Sight[];
}

/** Everything that clients have done and seen. */
export interface History {
  readonly requests: CreationRequest[];
  add(request: CreationRequest): void;
  /** UUIDs of a tenant's assets that an answer has shown. */
  assetsOf(tenantIdentity: string): readonly string[];
  addAsset(tenantIdentity: string, assetUuid: string): void;
  /** Problems that clients saw at once: a record that was answered and is not there. */
  readonly complaints: string[];
}

/** A history with the assets that exist before the run. */
export const createHistory = (assets: readonly { tenantIdentity: string; assetUuid: string }[]): History => {
  const known = new Map<string, string[]>();
  const addAsset = (tenantIdentity: string, assetUuid: string): void => {
    const uuids = known.get(tenantIdentity) ?? [];
    if (!uuids.includes(assetUuid)) uuids.push(assetUuid);
    known.set(tenantIdentity, uuids);
  };
  for (const { tenantIdentity, assetUuid } of assets) addAsset(tenantIdentity, assetUuid);
  const requests: CreationRequest[] = [];
  return {
    requests,
    add: (request) => void requests.push(request),
    assetsOf: (tenantIdentity) => known.get(tenantIdentity) ?? [],
    addAsset,
    complaints: [],
  };
};
