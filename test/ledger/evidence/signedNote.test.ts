import { sign } from 'node:crypto';
import { expect } from 'chai';
import { isEd25519Signature } from '../../../ledger/evidence/ed25519.ts';
import { toUtf8 } from '../../../ledger/evidence/lines.ts';
import { decodeSignedNote, encodeSignedNote } from '../../../ledger/evidence/signedNote.ts';
import { decodeVerifierKey } from '../../../ledger/evidence/verifierKey.ts';
import { readC2spVectors } from '../../support/c2sp.ts';
import { privateKey } from '../../support/ed25519Keys.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { notes, checkpoints, keys } = readC2spVectors();

describe('a signed note', () => {
  for (const { text, vkeys, note } of notes) {
    it(`is decoded and encoded as by another program: ${JSON.stringify(text)}`, () => {
      const decoded = decodeSignedNote(note);
      expect(decoded.text).to.equal(text);
      expect(encodeSignedNote(decoded)).to.equal(note);
      const signers = vkeys.map(decodeVerifierKey);
      expect(decoded.signatures.map(({ name, id }) => [name, id])).to.deep.equal(
        signers.map(({ name, id }) => [name, id]),
      );
      for (const [at, { publicKey }] of signers.entries()) {
        const { signature } = decoded.signatures[at]!;
        expect(isEd25519Signature(publicKey, toUtf8(text), signature)).to.equal(true);
        expect(isEd25519Signature(publicKey, toUtf8(`${text} `), signature)).to.equal(false);
      }
    });
  }

  it('is signed as by another program', () => {
    const { text, note } = notes[0]!;
    const { name, id } = decodeVerifierKey(keys.log);
    const signature = new Uint8Array(sign(null, toUtf8(text), privateKey(1)));
    expect(encodeSignedNote({ text, signatures: [{ name, id, signature }] })).to.equal(note);
  });

  it('is the example of the specification', () => {
    const note =
      'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
    const { text, signatures } = decodeSignedNote(note);
    const { publicKey } = decodeVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    expect(isEd25519Signature(publicKey, toUtf8(text), signatures[0]!.signature)).to.equal(true);
  });

  it('may have 64 signatures, of 5 kB each if there are 16', () => {
    const signature = new Uint8Array(5000);
    const large = encodeSignedNote({ text: 'a\n', signatures: new Array(16).fill({ name: 'b', id: 7, signature }) });
    expect(decodeSignedNote(large).signatures).to.have.length(16);
    const small = { name: 'b', id: 7, signature: new Uint8Array(64) };
    const many = (count: number): string => encodeSignedNote({ text: 'a\n', signatures: new Array(count).fill(small) });
    expect(decodeSignedNote(many(64)).signatures).to.have.length(64);
    expect(isUnreadable(() => decodeSignedNote(many(65)))).to.equal(true);
    expect(isUnreadable(() => decodeSignedNote(`${'a'.repeat(128 * 1024)}\n\n— b AAAAAAE=\n`))).to.equal(true);
  });

  const line = '— b AAAAAAE=\n';
  const wrong: readonly [string, string][] = [
    ['no text', ''],
    ['no signatures', 'a\n\n'],
    ['no empty line', `a\n${line}`],
    ['no empty line, but a character before the signature', `a${line}`],
    ['no newline at the end', `a\n\n${line.slice(0, -1)}`],
    ['an empty line after the signatures', `a\n\n${line}\n`],
    ['text between the signatures', `a\n\n${line}c\n${line}`],
    ['another dash', `a\n\n${line.replace('—', '-')}`],
    ['no blank after the dash', `a\n\n${line.replace('— ', '—')}`],
    ['no name', 'a\n\n—  AAAAAAE=\n'],
    ['a plus in the name', 'a\n\n— b+c AAAAAAE=\n'],
    ['no signature', 'a\n\n— b\n'],
    ['an empty signature', 'a\n\n— b AAAAAA==\n'],
    ['a signature that is no base64', 'a\n\n— b AAAAAAF=\n'],
    ['two signatures in a line', 'a\n\n— b AAAAAAE= AAAAAAE=\n'],
    ['a carriage return', `a\r\n\n${line}`],
    ['a tab', `a\t\n\n${line}`],
    ['the last control character', `a\x1f\n\n${line}`],
    ['a zero byte', `a\0\n\n${line}`],
    ['half a character', `a\ud800\n\n${line}`],
  ];
  for (const [name, note] of wrong) {
    it(`is unreadable with ${name}`, () => expect(isUnreadable(() => decodeSignedNote(note))).to.equal(true));
  }

  it('is readable without any of that', () => {
    expect(decodeSignedNote(`a\n\n${line}`)).to.deep.equal({
      text: 'a\n',
      signatures: [{ name: 'b', id: 0, signature: Uint8Array.of(1) }],
    });
    expect(decodeSignedNote(checkpoints.at(-1)!.note).signatures).to.have.length(4);
  });
});
