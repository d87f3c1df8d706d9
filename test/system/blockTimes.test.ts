// The time of the block up to which a file proves something, in the verifier's answers.
import { expect } from 'chai';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { decodeBlockHeader, encodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import type { Question } from '../../ledger/evidence/bundle/findings.ts';
import { toRlpNumber } from '../../ledger/evidence/rlp.ts';
import { blockTimeOf, check } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

/** Further than a Date reaches. */
const LATE_SECONDS = Number.MAX_SAFE_INTEGER;

const atLateTime = (file: EvidenceFile): EvidenceFile => {
  const [block] = file.blocks as [{ header: string; rule: string }];
  const header = { ...decodeBlockHeader(fromBase64(block.header)), timestamp: toRlpNumber(LATE_SECONDS) };
  return { ...file, blocks: [{ ...block, header: toBase64(encodeBlockHeader(header)) }] };
};

describe('the time of the block in an answer', () => {
  const shared = useSharedLedger();
  let maker: EvidenceMaker;
  let files: [question: Question, file: EvidenceFile, leaves?: Uint8Array][];

  before(async () => {
    const { alpha, ledger } = shared();
    maker = createEvidenceMaker(ledger);
    const { identity: asset } = await alpha.createAsset();
    const absent = `${asset}/events/00000000-0000-4000-8000-000000000000`;
    const attested = await maker.attest(alpha.identity, [asset], []);
    const withAbsence = await maker.attest(alpha.identity, [], [absent]);
    const { file, leaves } = await maker.tenant(alpha.identity, attested);
    files = [
      ['completeness', await maker.history(alpha.identity, asset, attested)],
      ['completeness', file, leaves],
      ['absence', await maker.absence(alpha.identity, absent, withAbsence)],
    ];
  });

  it('is named, since newer records may follow', async () => {
    for (const [question, file, leaves] of files) {
      const { findings } = await check(file, maker.trust(), leaves);
      const { text } = findings.find((finding) => finding.question === question)!;
      expect(text).to.include(toBlockTimestamp(blockTimeOf(file)));
    }
  });

  it('may be any that a header has', async () => {
    for (const [question, file, leaves] of files) {
      const { exitCode, findings } = await check(atLateTime(file), maker.trust(), leaves);
      const { text } = findings.find((finding) => finding.question === question)!;
      expect([exitCode, text.includes(`second ${LATE_SECONDS}`)]).to.deep.equal([3, true]);
    }
  });
});
