// What the host passes to the server (host/openApp.ts). The server has no state of its own that must survive a
// restart.
import type { NodeReport, RecordAppender } from '../chain/port.ts';
import type { ServedView } from '../indexer/sharingView.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import type { Role } from '../ledger/records/application.ts';
import type { AcceptanceClock } from './acceptanceClock.ts';
import type { DeriveClientSecret } from './auth/clientSecret.ts';
import type { TokenAuthority } from './auth/tokens/tokenAuthority.ts';
import type { BlobStore } from './blobs/blobStore.ts';
import type { EvidenceSource } from './evidenceSource.ts';
import type { ExplorerFiles } from './explorer/explorerFiles.ts';
import type { AnswerRpc } from './explorer/rpcRoute.ts';
import type { SignInLink } from './explorer/signInLink.ts';
import type { ServerTurns } from './fairness/serverTurns.ts';
import type { PublishedLog } from './http/blockLogRoutes.ts';
import type { FindHealthIssues, HeadJson } from './http/health.ts';
import type { AnsweredRequest } from './http/requestObserver.ts';
import type { ServerLimits, ServerRates, StreamLimits } from './limits.ts';
import type { PageTokens } from './lists/pageTokens.ts';
import type { CatchUp } from './records/missing.ts';

export interface ServerDeps extends ServerTurns {
  readonly view: ServedView;
  readonly writer: RecordAppender;
  /**
   * The public keys with which this server signs the records of a tenant, each as `isWalletKey` describes it.
   * @throws LedgerError TENANT_PENDING or AUTHOR_UNAVAILABLE when the tenant's key isn't usable.
   */
  readAuthorKeys(tenantIdentity: string): readonly string[];
  readonly blobs: BlobStore;
  readonly tokens: TokenAuthority;
  readonly pageTokens: PageTokens;
  readonly deriveClientSecret: DeriveClientSecret;
  /** Reads the state of the chain's nodes, at most a second old. Resolves within two seconds and never rejects. */
  readNodeReport(): Promise<NodeReport>;
  readonly chainId: number;
  /**
   * Scheme and host under which third parties reach the server, without a slash at the end; undefined: one of
   * `publicHosts`.
   */
  readonly publicUrl?: string | undefined;
  /** Hosts of a request that an answer may repeat, in lower case: `name` for every port, or `name:port`. */
  readonly publicHosts: readonly string[];
  /** Called with each public URL that has the host of its request, and that only this machine can open. */
  readonly onLoopbackUrl?: ((url: string) => void) | undefined;
  readonly limits: ServerLimits;
  /** Of streams of events; `STREAM_LIMITS` unless given. */
  readonly streams?: StreamLimits | undefined;
  /** Roles of an application whose creation specifies none. */
  readonly applicationRoles: readonly Role[];
  /** Undefined: no limits. */
  readonly rates?: ServerRates | undefined;
  /** Proxies whose forwarding headers are trusted: Express' `trust proxy`; undefined: none. */
  readonly trustProxy?: number | readonly string[] | undefined;
  /** Called for every request when its answer was sent, or its client disconnected. */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  /** The block log; undefined: this server has none. */
  readonly blockLog?: PublishedLog | undefined;
  /** The browser application; undefined: it isn't built. */
  readonly explorer?: ExplorerFiles | undefined;
  /** The link with which the operator signs in to the browser application; undefined: there is no such route. */
  readonly signInLink?: SignInLink | undefined;
  /** Answers JSON-RPC requests of pages at /rpc; undefined: there is no such route. */
  readonly answerRpc?: AnswerRpc | undefined;
  /** Makes evidence files; undefined: this server can't. */
  readonly evidence?: EvidenceSource | undefined;
  /** Finds what keeps the server from serving requests; none unless given. */
  readonly findHealthIssues?: FindHealthIssues | undefined;
  /** Whose word, or whose seals, make a block of a network final; undefined: the chain is this server's own. */
  readonly finality?: string | undefined;
  /** The newest block of a network's chain; undefined before one is known. */
  readonly readHead?: (() => HeadJson | undefined) | undefined;
  /** Code of what the answers to writes state in a header, such as CHAIN_STALLED; undefined: nothing. */
  readonly findWriteNotice?: (() => string | undefined) | undefined;
  /** Brings the view to the chain's final head; undefined: no other server writes to the chain. */
  readonly catchUp?: CatchUp | undefined;
  /** The block that deployed the contract; undefined: the first one. */
  readonly deploymentBlock?: number | undefined;
  /** The hash of a final block; undefined for one that is far away, and while the chain doesn't answer in time. */
  readonly findBlockHash?: ((number: number) => Promise<Hex | undefined>) | undefined;
  /** Whether new records have no email address of the principal whose request they accept. */
  readonly isEmailOmitted: boolean;
  /** Stamps records with their acceptance times. */
  readonly clock: AcceptanceClock;
  /** Aborts when the server stops: requests that have no end of their own end then. Undefined: never. */
  readonly stopping?: AbortSignal | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUuid: () => string;
  /** Reports an unexpected error, of which the client sees only a 500. */
  readonly onUnexpectedError: (error: unknown, requestId?: string) => void;
}
