// Looks after each final block whether requested tenants can be served.
import { raiseIfMistake } from '../../chain/defects.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { PendingTenant } from '../wallets/pendingTenants.ts';
import { createTenantStart, type StartedLedger } from './tenantStart.ts';

/** Looks after requested tenants while the server runs. */
export interface TenantWatch {
  /** Another tenant may have been requested. */
  wake(): void;
  /** Ends the waits; nothing is written afterwards. */
  stop(): Promise<void>;
}

export interface TenantWatchOptions {
  readonly onLine: (line: string) => void;
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Milliseconds between two looks at least, whatever the chain does. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 500;
const isLasting = (cause: unknown): boolean => cause instanceof LedgerError && cause.code === 'TENANT_EXISTS';

type LookOptions = Omit<TenantWatchOptions, 'pauseMs'> & { readonly signal: AbortSignal };

// Looks once at each requested tenant. Resolves with how many wait, and whether one failed for a reason that may pass.
const createLook = (ledger: StartedLedger, { onLine, onProblem, signal }: LookOptions) => {
  const start = createTenantStart(ledger, onLine, signal);
  const refused = new Set<string>();
  const reported = new Map<string, string>();
  const report = (tenantIdentity: string, cause: unknown): void => {
    const { message } = cause as Error;
    if (reported.get(tenantIdentity) !== message) onProblem(`tenant ${tenantIdentity} is not served yet`, cause);
    reported.set(tenantIdentity, message);
  };
  // Whether to try it again.
  const attempt = async (tenant: PendingTenant): Promise<boolean> => {
    const { tenantIdentity } = tenant;
    try {
      await start.advance(tenant);
      return false;
    } catch (cause) {
      if (signal.aborted) return false;
      report(tenantIdentity, cause);
      if (isLasting(cause)) refused.add(tenantIdentity);
      return !isLasting(cause) && !raiseIfMistake(cause);
    }
  };
  return async (): Promise<{ waiting: number; hasFailed: boolean }> => {
    const tenants = (await ledger.keyring.pendingTenants.list()).filter((one) => !refused.has(one.tenantIdentity));
    let hasFailed = false;
    for (const tenant of tenants) if (!signal.aborted && (await attempt(tenant))) hasFailed = true;
    return { waiting: tenants.length, hasFailed };
  };
};

/** Begins to look at once, also at tenants that were requested before. */
export const watchTenants = (ledger: StartedLedger, options: TenantWatchOptions): TenantWatch => {
  const { onProblem, pauseMs = PAUSE_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lookAtAll = createLook(ledger, { ...options, signal });
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let hasPending = true;
  let isLooking = false;
  let isAgain = false;

  const look = async (): Promise<void> => {
    isAgain = false;
    let hasFailed = true;
    try {
      const found = await lookAtAll();
      hasFailed = found.hasFailed;
      hasPending = found.waiting > 0;
    } catch (cause) {
      onProblem('the requested tenants could not be read', cause);
      hasFailed = !raiseIfMistake(cause);
    }
    isLooking = false;
    if (hasFailed || isAgain) schedule(pauseMs);
  };
  // One look at a time; another one follows if something happened meanwhile.
  const schedule = (afterMs: number): void => {
    if (signal.aborted) return;
    if (isLooking) {
      isAgain = true;
      return;
    }
    isLooking = true;
    timer = setTimeout(() => {
      looking = look();
    }, afterMs);
  };

  const end = ledger.chain.onFinalHead(() => {
    if (hasPending) schedule(pauseMs);
  });
  schedule(0);
  return {
    wake: () => {
      hasPending = true;
      schedule(0);
    },
    stop: async () => {
      stopping.abort(new LedgerError('STOPPING'));
      end();
      clearTimeout(timer);
      await looking;
    },
  };
};
