// When a checkpoint is due, and what happens when one fails.
import { expect } from 'chai';
import type { Attestation } from '../../../chain/blockLog/attester.ts';
import type { SignedHead } from '../../../chain/blockLog/blockLog.ts';
import { type CheckpointerOptions, startCheckpointer } from '../../../host/evidence/checkpointer.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { until } from '../../support/until.ts';

const DAY_SECONDS = 86_400;
const NAMES: Attestation = { tenant: '0x01', streams: ['0x02'], ids: [], accounts: [] };
const OTHERS: Attestation = { ...NAMES, streams: ['0x03'] };

describe('the checkpointer', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

  const begin = (given: {
    head?: Partial<SignedHead>;
    attestedBlock?: number;
    periodMs?: number;
    attest?: CheckpointerOptions['attester']['attest'];
    whenReady?: CheckpointerOptions['whenReady'];
    isShown?: () => boolean;
  }) => {
    const seen = {
      runs: 0,
      advanced: 0,
      cosigned: 0,
      names: [] as (readonly Attestation[])[],
      problems: [] as string[],
    };
    const head = { note: '', size: 10, newestBlock: 9, signedAtSeconds: DAY_SECONDS, ...given.head };
    const checkpointer = startCheckpointer({
      log: {
        head: () => ('head' in given && given.head === undefined ? undefined : head),
        advance: async () => {
          seen.advanced += 1;
        },
      },
      attester: {
        attest: async (tenants, requested, signal) => {
          seen.runs += 1;
          seen.names.push(requested);
          return given.attest === undefined ? given.attestedBlock : given.attest(tenants, requested, signal);
        },
      },
      cosign: async () => {
        seen.cosigned += 1;
      },
      isShown: given.isShown ?? (() => true),
      readTenants: () => ['0x01'],
      periodMs: given.periodMs ?? 3_600_000,
      now: () => 2 * DAY_SECONDS * 1_000,
      elapsedMs: () => 0,
      whenReady: given.whenReady ?? (async () => undefined),
      onProblem: (message) => seen.problems.push(message),
    });
    stops.push(checkpointer.stop);
    return { ...checkpointer, seen };
  };

  const DUE: readonly (readonly [string, Parameters<typeof begin>[0], number])[] = [
    ['a checkpoint before the first one', { head: undefined as never }, 1],
    [
      'a checkpoint when the newest does not cover an attestation',
      { head: { signedAtSeconds: DAY_SECONDS + 1 }, attestedBlock: 10 },
      1,
    ],
    ['a checkpoint once a day', { head: { signedAtSeconds: DAY_SECONDS }, attestedBlock: 9 }, 1],
    ['none within a day without anything new', { head: { signedAtSeconds: DAY_SECONDS + 1 }, attestedBlock: 9 }, 0],
    ['none within a day without any attestation', { head: { signedAtSeconds: DAY_SECONDS + 1 } }, 0],
  ];
  for (const [name, given, advanced] of DUE) {
    it(`issues ${name}`, async () => {
      const { seen, stop } = begin(given);
      await until(() => seen.runs === 1);
      await stop();
      expect(seen.advanced).to.equal(advanced);
    });
  }

  it('issues checkpoints periodically', async () => {
    const { seen } = begin({ head: undefined as never, periodMs: 5 });
    await until(() => seen.advanced > 3);
  });

  it('issues one checkpoint for all requests that arrive while another one is in progress', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { seen, request } = begin({ head: { signedAtSeconds: 2 * DAY_SECONDS }, attest: () => gate.promise });
    await until(() => seen.runs === 1);
    const requested = [request([NAMES]), request([]), request([NAMES])];
    gate.resolve(undefined);
    await Promise.all(requested);
    expect([seen.runs, seen.advanced, seen.names[1]]).to.deep.equal([2, 1, [NAMES, NAMES]]);
  });

  it('attests no names that are attested meanwhile', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { seen, request } = begin({ head: { signedAtSeconds: 2 * DAY_SECONDS }, attest: () => gate.promise });
    await until(() => seen.runs === 1);
    let isAttested = false;
    const requested = [request([NAMES], async () => isAttested), request([OTHERS], async () => false)];
    isAttested = true;
    gate.resolve(undefined);
    await Promise.all(requested);
    expect([seen.runs, seen.advanced, seen.names[1]]).to.deep.equal([2, 1, [OTHERS]]);
  });

  it('asks the witnesses again for requests while there is no quorum, and attests nothing for them', async () => {
    let isShown = true;
    const { seen, request } = begin({ head: { signedAtSeconds: 2 * DAY_SECONDS }, isShown: () => isShown });
    await until(() => seen.cosigned === 1);
    isShown = false;
    for (let count = 0; count < 5; count += 1) await request([NAMES]);
    expect([seen.runs, seen.advanced, seen.cosigned]).to.deep.equal([1, 0, 6]);
    isShown = true;
    await request([NAMES]);
    expect([seen.runs, seen.advanced, seen.names.at(-1)]).to.deep.equal([2, 1, [NAMES]]);
  });

  it('goes on each period while there is no quorum and requests keep coming', async () => {
    const { seen, request } = begin({ head: undefined as never, isShown: () => false, periodMs: 0 });
    await until(() => seen.advanced > 0);
    const { advanced } = seen;
    await request([NAMES]);
    expect(seen.advanced).to.be.greaterThan(advanced);
    expect(seen.names.flat()).to.deep.equal([]);
  });

  it('reports the first of several failures and the end of them, and rejects the requests', async () => {
    let isFailing = true;
    const attest = async (): Promise<number> => {
      if (isFailing) throw new LedgerError('CHAIN_UNAVAILABLE');
      return 1;
    };
    const { seen, request } = begin({ attest, periodMs: 5 });
    await until(() => seen.runs > 3);
    expect(await rejectionOf(request([]))).to.equal('CHAIN_UNAVAILABLE');
    expect(seen.problems).to.have.length(1);
    isFailing = false;
    await until(() => seen.problems.length === 2);
    expect(seen.advanced).to.be.greaterThan(0);
  });

  it('waits until the chain can be read, and ends while it waits', async () => {
    const whenReady = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { seen, request, stop } = begin({ whenReady });
    const waiting = rejectionOf(request([]));
    await stop();
    expect([await waiting, await rejectionOf(request([]))]).to.deep.equal(['STOPPING', 'STOPPING']);
    expect([seen.runs, seen.problems]).to.deep.equal([0, []]);
  });
});
