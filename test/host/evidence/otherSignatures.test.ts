// Signatures of the other ledger's checkpoints, of which the server knows some keys and readers know others.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { decodeSignedNote, encodeSignatureLine } from '../../../ledger/evidence/signedNote.ts';
import { decodeTlogProof } from '../../../ledger/evidence/tlogProof.ts';
import { decodeVerifierKey, encodeVerifierKey } from '../../../ledger/evidence/verifierKey.ts';
import { anchorsOf, useAnchoredLedger } from '../../support/anchoredLedger.ts';
import { SIGNER } from '../../support/blockLogs.ts';
import { check, hashOf, provedOf } from '../../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile } from '../../support/evidenceFiles.ts';
import { until } from '../../support/until.ts';

const WITNESS = SIGNER.timeKey;
const WRONG = new Uint8Array(72).fill(1);

describe('signatures of the other ledger', () => {
  const { own, problems, makeDirectory, other, open, recordAndCheckpoint, fetchFile, isRecorded } = useAnchoredLedger();

  const answerNotes = (change: (note: string) => string): void =>
    other().intercept(async (request) => {
      if (!request.path.includes(':evidence')) return undefined;
      const file = (await (await request.forward()).json()) as EvidenceFile;
      if (file.blocks !== undefined) anchorsOf(file)[0]!.proof = change(anchorsOf(file)[0]!.proof as string);
      return Response.json(file);
    });
  const writeTrust = async (roots: EvidenceFile): Promise<string> => {
    const path = join(await makeDirectory(), 'trust.json');
    await writeFile(
      path,
      JSON.stringify({ ...roots, chain_id: other().trust.chain_id, contract: other().trust.contract }),
    );
    return path;
  };
  const logKey = () => decodeVerifierKey((other().trust.logs as string[])[0]!);
  const wrongLine = ({ name, id }: { name: string; id: number }): string =>
    encodeSignatureLine({ name, id, signature: WRONG });
  // As a reader has it who notes the other ledger's block and names keys of it.
  const recordedFile = async (anchorTrustFile: string): Promise<EvidenceFile> => {
    const checkpoints = await open({ anchorTrustFile });
    const { event, block } = await recordAndCheckpoint(checkpoints);
    await until(() => isRecorded(checkpoints, block));
    expect(problems).to.deep.equal([]);
    return fetchFile(checkpoints, event);
  };
  const recordOf = (file: EvidenceFile) => (anchorsOf(file)[1]!.elsewhere as [EvidenceFile])[0];
  const checkAs = async (file: EvidenceFile, roots: EvidenceFile) => {
    const blocks = [hashOf({ blocks: [recordOf(file).block!] })];
    const { trust } = createEvidenceMaker(own().ledger);
    const elsewhere = [{ ...other().trust, logs: [], blocks, ...roots }];
    const verdict = await check(file, trust({ blocks: [hashOf(file)], elsewhere }));
    return [verdict.exitCode, provedOf(verdict).includes('elsewhere')];
  };

  it('are kept if the server knows their keys: a false one of a witness refutes nothing', async () => {
    answerNotes((note) => `${note}${wrongLine(WITNESS)}`);
    const file = await recordedFile(await writeTrust({ logs: other().trust.logs! }));
    const witnesses = [encodeVerifierKey(WITNESS)];
    expect(await checkAs(file, { logs: other().trust.logs!, witnesses })).to.deep.equal([0, true]);
    const [{ proof }] = (recordOf(file).block as { anchors: [{ proof: string }] }).anchors;
    const { signatures } = decodeSignedNote(decodeTlogProof(proof).checkpoint);
    expect(signatures.map(({ id }) => id)).to.deep.equal([logKey().id]);
  });

  it('are not kept where the server knows no key: a false one of the log refutes nothing', async () => {
    answerNotes((note) => `${decodeSignedNote(note).text}\n${wrongLine(logKey())}`);
    const file = await recordedFile(await writeTrust({}));
    expect(await checkAs(file, { logs: other().trust.logs! })).to.deep.equal([0, true]);
    expect((recordOf(file).block as { anchors: [] }).anchors).to.deep.equal([]);
  });

  it('are refused where one of a key that the server knows is wrong', async () => {
    answerNotes((note) => `${note}${wrongLine(WITNESS)}`);
    const roots = { logs: other().trust.logs!, witnesses: [encodeVerifierKey(WITNESS)], quorum: 1 };
    const checkpoints = await open({ anchorTrustFile: await writeTrust(roots) });
    const { block } = await recordAndCheckpoint(checkpoints);
    await until(() => problems.length > 0);
    expect(await isRecorded(checkpoints, block)).to.equal(false);
  });
});
