// A real ledger in a temporary directory and a real server over it, in this process, for most system tests.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartEngine } from '../../chain/embedded/engine/engine.ts';
import { createLedgerRpc } from '../../chain/ledgerRpc/ledgerRpc.ts';
import { createReadAuthorKeys } from '../../host/authorKeys.ts';
import { createFindBlockHash } from '../../host/blockHashes.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { LedgerLimits, OnStep, PublicExecution } from '../../host/ledgerOptions.ts';
import type { NetworkOptions } from '../../host/networkLedger.ts';
import { openBlobs } from '../../host/openBlobs.ts';
import { type Ledger, openLedger } from '../../host/openLedger.ts';
import { openNodeReporter } from '../../host/openNodeReporter.ts';
import { openTokenAuthority } from '../../host/openTokenAuthority.ts';
import { createRpcTurns } from '../../host/rpcTurns.ts';
import { LEDGER_LIMITS, SERVER_LIMITS } from '../../host/settings/installationLimits.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { toProgressDeps } from '../../host/watching/shownProgress.ts';
import type { JsonValue } from '../../ledger/encoding/canonicalJson.ts';
import { createAcceptanceClock } from '../../server/acceptanceClock.ts';
import { createApp } from '../../server/app.ts';
import { createDeriveClientSecret } from '../../server/auth/clientSecret.ts';
import type { OidcIssuerSettings } from '../../server/auth/tokens/oidcSettings.ts';
import type { EvidenceSource } from '../../server/evidenceSource.ts';
import type { ExplorerFiles } from '../../server/explorer/explorerFiles.ts';
import type { SignInLink } from '../../server/explorer/signInLink.ts';
import { createServerTurns } from '../../server/fairness/serverTurns.ts';
import { listen } from '../../server/listen.ts';
import { createPageTokens } from '../../server/lists/pageTokens.ts';

export const TEST_CHAIN_ID = 424_242;

/** A new empty directory, and the function that deletes it. */
export const createTemporaryDirectory = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'provenance-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** Registers mocha hooks that give each test a new data directory. The paths are those of the test that runs. */
export const useDataDirectory = (): { readonly path: string; readonly keys: string } => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  beforeEach(async () => {
    directory = await createTemporaryDirectory();
  });
  afterEach(() => directory.remove());
  return {
    get path() {
      return directory.path;
    },
    get keys() {
      return dataPaths(directory.path).keys;
    },
  };
};

/** Puts private keys (0x text) into the keyring of a data directory before it is opened. */
export const plantKeys = async (dataDir: string, keys: Readonly<Record<string, string>>): Promise<void> => {
  const directory = dataPaths(dataDir).keys;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const [name, key] of Object.entries(keys)) {
    await writeFile(join(directory, `${name}.key`), key, { mode: 0o600 });
    await chmod(join(directory, `${name}.key`), 0o600);
  }
};

/** Options of a ledger in tests. */
export interface TestLedgerOptions {
  limits?: Partial<LedgerLimits>;
  sharedKeys?: string;
  problems?: string[];
  network?: NetworkOptions['network'] | undefined;
  servedTenants?: readonly string[];
  sharingTenants?: readonly string[];
  publicExecution?: PublicExecution;
  now?: () => number;
  onStep?: OnStep;
  /** By default the engine is in this process. */
  startEngine?: StartEngine;
}

const completeStart = async (ledger: Ledger): Promise<Ledger> => {
  try {
    await ledger.completion.completed;
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
};

/**
 * Opens the ledger of a directory, with its start complete; problems go to `problems`, and progress is quiet unless
 * `onStep` is given.
 */
export const openTestLedger = (dataDir: string, options: TestLedgerOptions = {}): Promise<Ledger> =>
  openStartingTestLedger(dataDir, options).then(completeStart);

/** The same, before its start is complete. */
export const openStartingTestLedger = (dataDir: string, options: TestLedgerOptions = {}): Promise<Ledger> =>
  openLedger({
    dataDir,
    sharedKeys: options.sharedKeys,
    chainId: TEST_CHAIN_ID,
    network: options.network,
    servedTenants: options.servedTenants,
    sharingTenants: options.sharingTenants,
    publicExecution: options.publicExecution,
    startEngine: options.startEngine,
    limits: { ...LEDGER_LIMITS, ...options.limits },
    now: options.now ?? Date.now,
    onStep: options.onStep ?? (() => undefined),
    onProblem: (message) => options.problems?.push(message),
  });

export interface ListeningServer {
  readonly url: string;
  close(): Promise<void>;
}

const dateAnswers =
  (app: RequestListener, aheadMs: () => number): RequestListener =>
  (request, response) => {
    response.setHeader('date', new Date(Date.now() + aheadMs()).toUTCString());
    app(request, response);
  };

/** Serves a ledger on a free port, answers validated against the document. */
export const serveTestLedger = async (
  ledger: Ledger,
  seams: {
    now?: () => number;
    newUuid?: () => string;
    nodeUrls?: readonly string[];
    tenantBytesMax?: number;
    blobsDir?: string;
    evidence?: EvidenceSource;
    explorer?: ExplorerFiles | undefined;
    issuers?: readonly OidcIssuerSettings[];
    signInLink?: SignInLink;
    /** How far the `Date` of its answers is ahead of this machine's clock, in milliseconds. */
    dateAheadMs?: () => number;
  } = {},
): Promise<ListeningServer> => {
  const app = createApp(
    {
      view: ledger.view,
      writer: ledger.writer,
      readAuthorKeys: createReadAuthorKeys(ledger),
      blobs: await openBlobs(
        ledger,
        {
          bytesMax: SERVER_LIMITS.blobBytesMax,
          tenantBytesMax: seams.tenantBytesMax ?? 0,
          reserveBytes: 0,
        },
        seams.blobsDir,
      ),
      tokens: await openTokenAuthority(ledger, seams.issuers),
      readNodeReport: await openNodeReporter(ledger, seams.nodeUrls),
      pageTokens: createPageTokens(await ledger.keyring.openSecret('page-token')),
      deriveClientSecret: createDeriveClientSecret(await ledger.keyring.openSecret('page-token')),
      evidence: seams.evidence,
      explorer: seams.explorer,
      signInLink: seams.signInLink,
      answerRpc: createLedgerRpc(ledger, { turns: createRpcTurns(64), onError: console.error }),
      ...toProgressDeps(ledger),
      catchUp: ledger.catchUp,
      deploymentBlock: ledger.deploymentBlock,
      findBlockHash: createFindBlockHash(ledger),
      findHealthIssues: createFindHealthIssues(
        () => readLedgerState(ledger),
        () => false,
      ),
      chainId: ledger.chain.chainId,
      publicHosts: ['127.0.0.1', 'localhost'],
      limits: SERVER_LIMITS,
      applicationRoles: ['writer', 'policies'],
      isEmailOmitted: false,
      clock: createAcceptanceClock(seams.now ?? Date.now),
      ...createServerTurns(),
      now: seams.now ?? Date.now,
      newUuid: seams.newUuid ?? randomUUID,
      onUnexpectedError: (error) => console.error(error),
    },
    { validateResponses: true },
  );
  const { dateAheadMs } = seams;
  return listen(dateAheadMs === undefined ? app : dateAnswers(app, dateAheadMs), {
    host: '127.0.0.1',
    port: 0,
    graceMs: 5_000,
  });
};

export interface JsonAnswer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Sends one request with a token and parses the JSON answer. */
export const send = async <T>(
  url: string,
  token: string,
  init: { method?: string; body?: JsonValue | object; headers?: Record<string, string> } = {},
): Promise<JsonAnswer<T>> => {
  const response = await fetch(url, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
};
