// Evidence of an event by its own log, which a client may ask for: a record of another ledger's checkpoint needs it.
import { expect } from 'chai';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { check, provedOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type JsonAnswer, type ListeningServer, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const LARGE = 'x'.repeat(4_000);
const TOGETHER = 5;
const OTHER_LOG = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

describe('evidence of an event by its own log', () => {
  const shared = useSharedLedger();
  let checkpoints: NonNullable<Awaited<ReturnType<typeof openCheckpoints>>>;
  let server: ListeningServer;
  let tenant: FixtureTenant;
  let asset: { identity: string };

  before(async () => {
    const { ledger } = shared();
    checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    server = await serveTestLedger(ledger, { evidence: openEvidence({ ledger, checkpoints, waitMs: 30_000 }) });
    tenant = await createFixtureTenant(ledger, server, 'gamma');
    asset = await tenant.createAsset();
  });
  after(async () => {
    await server.close();
    await checkpoints.close();
  });

  const fetchProof = (identity: string, query: string): Promise<JsonAnswer<EvidenceFile>> =>
    tenant.get(`${identity}:evidence${query}`);
  const codeOf = ({ body }: JsonAnswer<EvidenceFile>): unknown => (body.details as EvidenceFile[])[0]!.error;

  it('has the log and a checkpoint with its block, also where a leaf is smaller', async () => {
    const { body: event } = await tenant.record(asset, LARGE);
    const proofsOf = ({ body }: JsonAnswer<EvidenceFile>): unknown[] =>
      (body.proofs as EvidenceFile[]).map(({ kind }) => kind);
    const byLog = await fetchProof(event.identity, '?proof=log');
    expect(proofsOf(byLog)).to.deep.equal(['log']);
    const trust = createEvidenceMaker(shared().ledger).trust({ logs: [checkpoints.logKey] });
    const verdict = await check(byLog.body, trust);
    expect([verdict.exitCode, provedOf(verdict)]).to.deep.equal([
      0,
      ['content', 'author', 'position', 'chain', 'operator'],
    ]);
    expect(proofsOf(await fetchProof(event.identity, ''))).to.deep.equal(['log', 'leaf']);
  });

  it('lacks a checkpoint only where it has none, not where its checkpoint is of another log', async () => {
    const { body: event } = await tenant.record(asset, 'other');
    const { body: file } = await fetchProof(event.identity, '?proof=log');
    const trust = createEvidenceMaker(shared().ledger).trust({ logs: [OTHER_LOG] });
    const withoutAnchors = {
      ...file,
      blocks: (file.blocks as EvidenceFile[]).map((block) => ({ ...block, anchors: [] })),
    };
    const explanationOf = async (checked: EvidenceFile) =>
      (await check(checked, trust)).findings.filter(({ question }) => question === 'operator').map(({ text }) => text);
    expect(await explanationOf(file)).to.deep.equal(['']);
    expect(await explanationOf(withoutAnchors)).to.deep.equal(['the file has no checkpoint of a log']);
  });

  it('is refused when the log would show other records', async () => {
    let refused: JsonAnswer<EvidenceFile> | undefined;
    // On a slow machine each of them may be alone.
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: TOGETHER }, () => tenant.record(asset, 'together')));
      const events = answers.map(({ body }): EventResource => body);
      const files = await Promise.all(events.map(({ identity }) => fetchProof(identity, '?proof=log')));
      refused = files.find(({ status }) => status !== 200);
      return refused !== undefined;
    });
    expect([refused!.status, codeOf(refused!)]).to.deep.equal([409, 'RECORD_NOT_ALONE']);
  });

  it('is one of two forms, and of the own tenant', async () => {
    const { body: event } = await tenant.record(asset, 'one');
    const other = await fetchProof(event.identity, '?proof=leaf');
    expect([other.status, codeOf(other)]).to.deep.equal([400, 'REQUEST_INVALID']);
    expect((await shared().alpha.get(`${event.identity}:evidence?proof=log`)).status).to.equal(404);
  });
});
