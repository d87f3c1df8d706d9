// When requested tenants are looked after, and what becomes of one that can't be served.
import { mock } from 'node:test';
import { expect } from 'chai';
import { newFirstRecords } from '../../../host/tenancy/firstRecords.ts';
import type { StartedLedger } from '../../../host/tenancy/tenantStart.ts';
import { acceptSuccession, requestSuccession } from '../../../host/tenancy/tenantSuccession.ts';
import { type TenantWatch, watchTenants } from '../../../host/tenancy/tenantWatch.ts';
import type { PendingTenant } from '../../../host/wallets/pendingTenants.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { ALPHA, BETA } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const PAUSE_MS = 500;
const SINCE = '2026-01-01T00:00:00.000Z';
const turns = async (): Promise<void> => {
  for (let count = 0; count < 20; count += 1) await new Promise(setImmediate);
};

describe('the watch over requested tenants', () => {
  let tenants: PendingTenant[];
  let lists: number;
  let listError: Error | undefined;
  let addError: Error | undefined;
  let known: Set<string>;
  let steps: string[];
  let problems: string[];
  let lines: string[];
  let onHead: () => void;
  let status: string;
  let watch: TenantWatch;

  const ledger = {
    issuer: 'https://ledger.example',
    contract: `0x${'c7'.repeat(20)}`,
    chain: {
      // Of every role, nobody.
      request: async () => `0x${'0'.repeat(64)}`,
      fetchFinalHead: async () => ({ number: 1 }),
      onFinalHead: (listener: () => void) => {
        onHead = listener;
        return () => steps.push('ended');
      },
    },
    keyring: {
      openWallet: async () => ({ address: `0x${'1d'.repeat(20)}` }),
      pendingTenants: {
        list: async () => {
          lists += 1;
          if (listError !== undefined) throw listError;
          return tenants;
        },
        remove: async (identity: string) => {
          steps.push('removed');
          tenants = tenants.filter(({ tenantIdentity }) => tenantIdentity !== identity);
        },
      },
    },
    wallets: {
      add: async (identity: string) => {
        if (addError !== undefined) throw addError;
        steps.push(`added ${identity}`);
      },
    },
    view: {
      readTenant: async () => (known.has('tenant') ? {} : undefined),
      readApplication: async () => (known.has('application') ? {} : undefined),
    },
    writer: {
      append: async (_: string, { type }: { type: string }) => {
        steps.push(`appended ${type}`);
        return { confirmation_status: status };
      },
    },
    now: () => 0,
  } as unknown as StartedLedger;

  const toPending = (tenantIdentity: string): PendingTenant =>
    ({ tenantIdentity, servedSince: SINCE, first: newFirstRecords({ name: 'Alpha' }).first }) as PendingTenant;
  const pass = async (ms: number): Promise<void> => {
    mock.timers.tick(ms);
    await turns();
  };
  const begin = async (): Promise<void> => {
    watch = watchTenants(ledger, {
      onLine: (line) => lines.push(line),
      onProblem: (message, cause) => problems.push(`${message}: ${(cause as Error).message}`),
      pauseMs: PAUSE_MS,
    });
    await pass(0);
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [tenants, lists, known, steps, problems, lines] = [[toPending(ALPHA)], 0, new Set(), [], [], []];
    [listError, addError, status] = [undefined, undefined, 'CONFIRMED'];
  });
  afterEach(async () => {
    await watch.stop();
    mock.timers.reset();
  });

  it('serves a tenant with its first records, and looks no further', async () => {
    await begin();
    expect(steps).to.eql([`added ${ALPHA}`, 'appended tenant', 'appended application', 'removed']);
    expect(lines).to.eql([`tenant Alpha (${ALPHA}) is served`]);
    await pass(10 * PAUSE_MS);
    expect(lists).to.equal(1);
  });

  it('waits without a word for one that the ledger has not admitted', async () => {
    const { tenantIdentity, first } = toPending(ALPHA);
    tenants = [{ tenantIdentity, first } as PendingTenant];
    await begin();
    onHead();
    await pass(PAUSE_MS);
    expect([lists, lines, problems, steps]).to.eql([2, [], [], []]);
  });

  it('appends the first records that the ledger lacks', async () => {
    known = new Set(['tenant']);
    await begin();
    expect(steps).to.include('appended application').and.not.include('appended tenant');
    await watch.stop();
    [known, steps, tenants] = [new Set(['application']), [], [toPending(BETA)]];
    await begin();
    expect(steps).to.include('appended tenant').and.not.include('appended application');
  });

  it('tries one again that failed, and reports the same failure once', async () => {
    addError = new LedgerError('CHAIN_UNAVAILABLE', { message: 'away' });
    await begin();
    await pass(PAUSE_MS - 1);
    expect(lists).to.equal(1);
    await pass(1);
    expect([lists, problems]).to.eql([2, [`tenant ${ALPHA} is not served yet: away`]]);
    addError = new Error('other');
    await pass(PAUSE_MS);
    expect(problems[1]).to.equal(`tenant ${ALPHA} is not served yet: other`);
    addError = undefined;
    await pass(PAUSE_MS);
    expect([lines.length, problems.length]).to.eql([1, 2]);
  });

  it('reports one whose first records are refused, and keeps its request', async () => {
    status = 'FAILED';
    await begin();
    expect(problems).to.have.length(1);
    expect(steps).to.not.include('removed');
  });

  it('gives up one that has another administrator', async () => {
    addError = new LedgerError('TENANT_EXISTS', { message: 'taken' });
    await begin();
    expect(problems).to.have.length(1);
    addError = undefined;
    await pass(PAUSE_MS);
    watch.wake();
    await pass(0);
    expect([lists, steps]).to.eql([2, []]);
  });

  it('reports that it could not read the requests, and reads them again', async () => {
    listError = new Error('the disk is broken');
    await begin();
    expect(problems).to.eql(['the requested tenants could not be read: the disk is broken']);
    listError = undefined;
    await pass(PAUSE_MS);
    expect(lines).to.have.length(1);
  });

  it('looks after a final block while one waits, and when it is woken', async () => {
    tenants = [];
    await begin();
    onHead();
    await pass(PAUSE_MS);
    expect(lists).to.equal(1);
    tenants = [toPending(BETA)];
    watch.wake();
    await pass(0);
    expect([lists, lines.length]).to.eql([2, 1]);
    // The last look found one.
    onHead();
    await pass(PAUSE_MS);
    onHead();
    await pass(PAUSE_MS);
    expect(lists).to.equal(3);
  });

  it('looks no more once it is stopped', async () => {
    addError = new Error('away');
    await begin();
    await watch.stop();
    watch.wake();
    onHead();
    await pass(10 * PAUSE_MS);
    expect([lists, steps]).to.eql([1, ['ended']]);
  });
});

describe('the hand-over of a tenant', () => {
  const ledger = { keyring: { listWallets: async () => [] } } as never;

  it('names a tenant of which this server has a key', async () => {
    for (const step of [requestSuccession, acceptSuccession]) {
      expect(await rejectionOf(step(ledger, 'alpha'))).to.equal('IDENTITY_INVALID');
      expect(await rejectionOf(step(ledger, ALPHA))).to.equal('TENANT_NOT_FOUND');
    }
  });
});
