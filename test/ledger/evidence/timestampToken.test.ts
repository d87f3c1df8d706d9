// Tokens of an authority that OpenSSL runs: what proves a time, what is a lie, and what the caller doesn't know.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readCertificates } from '../../../ledger/evidence/certificateChain.ts';
import { isDer } from '../../../ledger/evidence/der.ts';
import { checkTimestamp } from '../../../ledger/evidence/timestampToken.ts';
import { UnreadableEvidence } from '../../../ledger/evidence/unreadableEvidence.ts';
import { skipWithoutPrograms } from '../../support/missing.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';
import { createTimestampAuthority, type TimestampAuthority } from '../../support/timestampAuthority.ts';

const MESSAGE = Buffer.from('log.example/1\n7\nAAAA\n');
const OTHER = Buffer.from('log.example/1\n8\nAAAA\n');

describe('a time stamp', () => {
  const directories: { path: string; remove: () => Promise<void> }[] = [];
  let authority: TimestampAuthority;
  let token: Uint8Array;

  const createAuthority = async () => {
    const directory = await createTemporaryDirectory();
    directories.push(directory);
    return createTimestampAuthority(directory.path);
  };
  const readFiles = async (...paths: string[]) =>
    readCertificates((await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join(''));
  const answerOf = async (bytes: Uint8Array, message: Uint8Array, ...paths: string[]): Promise<string> => {
    const found = await checkTimestamp(bytes, message, await readFiles(...paths));
    if (!found.isUnderRoot) return 'nothing';
    return found.at === undefined ? 'lie' : 'time';
  };

  before(async function () {
    skipWithoutPrograms(this, 'openssl');
    authority = await createAuthority();
    token = await authority.stamp(MESSAGE);
  });
  after(() => Promise.all(directories.map(({ remove }) => remove())));

  it('proves the time when its bytes existed, as OpenSSL does', async () => {
    const beforeMs = Date.now();
    const [whole, small] = [
      await authority.stamp(MESSAGE),
      await authority.stamp(MESSAGE, { withCertificates: false }),
    ];
    const found = await checkTimestamp(whole, MESSAGE, await readFiles(authority.rootFile));
    if (!found.isUnderRoot || found.at === undefined) throw new Error('not proved');
    expect(found.at.getTime()).to.be.within(beforeMs - 1_000, Date.now());
    expect(await authority.verify(whole, MESSAGE)).to.equal(true);
    expect(small.length).to.be.below(1_000);
    expect(await answerOf(small, MESSAGE, authority.allFile)).to.equal('time');
    expect(await authority.verify(small, MESSAGE)).to.equal(true);
  });

  it('says nothing with a wrong signature, whatever the message is', async () => {
    const changed = token.with(token.length - 1, token.at(-1)! ^ 1);
    for (const message of [MESSAGE, OTHER]) {
      expect(await answerOf(changed, message, authority.rootFile)).to.equal('nothing');
      expect(await authority.verify(changed, message)).to.equal(false);
    }
  });

  it('is a lie under a root if it is of other bytes', async () => {
    expect(await answerOf(token, OTHER, authority.rootFile)).to.equal('lie');
    expect(await authority.verify(token, OTHER)).to.equal(false);
    // A hash that this format doesn't use.
    const other = await authority.stamp(MESSAGE, { hash: 'sha512' });
    expect(await answerOf(other, MESSAGE, authority.rootFile)).to.equal('lie');
  });

  it('says nothing under the roots of another authority, or without the certificates to a root', async () => {
    const other = await createAuthority();
    expect(await answerOf(token, MESSAGE, other.allFile)).to.equal('nothing');
    expect(await answerOf(token, OTHER, other.allFile)).to.equal('nothing');
    const small = await authority.stamp(MESSAGE, { withCertificates: false });
    expect(await answerOf(small, MESSAGE, authority.rootFile)).to.equal('nothing');
    // A certificate that isn't a root is none because somebody names it.
    const middle = authority.rootFile.replace('root', 'middle');
    expect(await answerOf(token, MESSAGE, middle)).to.equal('nothing');
  });

  it('says nothing by a certificate for something else, or that was not valid then', async () => {
    const small = await authority.stamp(MESSAGE, { withCertificates: false });
    const { rootFile, mailsFile } = authority;
    const middle = rootFile.replace('root', 'middle');
    expect(await answerOf(small, MESSAGE, rootFile, middle, mailsFile)).to.equal('nothing');
    expect(await answerOf(small, MESSAGE, rootFile, middle, authority.allFile)).to.equal('time');
    const [certificate] = await readFiles(authority.rootFile);
    certificate!.notAfter.value = new Date(0);
    expect((await checkTimestamp(token, MESSAGE, [certificate!])).isUnderRoot).to.equal(false);
  });

  it('says nothing in bytes that are no token, however deep they are', async () => {
    const deep = Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([0x30, 0x80])));
    for (const bytes of [new Uint8Array(), deep, Buffer.alloc(65_536, 0x30), Buffer.concat([token, Buffer.alloc(1)])]) {
      expect(isDer(bytes)).to.equal(false);
      expect(await answerOf(bytes, MESSAGE, authority.rootFile)).to.equal('nothing');
    }
  });

  it('is never a time with a changed byte, unless the byte is one that nothing signs', async () => {
    const answers = new Map<string, number[]>();
    const named = await readFiles(authority.rootFile);
    for (let at = 0; at < token.length; at += 5) {
      const found = await checkTimestamp(token.with(at, token[at]! ^ 4), MESSAGE, named);
      const answer = found.isUnderRoot ? String(found.at !== undefined) : 'nothing';
      answers.set(answer, [...(answers.get(answer) ?? []), at]);
    }
    expect(answers.get('nothing')!.length).to.be.above(150);
    expect(answers.get('false')).to.equal(undefined);
    expect(answers.get('true')?.length ?? 0).to.be.below(5);
  });
});

describe('a file with certificates', () => {
  it('is unreadable without any, with too many and with one that is none', async () => {
    const wrong = '-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n';
    for (const pem of ['', 'x', wrong, wrong.replace('MAMCAQE=', 'MAM='), wrong.repeat(33), ' '.repeat(300_000)]) {
      const error = await Promise.resolve(pem)
        .then(readCertificates)
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(UnreadableEvidence);
    }
  });
});
