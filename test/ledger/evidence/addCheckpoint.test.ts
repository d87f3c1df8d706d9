import { expect } from 'chai';
import { decodeAddCheckpoint, encodeAddCheckpoint } from '../../../ledger/evidence/addCheckpoint.ts';
import { UnreadableEvidence } from '../../../ledger/evidence/unreadableEvidence.ts';

const toHash = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const toHashes = (count: number): Uint8Array[] => Array.from({ length: count }, (_, at) => toHash(at));
const refuses = (body: string): void => {
  expect(() => decodeAddCheckpoint(body), body.slice(0, 40)).to.throw(UnreadableEvidence);
};

describe('a request for a cosignature', () => {
  it('is decoded as it was encoded, with no hash and with 63', () => {
    for (const proof of [[], toHashes(1), toHashes(63)]) {
      const request = { oldSize: 20_852_163, proof, checkpoint: 'a log\n\n— signature\n' };
      expect(decodeAddCheckpoint(encodeAddCheckpoint(request))).to.eql(request);
    }
  });

  it('has the form of the specification', () => {
    const text = encodeAddCheckpoint({ oldSize: 7, proof: [toHash(0)], checkpoint: 'note\n' });
    expect(text).to.equal('old 7\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\nnote\n');
  });

  it('has room for 128 KiB of a note and 64 lines of 45 characters, and no more', () => {
    const request = { oldSize: 1, proof: [], checkpoint: '' };
    const most = 131_072 + 64 * 45;
    const checkpoint = 'x'.repeat(most - encodeAddCheckpoint(request).length);
    expect(decodeAddCheckpoint(encodeAddCheckpoint({ ...request, checkpoint })).checkpoint).to.equal(checkpoint);
    refuses(encodeAddCheckpoint({ ...request, checkpoint: `${checkpoint}x` }));
  });

  it('is unreadable in any other form', () => {
    refuses(encodeAddCheckpoint({ oldSize: 1, proof: toHashes(64), checkpoint: '' }));
    for (const body of ['', 'old 1\n', 'new 1\n\n', '\n\n', 'old 1\nAAAA\n\n', 'old x\n\n', 'old 1\n=\n\n'])
      refuses(body);
  });
});
