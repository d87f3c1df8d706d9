import { sign } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { decodeCheckpoint, encodeCheckpoint } from '../../../ledger/evidence/checkpoint.ts';
import { encodeCosignature, toCosignedMessage } from '../../../ledger/evidence/cosignature.ts';
import { verifyCheckpoint } from '../../../ledger/evidence/signedCheckpoint.ts';
import { decodeSignedNote, encodeSignedNote, type NoteSignature } from '../../../ledger/evidence/signedNote.ts';
import { decodeVerifierKey, SIGNATURE_TYPE, toVerifierKey } from '../../../ledger/evidence/verifierKey.ts';
import { readC2spVectors } from '../../support/c2sp.ts';
import { privateKey } from '../../support/ed25519Keys.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { keys, checkpoints, notes, mutations } = readC2spVectors();
const log = decodeVerifierKey(keys.log);
const other = decodeVerifierKey(keys.other);
const witnesses = keys.witnesses.map(decodeVerifierKey);
const all = [log, ...witnesses];
const [, , cosigned] = checkpoints;
const { text, signatures } = decodeSignedNote(cosigned!.note);
const withSignatures = (changed: readonly NoteSignature[]): string => encodeSignedNote({ text, signatures: changed });
const flipLast = (line: NoteSignature): NoteSignature => {
  const signature = line.signature.slice();
  signature[signature.length - 1]! ^= 1;
  return { ...line, signature };
};

describe('a checkpoint', () => {
  for (const { origin, size, root, extensions, note } of checkpoints) {
    it(`is decoded and encoded as by other programs, of size ${size}`, () => {
      const decoded = decodeCheckpoint(decodeSignedNote(note).text);
      expect({ ...decoded, root: toHex(decoded.root) }).to.deep.equal({ origin, size, root, extensions });
      expect(encodeCheckpoint(decoded)).to.equal(decodeSignedNote(note).text);
    });
  }

  const root = `${'A'.repeat(43)}=`;
  const wrong: readonly [string, string][] = [
    ['two lines', 'a\n1\n'],
    ['no newline at the end', `a\n1\n${root}`],
    ['an empty origin', `\n1\n${root}\n`],
    ['no size', `a\n\n${root}\n`],
    ['a size with a leading zero', `a\n01\n${root}\n`],
    ['a size with a sign', `a\n+1\n${root}\n`],
    ['a negative size', `a\n-1\n${root}\n`],
    ['a size in hexadecimal', `a\n0x1\n${root}\n`],
    ['a size with a fraction', `a\n1.0\n${root}\n`],
    ['a size beyond 2^53 - 1', `a\n9007199254740992\n${root}\n`],
    ['a root of 31 bytes', `a\n1\n${'A'.repeat(40)}AA==\n`],
    ['a root that is no base64', `a\n1\n${'A'.repeat(42)}B=\n`],
    ['an empty further line', `a\n1\n${root}\n\nb\n`],
    ['65 further lines', `a\n1\n${root}\n${'b\n'.repeat(65)}`],
  ];
  for (const [name, body] of wrong) {
    it(`is unreadable with ${name}`, () => expect(isUnreadable(() => decodeCheckpoint(body))).to.equal(true));
  }

  it('is readable without any of that', () => {
    expect(decodeCheckpoint(`a\n9007199254740991\n${root}\n${'b\n'.repeat(64)}`).size).to.equal(2 ** 53 - 1);
    expect(decodeCheckpoint(`a\n0\n${root}\n`)).to.deep.equal({
      origin: 'a',
      size: 0,
      root: new Uint8Array(32),
      extensions: [],
    });
  });
});

describe('a signed checkpoint', () => {
  for (const { size, root, cosigners, note } of checkpoints) {
    it(`is verified as by other programs, of size ${size}`, () => {
      const verified = verifyCheckpoint(note, all)!;
      expect([verified.checkpoint.size, toHex(verified.checkpoint.root)]).to.deep.equal([size, root]);
      expect(verified.isLogSigned).to.equal(true);
      const found = verified.cosigners.map(({ key, timeSeconds }) => ({ name: key.name, time: timeSeconds }));
      expect(found.toSorted((a, b) => (a.name < b.name ? -1 : 1))).to.deep.equal(
        cosigners.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      );
    });
  }

  it('is signed by the named keys only', () => {
    expect(verifyCheckpoint(cosigned!.note, [])).to.deep.include({ isLogSigned: false, cosigners: [] });
    expect(verifyCheckpoint(cosigned!.note, [other])).to.deep.include({ isLogSigned: false, cosigners: [] });
    const one = verifyCheckpoint(cosigned!.note, witnesses.slice(1))!;
    expect([one.isLogSigned, one.cosigners.length]).to.deep.equal([false, 1]);
  });

  it('with a wrong signature of a named key is refused', () => {
    for (const [at, key] of all.entries()) {
      const note = withSignatures(signatures.map((line, index) => (index === at ? flipLast(line) : line)));
      expect(verifyCheckpoint(note, all), key.name).to.equal(undefined);
      expect(verifyCheckpoint(note, all.toSpliced(at, 1)), 'unless nobody named the key').to.not.equal(undefined);
    }
    const repeated = withSignatures([...signatures, flipLast(signatures[0]!)]);
    expect(verifyCheckpoint(repeated, all), 'besides a right one').to.equal(undefined);
  });

  it('is not signed for the log by a key with another name', () => {
    const signature = new Uint8Array(sign(null, Buffer.from(text), privateKey(2)));
    const note = withSignatures([{ name: other.name, id: other.id, signature }]);
    expect(verifyCheckpoint(note, [other])).to.deep.include({ isLogSigned: false });
  });

  it('counts a witness once, whatever its names and lines', () => {
    const [first] = witnesses;
    const renamed = toVerifierKey('witness.example/three', SIGNATURE_TYPE.cosignature, first!.publicKey);
    const line = signatures.find(({ id }) => id === first!.id)!;
    const note = withSignatures([...signatures, line, { ...line, name: renamed.name, id: renamed.id }]);
    expect(verifyCheckpoint(note, [...all, renamed, first!])!.cosigners).to.have.length(2);
  });

  it('is cosigned as by other programs', () => {
    const [first] = witnesses;
    const line = signatures.find(({ id }) => id === first!.id)!;
    const { time } = cosigned!.cosigners.find(({ name }) => name === first!.name)!;
    const signature = new Uint8Array(sign(null, toCosignedMessage(text, time), privateKey(4)));
    expect(encodeCosignature(time, signature)).to.deep.equal(line.signature);
  });

  it('is not cosigned at another time, or by a signature of another length', () => {
    const [first] = witnesses;
    const line = signatures.find(({ id }) => id === first!.id)!;
    const later = line.signature.slice();
    later[7]! ^= 1;
    for (const signature of [later, line.signature.subarray(1), Uint8Array.of(...line.signature, 0)]) {
      expect(verifyCheckpoint(withSignatures([{ ...line, signature }]), [first!])).to.equal(undefined);
    }
    const beyond = line.signature.slice();
    beyond[1] = 0x20;
    const note = withSignatures([{ ...line, signature: beyond }]);
    expect(isUnreadable(() => verifyCheckpoint(note, [first!]))).to.equal(true);
  });

  it('with a key of the wrong type is not signed', () => {
    const asWitness = toVerifierKey(log.name, SIGNATURE_TYPE.cosignature, log.publicKey);
    expect(verifyCheckpoint(cosigned!.note, [asWitness])).to.deep.include({ isLogSigned: false, cosigners: [] });
  });

  it('is unreadable when the text is no checkpoint', () => {
    for (const { note } of notes) expect(isUnreadable(() => verifyCheckpoint(note, all))).to.equal(true);
  });
});

describe('a signed checkpoint with one character changed', () => {
  const characters = [...cosigned!.note];
  const apply = (at: number, kind: string, character: string): string =>
    characters.toSpliced(at, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : [character])).join('');

  it('is accepted where another program accepts it, unless its base64 has unused bits or line breaks', () => {
    let [accepted, stricter] = [0, 0];
    for (const [at, kind, character, count] of mutations) {
      const note = apply(at, kind, character);
      let found = 0;
      isUnreadable(() => {
        const verified = verifyCheckpoint(note, all);
        found = verified === undefined ? 0 : Number(verified.isLogSigned) + verified.cosigners.length;
      });
      if (found > 0) expect(found, note).to.equal(count);
      accepted += Number(found > 0);
      stricter += Number(found === 0 && count > 0);
    }
    expect(mutations).to.have.length(400);
    expect(accepted).to.be.greaterThan(10);
    expect(stricter).to.be.lessThan(10);
  });
});
