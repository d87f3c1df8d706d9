// The bounds and times that the server is given. host/settings/installationLimits.ts fills them from the settings.

/** How many requests one key (a tenant, or a client network) may send. */
export interface Rate {
  /** Requests that are accepted in each second; 0: no limit at all. */
  readonly perSecond: number;
  /** Requests that are accepted beyond these in a minute. */
  readonly burst: number;
}

/** How often clients may send requests. */
export interface ServerRates {
  /** For each tenant; uploads don't count. */
  readonly tenant: Rate;
  /** For each client network, without a token. */
  readonly open: Rate;
  /** Wrong secrets for one client id from one client network; 0: no limit. */
  readonly tokenFailuresPerMinute: number;
}

/** Records on a page of a list that needs no token, whatever `page_size` is. */
export const PUBLIC_RECORDS_MAX = 100;

/** When an upload counts as slow. */
export interface UploadPace {
  /** An upload that began less than this ago, in milliseconds, is not slow. */
  readonly graceMs: number;
  /** Average pace of the upload since it began. */
  readonly bytesPerSecondMin: number;
}

/** Bounds of the API. */
export interface ServerLimits {
  /** Largest request body in bytes. */
  readonly bodyBytesMax: number;
  /** Largest file in bytes. */
  readonly blobBytesMax: number;
  /** Uploads slower than this are ended when others need their slots. */
  readonly uploadPace: UploadPace;
  /** Records on a list page when the client specifies no `page_size`. */
  readonly listRecordsMax: number;
  /** Largest `page_size`. */
  readonly pageSizeMax: number;
  /** Compliance policies of one tenant. */
  readonly policiesMax: number;
  /** Weight of all compliance policies of one tenant together; see `weighPolicy`. */
  readonly policyWeightMax: number;
  /** Access policies of one tenant. */
  readonly accessPoliciesMax: number;
  /** Subjects of one tenant. */
  readonly subjectsMax: number;
  /** Applications of one tenant. */
  readonly applicationsMax: number;
  /** Lines of one request that records many events. */
  readonly bulkLinesMax: number;
}

/** How slow a client may be before its request or connection is ended. */
export interface ClientTimeouts {
  /** Time for the headers of a request, from the first byte of the connection or of the request. */
  readonly headersMs: number;
  /** Time that a connection with a request may pass without a byte in either direction. */
  readonly idleMs: number;
  /** Time that a body may bring no byte while the server has read all that arrived. */
  readonly bodySilenceMs: number;
  /** Time during which a body may arrive at any pace. */
  readonly graceMs: number;
  /** Average pace of a body past that time. */
  readonly bytesPerSecondMin: number;
  /** Interval between two checks. */
  readonly sweepMs: number;
}

/** The timeouts of a server that is given none. */
export const CLIENT_TIMEOUTS: ClientTimeouts = {
  headersMs: 10_000,
  idleMs: 120_000,
  bodySilenceMs: 10_000,
  graceMs: 60_000,
  bytesPerSecondMin: 4_096,
  sweepMs: 1_000,
};

/** Open connections of a server. */
export interface ConnectionLimits {
  /** Connections that are open at once. */
  readonly max: number;
  /** Of these, connections of one client network: an IPv4 address, or an IPv6 /64. A /56 and a /48 may have more. */
  readonly perAddressMax: number;
}

/** The limits of a server that is given none. */
export const CONNECTION_LIMITS: ConnectionLimits = { max: 1_000, perAddressMax: 256 };

/** When a request or a response counts as slow. */
export interface PaceLimits {
  /** Time over which the pace is measured; a request or response may be slow for this long. Milliseconds. */
  readonly windowMs: number;
  /** A request body that arrives more slowly is slow. */
  readonly bodyBytesPerSecondMin: number;
}

/** When a connection with a request in progress may be closed. */
export interface ConnectionPace extends PaceLimits {
  /**
   * A connection is closed when nothing of its response was sent for this long, even below the limits. Milliseconds.
   */
  readonly unreadMs: number;
}

/** The pace of a server that is given none: slow connections are acceptable while the server is below its limits. */
export const CONNECTION_PACE: ConnectionPace = { windowMs: 2_000, bodyBytesPerSecondMin: 4_096, unreadMs: 120_000 };

/** Streams of events, and their pace. */
export interface StreamLimits {
  /** Streams that are open at once. Beyond it, the tenant with the most streams gives one to a tenant with fewer. */
  readonly max: number;
  /** Of these, streams of one tenant. */
  readonly perTenantMax: number;
  /** Of these, streams of one principal. */
  readonly perPrincipalMax: number;
  /** Interval between two checks of a stream's caller. Milliseconds, like all that follow. */
  readonly checkMs: number;
  /** How long a client may leave a message unread before its connection is closed. */
  readonly unreadMs: number;
  /** Time without an event after which a heartbeat is sent. */
  readonly heartbeatMs: number;
  /** How long blocks are gathered after a new one, so that a fast chain doesn't cost a read for each block. */
  readonly gatherMs: number;
}

/** The limits of a server that is given none. A stream ends at most two checks after its caller lost its right. */
export const STREAM_LIMITS: StreamLimits = {
  max: 200,
  perTenantMax: 150,
  perPrincipalMax: 10,
  checkMs: 2_000,
  unreadMs: 10_000,
  heartbeatMs: 15_000,
  gatherMs: 50,
};
