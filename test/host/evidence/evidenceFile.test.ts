// The text of large evidence files is made in steps, so that others are served meanwhile.
import { expect } from 'chai';
import { encodeEvidenceFile, type FileParts, toFileDigests } from '../../../host/evidence/evidenceFile.ts';
import type { Steps } from '../../../ledger/compliance/steps.ts';
import { rejectionOf } from '../../support/refusals.ts';

const LEDGER = { chainId: 1, contract: `0x${'0'.repeat(40)}` } as const;

const run = <T>(steps: Steps<T>): { value: T; count: number } => {
  for (let count = 1; ; count += 1) {
    const result = steps.next();
    if (result.done) return { value: result.value, count };
  }
};

describe('the text of an evidence file', () => {
  const author = `0x${'1'.repeat(40)}` as const;
  const toParts = (payloads: readonly string[], changes: Partial<FileParts> = {}): FileParts => ({
    claim: { kind: 'history', name: 'ü"' },
    records: payloads.map((payload) => ({ author, payload })),
    blocks: [],
    proofs: [],
    ...changes,
  });

  it('is that of one JSON text, in a step for each record and for each part of a long text', () => {
    for (const [payloads, steps] of [
      [[], 1],
      [Array.from({ length: 1_000 }, (_, at) => String(at)), 1_000],
    ] as const) {
      const parts = toParts(payloads, { leaves: 'QUJD'.repeat(100_000) });
      const { value, count } = run(encodeEvidenceFile(LEDGER, parts));
      const { claim, ...others } = parts;
      const ledger = { chain_id: LEDGER.chainId, contract: LEDGER.contract };
      expect(value).to.equal(JSON.stringify({ format: 'provenance-ledger/evidence/1', ledger, claim, ...others }));
      expect(count).to.be.at.least(steps + 6);
    }
  });

  it('is refused beyond what a verifier reads', async () => {
    const large = toParts(Array(17).fill('A'.repeat(2 ** 20)));
    expect(await rejectionOf((async () => run(encodeEvidenceFile(LEDGER, large)))())).to.equal('EVIDENCE_TOO_LARGE');
  });

  it('has digests as one base64 text, in several steps', () => {
    const digests = Array.from({ length: 7_001 }, (_, at) => new Uint8Array(32).fill(at));
    const { value, count } = run(toFileDigests(digests));
    expect(value).to.equal(Buffer.concat(digests).toString('base64'));
    expect(count).to.equal(4);
  });
});
