// What evidence does while no checkpoint covers a record, and when what it is made of is wrong.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { fetchEvidenceBlock } from '../../../chain/evidence/evidenceBlock.ts';
import { FalseAnswer } from '../../../chain/jsonRpc/falseAnswer.ts';
import type { JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../../chain/jsonRpc/nodeMarks.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import { type Checkpoints, openCheckpoints } from '../../../host/evidence/openCheckpoints.ts';
import { type EvidenceDeps, openEvidence } from '../../../host/evidence/openEvidence.ts';
import type { TreeView } from '../../../indexer/treeView.ts';
import type { LedgerErrorCode } from '../../../ledger/errors.ts';
import { toKey } from '../../../ledger/identity.ts';
import { toContribution } from '../../../ledger/records/contribution.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import { createEvidenceMaker } from '../../support/evidenceFiles.ts';
import { anEvent } from '../../support/records.ts';
import { useSharedLedger } from '../../support/sharedLedger.ts';
import { until } from '../../support/until.ts';

const BATCH = 4;
const NEVER = (): Promise<void> => new Promise(() => undefined);

const codeOf = async (promise: Promise<unknown>): Promise<LedgerErrorCode | 'a file' | 'an error'> =>
  promise.then(
    () => 'a file',
    (error: { code?: LedgerErrorCode }) => error.code ?? 'an error',
  );

describe('the evidence of a ledger', () => {
  const shared = useSharedLedger();
  let checkpoints: Checkpoints;
  let assetIdentity: string;
  let tenantIdentity: string;

  const open = (changes: Partial<Omit<EvidenceDeps, 'ledger'>> & { trees?: Partial<TreeView> } = {}) => {
    const { trees, ...deps } = changes;
    const { ledger } = shared();
    return openEvidence({
      ledger: { ...ledger, trees: { ...ledger.trees, ...trees } },
      checkpoints,
      waitMs: 10_000,
      ...deps,
    });
  };
  // An event that shares its block.
  const recordBatch = async (): Promise<EventResource> => {
    const record = (at: number) => shared().alpha.record({ identity: assetIdentity }, `batch ${at}`);
    for (;;) {
      const answers = await Promise.all(Array.from({ length: BATCH }, (_, at) => record(at)));
      const blocks = Map.groupBy(answers, ({ body }) => body.block_number);
      const together = [...blocks.values()].find(({ length }) => length > 1);
      if (together !== undefined) return together[0]!.body;
    }
  };
  const history = { isDisclosed: false, isPublic: false };
  const toHistory = (changes = {}) => ({ tenantIdentity, assetIdentity, ...history, ...changes });

  before(async () => {
    const { alpha, ledger } = shared();
    ({ identity: assetIdentity } = await alpha.createAsset());
    tenantIdentity = alpha.identity;
    checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    // The first one is issued at the start.
    await checkpoints.request([]);
  });
  after(() => checkpoints.close());

  it('is pending when no checkpoint comes in time, and is there when one has come', async () => {
    const event = await recordBatch();
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const request: Checkpoints['request'] = async (names) => {
      await hold;
      await checkpoints.request(names);
    };
    const evidence = open({ checkpoints: { ...checkpoints, request }, waitMs: 20 });
    expect(await codeOf(evidence.makeEventEvidence(event))).to.equal('EVIDENCE_PENDING');
    expect(await codeOf(evidence.makeHistoryEvidence(toHistory()))).to.equal('EVIDENCE_PENDING');
    expect(await codeOf(evidence.makeTenantEvidence(tenantIdentity))).to.equal('EVIDENCE_PENDING');
    release();
    await until(async () => (await codeOf(evidence.makeEventEvidence(event))) === 'a file');
    await until(async () => (await codeOf(evidence.makeHistoryEvidence(toHistory()))) === 'a file');
  });

  it('is checked in turns of the event loop, however many files are asked for at once', async () => {
    const evidence = open();
    const event = await recordBatch();
    await evidence.makeEventEvidence(event);
    let turn = 0;
    let count = setImmediate(function next() {
      turn += 1;
      count = setImmediate(next);
    });
    const makeOne = async (): Promise<number> => {
      await evidence.makeEventEvidence(event);
      return turn;
    };
    const turns = await Promise.all(Array.from({ length: 5 }, makeOne));
    clearImmediate(count);
    expect(new Set(turns).size).to.equal(5);
  });

  it('is pending at once, or lags, when too few witnesses cosign the new checkpoint', async () => {
    const evidence = open({ checkpoints: { ...checkpoints, request: async () => undefined }, waitMs: 2 ** 30 });
    const countOf = (text: string): number => (JSON.parse(text) as { claim: { count: number } }).claim.count;
    const count = countOf(await open().makeHistoryEvidence(toHistory()));
    expect(await codeOf(evidence.makeEventEvidence(await recordBatch()))).to.equal('EVIDENCE_PENDING');
    expect(countOf(await evidence.makeHistoryEvidence(toHistory()))).to.equal(count);
    const { identity } = await shared().alpha.createAsset();
    expect(await codeOf(evidence.makeHistoryEvidence(toHistory({ assetIdentity: identity })))).to.equal(
      'EVIDENCE_PENDING',
    );
  });

  it('passes on why a checkpoint failed, and that the server stops', async () => {
    const event = await recordBatch();
    const { ledger } = shared();
    const stopped = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    await stopped.request([]);
    const waiting = codeOf(
      open({
        checkpoints: {
          ...stopped,
          request: (names) => Promise.all([stopped.close(), stopped.request(names)]).then() as Promise<never>,
        },
      }).makeEventEvidence(await recordBatch()),
    );
    expect(await waiting).to.equal('STOPPING');
    expect(event.confirmation_status).to.equal('CONFIRMED');
  });

  it('is refused without a token, and of a range, for an asset to which other tenants contributed', async () => {
    const always = open({ trees: { readContributors: async () => ['x'] } });
    for (const changes of [{ isPublic: true }, { from: 1, to: 1 }])
      expect(await codeOf(always.makeHistoryEvidence(toHistory(changes)))).to.equal('EVIDENCE_INCOMPLETE');
    expect(await codeOf(always.makeTenantEvidence(tenantIdentity))).to.equal('a file');
  });

  it('is pending when the first contribution is indexed while the file is made', async () => {
    let reads = 0;
    const later = open({ trees: { readContributors: async () => (++reads > 1 ? ['x'] : []) } });
    expect(await codeOf(later.makeHistoryEvidence(toHistory()))).to.equal('EVIDENCE_PENDING');
    expect(await codeOf(open().makeHistoryEvidence(toHistory()))).to.equal('a file');
  });

  it('is none that counts other contributions than the index', async () => {
    const { trees } = shared().ledger;
    const { beta } = shared();
    const event = anEvent({ identity: `${assetIdentity}/events/${randomUUID()}` });
    await shared().ledger.writer.append(beta.identity, toContribution(event, tenantIdentity));
    const counting: Partial<TreeView> = { readContributors: async () => [beta.identity], hasEffect: async () => true };
    const disclosed = toHistory({ isDisclosed: true });
    expect(await codeOf(open({ trees: counting }).makeHistoryEvidence(disclosed))).to.equal('EVIDENCE_INCOMPLETE');
    let reads = 0;
    const changing: Partial<TreeView> = {
      ...counting,
      hasEffect: async (...given) => ++reads > 1 || trees.hasEffect(...given),
    };
    expect(await codeOf(open({ trees: changing }).makeHistoryEvidence(disclosed))).to.equal('EVIDENCE_PENDING');
  });

  it('is too large with more records of several tenants than a verifier reads', async () => {
    const { trees } = shared().ledger;
    const [record] = await trees.readStreamRecords(toKey(tenantIdentity), toKey(assetIdentity), 1, 1);
    const endless: Partial<TreeView> = {
      readContributors: async () => [shared().beta.identity],
      readStreamRecords: async (_tenant, _stream, from, to) => Array.from({ length: to - from + 1 }, () => record!),
    };
    const disclosed = toHistory({ isDisclosed: true });
    expect(await codeOf(open({ trees: endless }).makeHistoryEvidence(disclosed))).to.equal('EVIDENCE_TOO_LARGE');
  });

  it('is limited for each tenant, and without a token apart from that', async () => {
    await recordBatch();
    const evidence = open({ checkpoints: { ...checkpoints, request: NEVER }, waitMs: 1 });
    const refusedAfter = async (isPublic: boolean): Promise<number> => {
      for (let count = 0; ; count += 1) {
        const code = await codeOf(evidence.makeHistoryEvidence(toHistory({ isPublic })));
        if (code === 'RATE_LIMITED') return count;
        expect(code).to.equal('EVIDENCE_PENDING');
      }
    };
    expect(await refusedAfter(true)).to.be.within(10, 20);
    expect(await refusedAfter(false)).to.be.within(100, 120);
    const { beta } = shared();
    await beta.createAsset();
    expect(await codeOf(evidence.makeTenantEvidence(beta.identity))).to.equal('EVIDENCE_PENDING');
  });

  it('is made without a block log, too, where somebody attested the tree', async () => {
    const event = await recordBatch();
    const evidence = open({ checkpoints: undefined });
    expect(await codeOf(evidence.makeEventEvidence(event))).to.equal('EVIDENCE_PENDING');
    await createEvidenceMaker(shared().ledger).attest(tenantIdentity);
    await shared().ledger.catchUpTo((await shared().ledger.chain.fetchFinalHead()).number);
    const file = JSON.parse(await evidence.makeEventEvidence(event));
    expect(file.blocks[0].anchors).to.deep.equal([]);
  });

  it('is none when the index has wrong trees', async () => {
    const event = await recordBatch();
    await checkpoints.request([]);
    const { trees } = shared().ledger;
    const wrong: Partial<TreeView>[] = [
      { readNodes: async (...given) => (await trees.readNodes(...given)).map((hash) => hash.map((byte) => byte ^ 1)) },
      {
        readAttestedTree: async (...given) => {
          const tree = (await trees.readAttestedTree(...given))!;
          return { ...tree, size: tree.size + 1 };
        },
      },
      {
        readTreeRecord: async (...given) => {
          const found = (await trees.readTreeRecord(...given))!;
          return { ...found, leaf: { ...found.leaf, sequence: found.leaf.sequence + 1 } };
        },
      },
      {
        readTreeRecord: async (...given) => {
          const found = (await trees.readTreeRecord(...given))!;
          return { ...found, index: found.index - 1 };
        },
      },
    ];
    expect(await codeOf(open().makeEventEvidence(event))).to.equal('a file');
    for (const reads of wrong)
      expect(await codeOf(open({ trees: reads }).makeEventEvidence(event))).to.equal('an error');
    const swapped: Partial<TreeView> = {
      readStreamRecords: async (...given) => (await trees.readStreamRecords(...given)).toReversed(),
    };
    expect(await codeOf(open().makeHistoryEvidence(toHistory()))).to.equal('a file');
    expect(await codeOf(open({ trees: swapped }).makeHistoryEvidence(toHistory()))).to.equal('an error');
  });

  it('is none of a block that is not the one of its hash', async () => {
    const { chain } = shared().ledger;
    const { number, hash } = await chain.fetchFinalHead();
    const change = (name: string, part: string, value: string): JsonRpcClient => {
      const request: JsonRpcClient['request'] = async (method, params) => {
        const answer = await chain.request(method, params);
        if (method !== name) return answer;
        const changed = (one: object): object => ({ ...one, [part]: value });
        return Array.isArray(answer) ? answer.map(changed) : changed(answer as object);
      };
      return {
        name: 'a node',
        marks: createNodeMarks(() => 0),
        request,
        requestBatch: (calls) => Promise.all(calls.map((one) => request(one.method, one.params))),
      };
    };
    const word = `0x${'ab'.repeat(32)}`;
    for (const client of [
      change('eth_getBlockByNumber', 'receiptsRoot', word),
      change('eth_getBlockByNumber', 'timestamp', '0x1'),
      change('eth_getBlockReceipts', 'cumulativeGasUsed', '0x1'),
      change('eth_getBlockReceipts', 'status', '0x0'),
    ]) {
      const refusal = await fetchEvidenceBlock(client, { number, hash }).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(FalseAnswer);
    }
    const block = await fetchEvidenceBlock(change('', '', ''), { number, hash });
    expect([toQuantity(block.number), block.hash, block.rule]).to.deep.equal([toQuantity(number), hash, 'ethereum']);
    expect(await codeOf(fetchEvidenceBlock(change('', '', ''), { number, hash: word as typeof hash }))).to.equal(
      'CHAIN_UNAVAILABLE',
    );
  });
});
