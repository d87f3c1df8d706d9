// What the explorer's check finds of the evidence file of a ledger, by what its reader trusts.
import { expect } from 'chai';
import { checkEvidenceText, readKind } from '../../explorer/check/givenFile.ts';
import { toSentence } from '../../explorer/check/verdictWords.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { hashesOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

describe('the check of an evidence file', () => {
  const shared = useSharedLedger();
  let maker: EvidenceMaker;
  let event: EventResource;
  let file: EvidenceFile;
  before(async () => {
    const { ledger, alpha } = shared();
    maker = createEvidenceMaker(ledger);
    event = (await alpha.record(await alpha.createAsset(), 'checked')).body;
    file = await maker.event(event);
  });

  const check = async (checked: object, trust?: object) => {
    const kind = readKind(new TextEncoder().encode(JSON.stringify(checked)));
    if (kind === undefined || 'event' in kind) return expect.fail('it is not read as evidence');
    const result = await checkEvidenceText(kind.evidence, trust === undefined ? undefined : JSON.stringify(trust));
    return [result.kind, toSentence(result).word];
  };

  it('proves it by a block that its reader knows, and nothing without one', async () => {
    expect(await check(file, maker.trust({ blocks: hashesOf(file) }))).to.eql(['evidence', 'Proved']);
    expect(await check(file, maker.trust())).to.eql(['evidence', 'Consistent']);
    expect(await check(file)).to.eql(['evidence', 'Consistent']);
  });

  it('rejects it for another content, and for another ledger than the one that its reader knows', async () => {
    const forged = { ...file, claim: { kind: 'event', event: { ...event, operation: 'Other' } } };
    expect(await check(forged)).to.eql(['evidence', 'Rejected']);
    const other = { ...maker.trust({ blocks: hashesOf(file) }), contract: `0x${'11'.repeat(20)}` };
    expect(await check(file, other)).to.eql(['evidence', 'Rejected']);
  });
});
