// What the server is given by whoever composes it (scripts/). It has no memory of its own.
import type { NodeReport, RecordAppender } from '../chain/port.ts';
import type { LedgerView } from '../indexer/ledgerView.ts';
import type { Role } from '../ledger/records/application.ts';
import type { TokenAuthority } from './auth/tokens/tokenAuthority.ts';
import type { BlobStore } from './blobs/blobStore.ts';
import type { FindHealthIssues } from './http/health.ts';
import type { AnsweredRequest } from './http/requestObserver.ts';
import type { RunInSlices } from './http/timeSlices.ts';
import type { ServerLimits, ServerRates } from './limits.ts';
import type { PageTokens } from './lists/pageTokens.ts';
import type { AcceptanceClock } from './records/acceptanceClock.ts';

export interface ServerDeps {
  readonly view: LedgerView;
  readonly writer: RecordAppender;
  readonly blobs: BlobStore;
  readonly tokens: TokenAuthority;
  readonly pageTokens: PageTokens;
  /** The state of the chain's nodes, at most a second old; takes two seconds at most and never rejects. */
  readNodeReport(): Promise<NodeReport>;
  readonly chainId: number;
  /** Scheme and host under which everybody reaches the server; undefined: one of `publicHosts`. No slash at the end. */
  readonly publicUrl?: string | undefined;
  /** Hosts that an answer may repeat from the request, in lower case: `name` for every port, or `name:port`. */
  readonly publicHosts: readonly string[];
  readonly limits: ServerLimits;
  /** Of an application whose creation doesn't name any. */
  readonly applicationRoles: readonly Role[];
  /** Undefined: clients may come as often as they like. */
  readonly rates?: ServerRates | undefined;
  /** Whose forwarding headers are believed: Express' `trust proxy`; undefined: nobody's. */
  readonly trustProxy?: number | readonly string[] | undefined;
  /** Told of every answer when it has gone, or its client has. */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  /** Why the server can't do its work now, by name; empty when it can. */
  readonly findHealthIssues?: FindHealthIssues | undefined;
  /** Gives records their times. */
  readonly clock: AcceptanceClock;
  /** Runs long work so that other requests are served in between. */
  readonly runInSlices: RunInSlices;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUuid: () => string;
  /** Reports an unexpected error, which the client sees only as 500. */
  readonly onUnexpectedError: (error: unknown, requestId?: string) => void;
}
