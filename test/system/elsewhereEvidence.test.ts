// A checkpoint of the block log that is recorded on another ledger, and what that proves to whom.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { decodeTlogProof } from '../../ledger/evidence/tlogProof.ts';
import { EMBEDDED, EXTERNAL } from '../support/chainKinds.ts';
import { check, EXIT_UNREADABLE, hashOf, provedOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { type Json, mutationsOf } from '../support/mutations.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { LOG_ROOTS, toAnchor } from '../verifiers/originals.ts';

describe('a checkpoint recorded on another ledger', () => {
  const [own, other] = [useSharedLedger({}, EMBEDDED), useSharedLedger({}, EXTERNAL)];
  let [maker, otherMaker] = [] as unknown as [EvidenceMaker, EvidenceMaker];
  let file: EvidenceFile;
  let recorded: EvidenceFile;
  let unrelated: EvidenceFile;

  const anchorOf = (): EvidenceFile => toAnchor(fromHex(hashOf(file) as Hex)) as EvidenceFile;
  const toRecord = (evidence: EvidenceFile): EvidenceFile => ({
    ledger: evidence.ledger!,
    block: (evidence.blocks as Json[])[0]!,
    proof: (evidence.proofs as Json[])[0]!,
  });
  const withRecords = (elsewhere: Json): EvidenceFile => {
    const [block] = file.blocks as [EvidenceFile];
    return { ...file, blocks: [{ ...block, anchors: [{ ...anchorOf(), elsewhere }] }] };
  };
  const known = (roots: EvidenceFile): EvidenceFile => ({ ...(recorded.ledger as EvidenceFile), ...roots });
  const trustIn = (...elsewhere: Json[]): EvidenceFile => maker.trust({ blocks: [hashOf(file)], elsewhere });
  const exitCodeOf = async (records: Json, trust = trustIn(known({ blocks: [hashOf(recorded)] }))): Promise<number> =>
    (await check(withRecords(records), trust)).exitCode;

  const recordOn = async (note: string): Promise<EvidenceFile> => {
    const { alpha } = other();
    const { body } = await alpha.record(await alpha.createAsset(), note);
    return otherMaker.event(body);
  };

  before(async () => {
    const { alpha, ledger } = own();
    [maker, otherMaker] = [createEvidenceMaker(ledger), createEvidenceMaker(other().ledger)];
    const { body } = await alpha.record(await alpha.createAsset(), 'anchored');
    file = await maker.event(body);
    const { text } = decodeSignedNote(decodeTlogProof(anchorOf().proof as string).checkpoint);
    recorded = await recordOn(createHash('sha256').update(text).digest('hex'));
    unrelated = await recordOn(createHash('sha256').update(`${text}\n`).digest('hex'));
  });

  it('is proved under a root that the caller named of that ledger', async () => {
    const verdict = await check(withRecords([toRecord(recorded)]), trustIn(known({ blocks: [hashOf(recorded)] })));
    expect([verdict.exitCode, provedOf(verdict).includes('elsewhere')], JSON.stringify(verdict.findings)).to.eql([
      0,
      true,
    ]);
    const [block] = recorded.blocks as [EvidenceFile];
    const anchors = [toAnchor(fromHex(hashOf(recorded) as Hex))];
    const logged = [{ ...toRecord(recorded), block: { ...block, anchors } }];
    const inLog = await check(withRecords(logged), trustIn(known({ logs: LOG_ROOTS.logs! })));
    expect([inLog.exitCode, provedOf(inLog).includes('elsewhere')]).to.eql([0, true]);
  });

  it('is not answered without such a root, and proves nothing of the chain itself', async () => {
    const records = [toRecord(recorded)];
    const unlike = known({ blocks: [hashOf(recorded)], chain_id: 5 });
    for (const trust of [trustIn(), trustIn(known({})), trustIn(known({ blocks: [hashOf(file)] })), trustIn(unlike)]) {
      const verdict = await check(withRecords(records), trust);
      expect([verdict.exitCode, provedOf(verdict).includes('elsewhere')]).to.eql([0, false]);
    }
    const elsewhere = [known({ blocks: [hashOf(recorded)] })];
    expect(await exitCodeOf(records, maker.trust({ elsewhere }))).to.equal(3);
  });

  it('is refuted if the record has another hash, or is none, also for a ledger that the caller does not know', async () => {
    const { alpha } = other();
    const absence = await otherMaker.attest(alpha.identity, [], []);
    const attested = await otherMaker.tenant(alpha.identity, absence);
    const [block] = recorded.blocks as [EvidenceFile];
    const foreign = { ...block, anchors: [toAnchor(fromHex(hashOf(file) as Hex))] };
    const wrong: EvidenceFile[] = [
      toRecord(unrelated),
      toRecord(attested.file),
      { ...toRecord(recorded), proof: toRecord(unrelated).proof! },
      { ...toRecord(recorded), ledger: file.ledger! },
      { ...toRecord(recorded), block: foreign },
    ];
    for (const record of wrong) {
      expect(await exitCodeOf([record])).to.equal(1);
      expect(await exitCodeOf([toRecord(recorded), record], trustIn())).to.equal(1);
    }
  });

  it('is unreadable one level deeper, and with too many records', async () => {
    const record = toRecord(recorded);
    const [block] = withRecords([record]).blocks as [EvidenceFile];
    const wrong: Json[] = [
      [{ ...record, block }],
      [record, record, record],
      {},
      [{ ...record, proof: { ...(record.proof as EvidenceFile), block: 1 } }],
      [{ ...record, proof: { ...(record.proof as EvidenceFile), kind: 'leaf' } }],
      [{ ...record, block: { ...(record.block as EvidenceFile), rule: 'qbft' } }],
    ];
    for (const records of wrong) expect(await exitCodeOf(records)).to.equal(EXIT_UNREADABLE);
    for (const elsewhere of [
      {},
      [{}],
      [{ ...known({}), elsewhere: [] }],
      [known({ quorum: 1 })],
      [known({ code_hash: '0x' })],
    ]) {
      expect((await check(file, maker.trust({ elsewhere } as EvidenceFile))).exitCode).to.equal(EXIT_UNREADABLE);
    }
  });

  it('is accepted with no change', async () => {
    const record = toRecord(recorded);
    const trust = trustIn(known({ blocks: [hashOf(recorded)] }));
    for (const changed of mutationsOf(record)) {
      const verdict = await check(withRecords([changed]), trust);
      // One of the changes takes the last anchor of none.
      if (provedOf(verdict).includes('elsewhere')) expect(changed).to.deep.equal(record);
    }
  });
});
