import { expect } from 'chai';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { hashLeaf } from '../../../ledger/evidence/merkleTree.ts';
import { verifyCheckpoint } from '../../../ledger/evidence/signedCheckpoint.ts';
import { decodeTlogProof, encodeTlogProof, isProvenEntry } from '../../../ledger/evidence/tlogProof.ts';
import { decodeVerifierKey } from '../../../ledger/evidence/verifierKey.ts';
import { readC2spVectors } from '../../support/c2sp.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { keys, proofs } = readC2spVectors();
const log = decodeVerifierKey(keys.log);

describe('a proof of a log', () => {
  for (const { index, size, entry, extra, proof } of proofs) {
    it(`is decoded, verified and encoded as by other programs: entry ${index} of ${size}`, () => {
      const decoded = decodeTlogProof(proof);
      expect(decoded.index).to.equal(index);
      expect(decoded.extra && toHex(decoded.extra)).to.equal(extra);
      expect(encodeTlogProof(decoded)).to.equal(proof);
      expect(isProvenEntry(decoded, hashLeaf(fromHex(entry)))).to.equal(true);
      expect(verifyCheckpoint(decoded.checkpoint, [log])).to.deep.include({ isLogSigned: true });
    });

    it(`fails for another entry, index or path: entry ${index} of ${size}`, () => {
      const decoded = decodeTlogProof(proof);
      const leaf = hashLeaf(fromHex(entry));
      expect(isProvenEntry(decoded, hashLeaf(Uint8Array.of(1)))).to.equal(false);
      expect(isProvenEntry({ ...decoded, path: [...decoded.path, leaf] }, leaf)).to.equal(false);
      if (size > 1) expect(isProvenEntry({ ...decoded, index: index === 0 ? 1 : index - 1 }, leaf)).to.equal(false);
      expect(isUnreadable(() => isProvenEntry({ ...decoded, index: size }, leaf))).to.equal(true);
    });
  }

  const checkpoint = proofs[0]!.proof.split('\n\n').slice(1).join('\n\n');
  const hash = `${'A'.repeat(43)}=`;
  const header = 'c2sp.org/tlog-proof@v1';
  const wrong: readonly [string, string][] = [
    ['no text', ''],
    ['another version', `c2sp.org/tlog-proof@v2\nindex 0\n\n${checkpoint}`],
    ['no index', `${header}\n\n${checkpoint}`],
    ['an index with a leading zero', `${header}\nindex 00\n\n${checkpoint}`],
    ['a negative index', `${header}\nindex -1\n\n${checkpoint}`],
    ['an index beyond 2^53 - 1', `${header}\nindex 9007199254740992\n\n${checkpoint}`],
    ['an index before the extra data', `${header}\nindex 0\nextra AA==\n\n${checkpoint}`],
    ['extra data twice', `${header}\nextra AA==\nextra AA==\nindex 0\n\n${checkpoint}`],
    ['extra data that are no base64', `${header}\nextra AB==\nindex 0\n\n${checkpoint}`],
    ['a hash of 31 bytes', `${header}\nindex 0\n${'A'.repeat(40)}AA==\n\n${checkpoint}`],
    ['a hash that is no base64', `${header}\nindex 0\n${hash.slice(1)}\n\n${checkpoint}`],
    ['65 hashes', `${header}\nindex 0\n${`${hash}\n`.repeat(65)}\n${checkpoint}`],
    ['many lines', `${header}\nindex 0\n${'\r\n'.repeat(1000)}\n${checkpoint}`],
    ['carriage returns', `${header}\r\nindex 0\r\n\r\n${checkpoint}`],
    ['no empty line', `${header}\nindex 0\n`],
    ['more than 256 KiB', `${header}\nextra ${'AAAA'.repeat(65_536)}\nindex 0\n\n${checkpoint}`],
  ];
  for (const [name, text] of wrong) {
    it(`is unreadable with ${name}`, () => expect(isUnreadable(() => decodeTlogProof(text))).to.equal(true));
  }

  it('is readable with 64 hashes, and proves nothing without a checkpoint', () => {
    const proof = decodeTlogProof(`${header}\nindex 0\n${`${hash}\n`.repeat(64)}\n`);
    expect(proof.path).to.have.length(64);
    expect(proof.checkpoint).to.equal('');
    expect(isUnreadable(() => isProvenEntry(proof, new Uint8Array(32)))).to.equal(true);
  });
});
