// The contract's code in an evidence file: an account proof under the block's state root.
import { expect } from 'chai';
import { toLedgerCodeHash } from '../../host/files/ledgerCode.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { check, EXIT_UNREADABLE, hashOf, provedOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { type Json, mutationsOf } from '../support/mutations.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

for (const kind of CHAIN_KINDS) {
  describe(`the code of a contract on ${kind.name} in an evidence file`, () => {
    const shared = useSharedLedger({}, kind);
    let maker: EvidenceMaker;
    let file: EvidenceFile;
    let history: EvidenceFile;
    let code_hash: string;
    const trustIn = (roots: EvidenceFile): EvidenceFile => maker.trust({ blocks: [hashOf(file)], ...roots });

    before(async () => {
      const { alpha, ledger } = shared();
      maker = createEvidenceMaker(ledger);
      const asset = await alpha.createAsset();
      const { body } = await alpha.record(asset, 'plain');
      ({ file, codeHash: code_hash } = await maker.withAccount(await maker.event(body)));
      const attested = await maker.attest(alpha.identity, [asset.identity]);
      history = (await maker.withAccount(await maker.history(alpha.identity, asset.identity, attested))).file;
    });

    it('is proved if it is the one that the caller named', async () => {
      const verdict = await check(file, trustIn({ code_hash }));
      expect([verdict.exitCode, provedOf(verdict).at(-1)], JSON.stringify(verdict.findings)).to.deep.equal([0, 'code']);
      const other = await check(history, { ...trustIn({ code_hash }), blocks: [hashOf(history)] });
      expect([other.exitCode, provedOf(other)]).to.deep.equal([0, ['completeness', 'chain', 'code']]);
    });

    it('is proved if it is that of the verifier, whose other code proves nothing', async () => {
      const [text, trust] = [JSON.stringify(file), JSON.stringify(trustIn({}))];
      const { chain_id, contract } = file.ledger as { chain_id: number; contract: Hex };
      const ledger = { chainId: chain_id, contract: fromHex(contract) };
      expect(await toLedgerCodeHash(ledger)).to.equal(code_hash);
      const own = await verifyBundle(text, trust, { readCodeHash: toLedgerCodeHash });
      expect([own.exitCode, provedOf(own).at(-1)]).to.deep.equal([0, 'code']);
      const other = await verifyBundle(text, trust, { readCodeHash: async () => `0x${'ab'.repeat(32)}` });
      expect([other.exitCode, provedOf(other).includes('code')]).to.deep.equal([0, false]);
      expect(await toLedgerCodeHash({ ...ledger, chainId: 1 })).to.not.equal(code_hash);
    });

    it('is not answered if the caller named none, and refuted if another', async () => {
      const silent = await check(file, trustIn({}));
      expect([silent.exitCode, provedOf(silent).includes('code')]).to.deep.equal([0, false]);
      expect((await check(file, trustIn({ code_hash: `0x${'ab'.repeat(32)}` }))).exitCode).to.equal(1);
    });

    it('is unreadable if the proof is not the last one, or names a block that is not there', async () => {
      const proofs = file.proofs as EvidenceFile[];
      const account = proofs.at(-1)!;
      for (const changed of [
        proofs.toReversed(),
        [account],
        [...proofs, account],
        [proofs[0]!, { ...account, block: 1 }],
      ]) {
        expect((await check({ ...file, proofs: changed }, trustIn({}))).exitCode).to.equal(EXIT_UNREADABLE);
      }
      for (const wrong of ['0xab', `0x${'AB'.repeat(32)}`, null]) {
        expect((await check(file, trustIn({ code_hash: wrong }))).exitCode).to.equal(EXIT_UNREADABLE);
      }
    });

    it('is refuted with the account of another contract, or another block', async () => {
      const [log, account] = file.proofs as [Json, EvidenceFile];
      const [, later] = history.proofs as [Json, EvidenceFile];
      for (const nodes of [
        later.nodes!,
        (account.nodes as Json[]).slice(1),
        (account.nodes as Json[]).slice(0, -1),
        [],
      ]) {
        expect((await check({ ...file, proofs: [log, { ...account, nodes }] }, trustIn({}))).exitCode).to.equal(1);
      }
    });

    it('is accepted with no change', async () => {
      const { proofs, ...others } = file;
      const [log, account] = proofs as [Json, Json];
      for (const changed of mutationsOf(account)) {
        const { exitCode } = await check({ ...others, proofs: [log, changed] }, trustIn({ code_hash }));
        expect(exitCode).to.be.oneOf([1, EXIT_UNREADABLE]);
      }
    });
  });
}
