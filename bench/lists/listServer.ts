// The server of bench:lists, in a process of its own: the HTTP application over a filled index that a follower
// continues to extend. It has no chain: the events that are written meanwhile come from a generator.
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { toStartReadPool } from '../../host/indexing/readThreads.ts';
import { SERVER_LIMITS } from '../../host/settings/installationLimits.ts';
import { createFollower } from '../../indexer/follower.ts';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../indexer/reads/uncommitted.ts';
import { createIndexStore } from '../../indexer/store.ts';
import { createAcceptanceClock } from '../../server/acceptanceClock.ts';
import { createApp } from '../../server/app.ts';
import { createTokenAuthority, type TokenAuthority } from '../../server/auth/tokens/tokenAuthority.ts';
import { openBlobStore } from '../../server/blobs/blobStore.ts';
import type { ServerDeps } from '../../server/deps.ts';
import { createServerTurns } from '../../server/fairness/serverTurns.ts';
import { listen } from '../../server/listen.ts';
import { createPageTokens } from '../../server/lists/pageTokens.ts';
import { BENCH_CONTRACT } from '../reads/benchChain.ts';
import { readCost } from '../reads/cost.ts';
import { type BenchTenant, createBenchTenant, toBenchPrincipal } from '../reads/readsLedger.ts';
import { createGrowingChain } from './growingChain.ts';

/** What the parent requests. */
export interface ServerOrder {
  readonly directory: string;
  /** Events of the first tenant in the filled index. */
  readonly events: number;
  readonly blobDirectory: string;
  readonly eventsPerSecond: number;
  /** Threads that read lists. */
  readonly readThreads: number;
}

/** What the server answers once it is ready. */
export interface ServerReady {
  readonly url: string;
  readonly token: string;
}

/** What the server answers to any later message. */
export interface ServerUsage {
  /** CPU time of the main thread and of all threads so far, in milliseconds. */
  readonly mainCpuMs: number;
  readonly cpuMs: number;
  /** Events that were written and indexed so far. */
  readonly added: number;
}

const OPERATOR = toBenchPrincipal(0);

const issueToken = async (tokens: TokenAuthority, { identity }: BenchTenant): Promise<string> => {
  const { subject, display_name: name } = OPERATOR;
  const nobody = { clientId: undefined, secretId: undefined, customClaims: {} };
  return (await tokens.issue({ tenantIdentity: identity, subject, name, roles: ['root'], ...nobody })).token;
};

const openTokens = async (): Promise<TokenAuthority> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { issuer } = OPERATOR;
  const privateKeyJwk = await exportJWK(privateKey);
  return createTokenAuthority({ privateKeyJwk, issuer, audience: issuer, now: Date.now, newUuid: randomUUID });
};

const fail = (error: unknown): void => {
  console.error(error);
  process.exit(1);
};

const toDeps = async (view: ServerDeps['view'], tokens: TokenAuthority, directory: string): Promise<ServerDeps> => ({
  view,
  writer: { append: () => Promise.reject(new Error('bench:lists writes nothing through the API')) } as never,
  readAuthorKeys: () => [],
  blobs: await openBlobStore({
    directory,
    bytesMax: SERVER_LIMITS.blobBytesMax,
    tenantBytesMax: 0,
    reserveBytes: 0,
    readBlobBytes: view.readBlobBytes,
    newUuid: randomUUID,
    isContentKnown: view.isContentKnown,
    onProblem: (_message, cause) => fail(cause),
  }),
  tokens,
  pageTokens: createPageTokens(Buffer.alloc(32, 7)),
  deriveClientSecret: () => '',
  readNodeReport: async () => ({ kind: undefined, nodes: [], atMs: 0 }),
  chainId: 1,
  publicHosts: [],
  limits: SERVER_LIMITS,
  applicationRoles: ['writer', 'policies'],
  isEmailOmitted: false,
  clock: createAcceptanceClock(Date.now),
  ...createServerTurns(),
  now: Date.now,
  newUuid: randomUUID,
  onUnexpectedError: fail,
});

const NO_OUTBOX = toUncommittedRecords([]);

const serve = async ({
  directory,
  events,
  blobDirectory,
  eventsPerSecond,
  readThreads,
}: ServerOrder): Promise<void> => {
  const store = await createIndexStore(directory, {}, { isShared: readThreads > 0 });
  const tenant = createBenchTenant(1, events);
  // The tenant's own record and its events are in the index: the generator continues after them.
  for (let taken = 0; taken <= events; taken += 1) tenant.take(1);
  const chain = createGrowingChain(tenant, store.readCursor()!.blockNumber);
  const follower = await createFollower({
    chain,
    store,
    contract: BENCH_CONTRACT,
    deploymentBlock: 1,
    pageBlocks: 64,
    onWipe: fail,
  });
  const tokens = await openTokens();
  const pool = toStartReadPool(readThreads)?.(directory, (_message, cause) => fail(cause));
  if (pool !== undefined) store.share(pool);
  const view = createLedgerView({ store, outbox: NO_OUTBOX, pool });
  const app = createApp(await toDeps(view, tokens, blobDirectory));
  const listener = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  const stop = chain.grow(follower, eventsPerSecond);
  const ready: ServerReady = { url: `${listener.url}/archivist`, token: await issueToken(tokens, tenant) };
  process.send!(ready);
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const usage: ServerUsage = {
      mainCpuMs: readCost().cpuMs,
      cpuMs: (user + system) / 1000,
      added: chain.added(),
    };
    process.send!(usage);
  });
  process.once('disconnect', async () => {
    await stop();
    await listener.close();
    await store.close();
  });
};

process.once('message', (order: ServerOrder) => {
  serve(order).catch(fail);
});
