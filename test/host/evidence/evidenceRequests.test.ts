// Requests for evidence whose client is gone, and those that are in progress when the server stops: none of them reads
// the index after that.
import { expect } from 'chai';
import { type Checkpoints, openCheckpoints } from '../../../host/evidence/openCheckpoints.ts';
import { type EvidenceDeps, openEvidence } from '../../../host/evidence/openEvidence.ts';
import type { TreeView } from '../../../indexer/treeView.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { useSharedLedger } from '../../support/sharedLedger.ts';
import { until } from '../../support/until.ts';

/** Two pages, which are read in turns of the tenants. */
const RECORDS = 150;
const GONE = new LedgerError('REQUEST_TIMEOUT');

const countLeaves = async (leaves: AsyncIterable<Uint8Array>): Promise<number> => {
  let count = 0;
  for await (const leaf of leaves) count += leaf.length / 80;
  return count;
};

describe('a request for evidence', () => {
  const shared = useSharedLedger();
  let checkpoints: Checkpoints;
  let assetIdentity: string;

  before(async () => {
    const { alpha, ledger } = shared();
    const asset = await alpha.createAsset();
    assetIdentity = asset.identity;
    await Promise.all(Array.from({ length: RECORDS }, (_, at) => alpha.record(asset, `event ${at}`)));
    checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
  });
  after(() => checkpoints.close());

  // Evidence whose second pages wait for `go`.
  const open = (deps: Partial<EvidenceDeps> = {}) => {
    const { promise: gate, resolve: go } = Promise.withResolvers<void>();
    const { ledger, alpha } = shared();
    const pages: number[] = [];
    let reading = 0;
    const readStreamRecords: TreeView['readStreamRecords'] = async (tenantKey, streamKey, from, to) => {
      // Single records are looked up for other reasons.
      if (to > from) pages.push(from);
      reading += 1;
      try {
        if (to > from && from > 1) await gate;
        return await ledger.trees.readStreamRecords(tenantKey, streamKey, from, to);
      } finally {
        reading -= 1;
      }
    };
    const trees = { ...ledger.trees, readStreamRecords };
    const evidence = openEvidence({ ledger: { ...ledger, trees }, checkpoints, waitMs: 30_000, ...deps });
    const query = { tenantIdentity: alpha.identity, assetIdentity, isDisclosed: true, isPublic: false };
    return {
      ...evidence,
      make: (signal?: AbortSignal) => evidence.makeHistoryEvidence(query, signal && { signal }),
      go,
      pages,
      countReading: () => reading,
    };
  };

  it('ends in the queue and at its next page when its client is gone', async () => {
    const { make, go, pages } = open();
    const [reads, waits, stays] = [new AbortController(), new AbortController(), new AbortController()];
    const read = rejectionOf(make(reads.signal));
    await until(() => pages.length === 2);
    const [waiting, staying] = [rejectionOf(make(waits.signal)), make(stays.signal)];
    waits.abort(GONE);
    expect(await waiting).to.equal('REQUEST_TIMEOUT');
    reads.abort(GONE);
    go();
    expect(await read).to.equal('REQUEST_TIMEOUT');
    expect(JSON.parse(await staying).records).to.have.length(RECORDS + 1);
    expect(pages).to.deep.equal([1, 101, 1, 101]);
  });

  it('ends before a checkpoint when its client is gone', async () => {
    const asset = await shared().alpha.createAsset();
    const request = (): Promise<void> => new Promise(() => undefined);
    const { makeHistoryEvidence } = open({ checkpoints: { ...checkpoints, request } });
    const gone = new AbortController();
    const query = { tenantIdentity: shared().alpha.identity, assetIdentity: asset.identity, isDisclosed: false };
    const waiting = rejectionOf(makeHistoryEvidence({ ...query, isPublic: false }, { signal: gone.signal }));
    setImmediate(() => gone.abort(GONE));
    expect(await waiting).to.equal('REQUEST_TIMEOUT');
  });

  it('for the list of a tenant ends between two leaves when its client is gone', async () => {
    const { ledger, alpha } = shared();
    const gone = new AbortController();
    let read = 0;
    const readLeaves: TreeView['readLeaves'] = async function* (...given) {
      for await (const leaf of ledger.trees.readLeaves(...given)) {
        read += 1;
        if (read === 10) gone.abort(GONE);
        yield leaf;
      }
    };
    const trees = { ...ledger.trees, readLeaves };
    const { makeTenantEvidence } = openEvidence({ ledger: { ...ledger, trees }, checkpoints, waitMs: 30_000 });
    expect(await rejectionOf(makeTenantEvidence(alpha.identity, { signal: gone.signal }))).to.equal('REQUEST_TIMEOUT');
    expect(read).to.equal(10);
  });

  it('is refused in the queue when the server stops, and ends when it closes, which waits for its reads', async () => {
    const stopping = new AbortController();
    const { make, close, go, pages, countReading } = open({ stopping: stopping.signal });
    // Of two requests that begin at once, either may have the first turn.
    const read = rejectionOf(make());
    await until(() => pages.length === 2);
    const waiting = rejectionOf(make());
    stopping.abort();
    expect(await waiting).to.equal('STOPPING');
    let isClosed = false;
    const closing = close().then(() => {
      isClosed = true;
      expect(countReading()).to.equal(0);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isClosed, countReading()]).to.deep.equal([false, 1]);
    go();
    expect(await read).to.equal('STOPPING');
    await closing;
    expect(await rejectionOf(make())).to.equal('STOPPING');
  });

  it('for a list of leaves ends when the server closes', async () => {
    const { openTenantLeaves, close } = open();
    const [read, unread] = [
      (await openTenantLeaves(shared().alpha.identity, RECORDS))!,
      (await openTenantLeaves(shared().alpha.identity, RECORDS))!,
    ];
    expect(await countLeaves(read)).to.equal(RECORDS);
    await close();
    expect(await rejectionOf(countLeaves(unread))).to.equal('STOPPING');
  });

  it('for a large file is refused while its tenant has not read others, until it has, or is gone', async () => {
    const { make, go } = open();
    go();
    const { length } = await make();
    const full = open({ answerMemory: { smallMax: 0, partyMax: 2.5 * length, tenantsMax: 10 * length } });
    full.go();
    const clients = Array.from({ length: 4 }, () => new AbortController());
    const makeFor = (at: number): Promise<string> => full.make(clients[at]!.signal);
    expect([(await makeFor(0)).length, (await makeFor(1)).length]).to.deep.equal([length, length]);
    expect(await rejectionOf(makeFor(2))).to.equal('EVIDENCE_PENDING');
    clients[0]!.abort();
    expect((await makeFor(3)).length).to.equal(length);
    expect(await rejectionOf(makeFor(2))).to.equal('EVIDENCE_PENDING');
  });
});
