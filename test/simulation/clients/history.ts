// What clients have requested and what they were answered, as they saw it from outside: the model of a run.
import type { Commitment } from '../../../ledger/records/commitment.ts';
import type { LocationResource } from '../../../ledger/records/location.ts';

/** The part of an answer that is the same for all resources. */
export type CreatedBody = { readonly identity: string } & Partial<Commitment>;

/** How the server refused a request. */
export interface Refusal {
  /** The code of the error; `500: …` for an error that has none, `NOT_RUNNING` for a connection that is refused. */
  readonly code: string;
  /** What was wrong; empty for a connection that is refused, and for a line: its answer has the code alone. */
  readonly message: string;
  /** When the request was refused. */
  readonly atMs: number;
  /** Number of the server's starts until then. */
  readonly starts: number;
  /** Most records that the outbox had then, with those that were being accepted; 0 without a server. */
  readonly outboxCountMax: number;
  /** FAILED records that the outbox had then, which count towards the shares of their tenants; 0 without a server. */
  readonly outboxFailed: number;
}

/** One sending of a request. */
export interface Attempt {
  readonly sentMs: number;
  /** `lost`: the client never learns what happened. */
  outcome: 'pending' | 'answered' | 'lost' | Refusal;
}

/** One request for a record, a location or a page of a list. */
export interface Read {
  /** What is read, for messages. */
  readonly what: string;
  /** Identity of the record or the location that an answer has shown; undefined for a page. */
  readonly identity: string | undefined;
  readonly sentMs: number;
  readonly outcome: 'answered' | 'lost' | Refusal;
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

/** The newest version of a location as an answer showed it. */
export interface LocationSight {
  /** When the request that shows it was sent, and when its answer arrived. */
  readonly sentMs: number;
  readonly atMs: number;
  readonly shown: LocationResource;
}

/** A request of a client that creates a record. */
export interface CreationRequest {
  /** Unique in the run. The record carries it. */
  readonly label: string;
  readonly kind: 'createAsset' | 'createEvent' | 'createLocation' | 'updateLocation';
  readonly tenantIdentity: string;
  /** Identity of the asset or the location that the request adds a record to; undefined when it creates one. */
  readonly streamIdentity: string | undefined;
  /** The `Idempotency-Key`; undefined: none. */
  readonly key: string | undefined;
  readonly body: object;
  readonly attempts: Attempt[];
  /** What the answers to this request and later reads showed. */
  readonly sights: Sight[];
}

/** One sending of a request of many lines. */
export interface LineSending {
  /** Begins the labels of its lines. */
  readonly label: string;
  /** The request that each line is for; undefined: the line can't be recorded. */
  readonly sent: readonly (CreationRequest | undefined)[];
  /** Of each line; undefined for a line that was not sent to its end. */
  readonly attempts: readonly (Attempt | undefined)[];
  /** The numbers of the lines with a result, in the order of arrival. */
  readonly results: number[];
}

/** An item of a list, with the members that checks use. */
export interface ListedItem extends CreatedBody {
  readonly timestamp_accepted?: string;
  readonly display_name?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly event_attributes?: Readonly<Record<string, unknown>>;
  readonly asset_attributes?: Readonly<Record<string, unknown>>;
}

/** One page as an answer showed it. */
export interface ListPage {
  /** When the request was sent, and when its answer arrived. */
  readonly sentMs: number;
  readonly atMs: number;
  readonly items: readonly ListedItem[];
  readonly total: number;
  readonly isLast: boolean;
}

/** What a client lists. */
export interface ListQuery {
  readonly list: 'assets' | 'events' | 'locations';
  readonly tenantIdentity: string;
  /** Identity of the asset whose events are listed; undefined: all of the tenant. */
  readonly streamIdentity: string | undefined;
  /** The order that `order_by` names. */
  readonly order: string;
  /** The `page_size`; undefined: none. */
  readonly pageSize: number | undefined;
}

/** One reading of a list, page after page. */
export interface ListWalk extends ListQuery {
  readonly pages: ListPage[];
}

/** Assets or locations. */
export type StreamKind = 'assets' | 'locations';

/** Everything that clients have done and seen. */
export interface History {
  readonly requests: CreationRequest[];
  readonly lineSendings: LineSending[];
  add(request: CreationRequest): void;
  /** The identities of a tenant's assets or locations that an answer has shown. */
  streamsOf(tenantIdentity: string, kind: StreamKind): readonly string[];
  /** Adds an asset or a location that an answer has shown. */
  addStream(tenantIdentity: string, identity: string): void;
  /** What reads, lists and updates showed of locations. */
  readonly locationSights: LocationSight[];
  readonly reads: Read[];
  readonly walks: ListWalk[];
  /** When the first of the last requests was sent, after every fault; infinite before. */
  lastFromMs: number;
}

/** The assets and locations of a tenant that exist before a run. */
export interface FirstStreams {
  readonly tenantIdentity: string;
  readonly identities: readonly string[];
}

/** A history with the assets and locations that exist before the run. */
export const createHistory = (first: readonly FirstStreams[]): History => {
  const streams = new Map(first.map(({ tenantIdentity, identities }) => [tenantIdentity, [...identities]]));
  const requests: CreationRequest[] = [];
  return {
    requests,
    lineSendings: [],
    add: (request) => void requests.push(request),
    streamsOf: (tenantIdentity, kind) =>
      (streams.get(tenantIdentity) ?? []).filter((identity) => identity.startsWith(`${kind}/`)),
    addStream: (tenantIdentity, identity) => {
      const known = streams.get(tenantIdentity) ?? [];
      if (!known.includes(identity)) streams.set(tenantIdentity, [...known, identity]);
    },
    locationSights: [],
    reads: [],
    walks: [],
    lastFromMs: Number.POSITIVE_INFINITY,
  };
};
