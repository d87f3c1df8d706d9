// Since when a block exists: by the time stamps of an authority, and by the cosignatures of witnesses.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { fromHex } from '../../ledger/encoding/hex.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { decodeTlogProof } from '../../ledger/evidence/tlogProof.ts';
import { check, EXIT_UNREADABLE, hashOf, provedOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { skipWithoutPrograms } from '../support/missing.ts';
import type { Json } from '../support/mutations.ts';
import { runVerify } from '../support/runVerify.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { createTimestampAuthority, type TimestampAuthority } from '../support/timestampAuthority.ts';
import { LOG_ROOTS, toAnchor } from '../verifiers/originals.ts';

describe('the time of an evidence file', () => {
  const shared = useSharedLedger();
  let maker: EvidenceMaker;
  let file: EvidenceFile;
  let authority: TimestampAuthority;
  let text: Uint8Array;
  const tokens: string[] = [];

  const withAnchor = (more: EvidenceFile): EvidenceFile => {
    const [block] = file.blocks as [EvidenceFile];
    const anchor = toAnchor(fromHex(hashOf(file) as `0x${string}`)) as EvidenceFile;
    return { ...file, blocks: [{ ...block, anchors: [{ ...anchor, ...more }] }] };
  };
  const readText = (path: string): Promise<string> => readFile(path, 'utf8');
  const trustIn = (roots: EvidenceFile = {}): EvidenceFile => maker.trust({ blocks: [hashOf(file)], ...roots });
  const named = (path: string): EvidenceFile => trustIn({ tsa_ca_file: path });
  const verify = (more: EvidenceFile, trust: Json) => check(withAnchor(more), trust, undefined, readText);

  before(async function () {
    skipWithoutPrograms(this, 'openssl');
    const { alpha, ledger, dataDir } = shared();
    maker = createEvidenceMaker(ledger);
    const { body } = await alpha.record(await alpha.createAsset(), 'stamped');
    file = await maker.event(body);
    authority = await createTimestampAuthority(dataDir);
    const [{ anchors }] = withAnchor({}).blocks as [{ anchors: [{ proof: string }] }];
    text = Buffer.from(decodeSignedNote(decodeTlogProof(anchors[0].proof).checkpoint).text);
    for (const message of [text, Buffer.concat([text, Buffer.from('\n')])]) {
      tokens.push(toBase64(await authority.stamp(message)));
    }
  });

  it('is proved by a token of an authority that the caller named', async () => {
    const rfc3161 = [tokens[0]!];
    const { exitCode, findings } = await verify({ rfc3161 }, named(authority.rootFile));
    expect([exitCode, provedOf({ findings }).includes('time')]).to.deep.equal([0, true]);
    expect(await authority.verify(Buffer.from(tokens[0]!, 'base64'), text)).to.equal(true);
  });

  it('is not answered by a token of an authority that the caller did not name', async () => {
    for (const rfc3161 of [[tokens[0]!], [tokens[1]!], [toBase64(new Uint8Array(9))], ['']]) {
      const verdict = await verify({ rfc3161 }, trustIn());
      expect([verdict.exitCode, provedOf(verdict).includes('time')]).to.deep.equal([0, false]);
    }
    const garbage = await verify({ rfc3161: [toBase64(new Uint8Array(9))] }, named(authority.rootFile));
    expect([garbage.exitCode, provedOf(garbage).includes('time')]).to.deep.equal([0, false]);
  });

  it('is refuted by a token of a named authority over other bytes', async () => {
    for (const rfc3161 of [[tokens[1]!], [tokens[0]!, tokens[1]!]]) {
      expect((await verify({ rfc3161 }, named(authority.rootFile))).exitCode).to.equal(1);
    }
  });

  it('is proved by a quorum of witnesses, when the last of them cosigned', async () => {
    const verdict = await verify({}, trustIn(LOG_ROOTS));
    expect(provedOf(verdict)).to.include('time');
    const { text: sentence } = verdict.findings.find(({ question }) => question === 'time')!;
    expect(sentence).to.include(new Date(1_800_000_000_000).toISOString());
    expect(provedOf(await verify({}, trustIn({ logs: LOG_ROOTS.logs! })))).to.not.include('time');
  });

  it('keeps files of OpenTimestamps, and answers nothing by them', async () => {
    const ots = [toBase64(Buffer.from('any bytes'))];
    const verdict = await verify({ ots }, trustIn());
    expect([verdict.exitCode, provedOf(verdict).includes('time')]).to.deep.equal([0, false]);
  });

  it('is unreadable with too many or too long stamps, or without the file of the authorities', async () => {
    const many = new Array(5).fill('');
    const long = [toBase64(new Uint8Array(65_537))];
    for (const more of [{ rfc3161: many }, { rfc3161: long }, { ots: many }, { ots: long }, { ots: ['x'] }]) {
      expect((await verify(more, trustIn())).exitCode, Object.keys(more)[0]).to.equal(EXIT_UNREADABLE);
    }
    expect((await check(file, named(authority.rootFile))).exitCode).to.equal(EXIT_UNREADABLE);
    for (const path of ['', 'x'.repeat(1_025)]) {
      expect((await verify({}, named(path))).exitCode).to.equal(EXIT_UNREADABLE);
    }
  });

  it('is proved by npm run verify with a file beside trust.json', async () => {
    const { dataDir } = shared();
    const paths = [join(dataDir, 'stamped.json'), join(dataDir, 'trust.json')] as const;
    await writeFile(paths[0], JSON.stringify(withAnchor({ rfc3161: [tokens[0]!] })));
    for (const [name, code] of [
      ['root.pem', 0],
      ['gone.pem', EXIT_UNREADABLE],
      ['openssl.cnf', EXIT_UNREADABLE],
    ] as const) {
      await writeFile(paths[1], JSON.stringify(named(name)));
      const run = await runVerify(paths[0], '--trust', paths[1]);
      expect(run.code, run.output).to.equal(code);
      if (code === 0) expect(run.output).to.match(/^time +proved/m);
    }
  });
});
