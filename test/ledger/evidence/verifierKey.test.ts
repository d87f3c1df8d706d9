import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../../ledger/encoding/hex.ts';
import {
  decodeVerifierKey,
  encodeVerifierKey,
  SIGNATURE_TYPE,
  toVerifierKey,
} from '../../../ledger/evidence/verifierKey.ts';
import { readC2spVectors } from '../../support/c2sp.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { keys } = readC2spVectors();
// The example of c2sp.org/signed-note.
const EXAMPLE = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';

describe('a verifier key', () => {
  for (const text of [EXAMPLE, keys.log, keys.other, keys.unicode, ...keys.witnesses]) {
    it(`is encoded as by other programs: ${text}`, () => {
      const key = decodeVerifierKey(text);
      expect(encodeVerifierKey(key)).to.equal(text);
      expect(toVerifierKey(key.name, key.type, key.publicKey)).to.deep.equal(key);
    });
  }

  it('has a name, an id, a type and 32 bytes', () => {
    const { name, id, type, publicKey } = decodeVerifierKey(EXAMPLE);
    expect([name, id, type]).to.deep.equal(['example.com/foo', 0x530d903a, SIGNATURE_TYPE.note]);
    expect(toHex(publicKey)).to.equal('0xe932791ae6e7a840a46164c904786426d5e7821dd8b29a00d61cae72afdd4da4');
    expect(decodeVerifierKey(keys.witnesses[0]!).type).to.equal(SIGNATURE_TYPE.cosignature);
  });

  it('has another id for another type', () => {
    const { name, id, publicKey } = decodeVerifierKey(EXAMPLE);
    expect(toVerifierKey(name, SIGNATURE_TYPE.cosignature, publicKey).id).to.not.equal(id);
  });

  it('of a type that is unknown here is unreadable, even if the id is its own', () => {
    const bytes = Uint8Array.of(0x02, ...decodeVerifierKey(EXAMPLE).publicKey);
    const digest = createHash('sha256').update('example.com/foo\n').update(bytes).digest('hex');
    const text = `example.com/foo+${digest.slice(0, 8)}+${Buffer.from(bytes).toString('base64')}`;
    expect(isUnreadable(() => decodeVerifierKey(text))).to.equal(true);
  });

  it('has an id of eight digits, also with leading zeros', () => {
    const { publicKey } = decodeVerifierKey(EXAMPLE);
    const names = Array.from({ length: 200 }, (_, at) => `log${at}.example`);
    const found = names
      .map((name) => toVerifierKey(name, SIGNATURE_TYPE.note, publicKey))
      .filter((key) => key.id < 0x1000_0000);
    expect(found.length).to.be.greaterThan(0);
    for (const key of found) {
      expect(encodeVerifierKey(key)).to.match(/\+0[0-9a-f]{7}\+/);
      expect(decodeVerifierKey(encodeVerifierKey(key))).to.deep.equal(key);
    }
  });

  const [, id, encoded] = EXAMPLE.split('+') as [string, string, string];
  const wrong: readonly [string, string][] = [
    ['no text', ''],
    ['no name', `+${id}+${encoded}`],
    ['a blank in the name', `example.com foo+${id}+${encoded}`],
    ['another name', `example.com/fop+${id}+${encoded}`],
    ['another id', EXAMPLE.replace('530d903a', '530d903b')],
    ['an id in capitals', EXAMPLE.replace('530d903a', '530D903A')],
    ['a short id', EXAMPLE.replace('530d903a', '30d903a')],
    ['a key of 31 bytes', `example.com/foo+${id}+${Buffer.from(encoded, 'base64').subarray(0, 32).toString('base64')}`],
    ['no key', `example.com/foo+${id}+`],
    ['two parts', `example.com/foo+${id}`],
    ['a blank at the end', `${EXAMPLE} `],
    ['a line break at the end', `${EXAMPLE}\n`],
    ['a type that is unknown here', keys.ml_dsa],
    ['a name of any length', `${'a'.repeat(2000)}+${id}+${encoded}`],
  ];
  for (const [name, text] of wrong) {
    it(`is unreadable with ${name}`, () => expect(isUnreadable(() => decodeVerifierKey(text))).to.equal(true));
  }

  it('has no name with a plus, a blank of Unicode or half a character', () => {
    const { publicKey } = decodeVerifierKey(EXAMPLE);
    for (const name of ['', 'a+b', 'a b', 'a\u0085', 'a\u00a0', 'a\u2003b', 'a\u3000', 'a\n', 'a\ud800']) {
      expect(
        isUnreadable(() => toVerifierKey(name, SIGNATURE_TYPE.note, publicKey)),
        name,
      ).to.equal(true);
    }
    expect(isUnreadable(() => toVerifierKey('a', SIGNATURE_TYPE.note, publicKey.subarray(1)))).to.equal(true);
    expect(isUnreadable(() => toVerifierKey('a\ufeff', SIGNATURE_TYPE.note, publicKey))).to.equal(false);
  });
});
