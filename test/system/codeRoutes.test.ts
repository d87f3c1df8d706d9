// Evidence files that show the contract's code, as the API returns them with code=true.
import { expect } from 'chai';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { toLedgerCodeHash } from '../../host/files/ledgerCode.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { check, provedOf } from '../support/checkedEvidence.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, serveTestLedger } from '../support/testLedger.ts';
import { createWeightPolicy } from '../support/weightPolicy.ts';

for (const kind of CHAIN_KINDS) {
  describe(`evidence of the code of a contract on ${kind.name}, from the API`, () => {
    const shared = useSharedLedger({}, kind);
    const closing: (() => Promise<void>)[] = [];
    let server: ListeningServer;
    let paths: Record<'event' | 'history' | 'range' | 'public history' | 'absence' | 'verdict' | 'tenant', string>;
    let trust: EvidenceFile;
    let event: string;

    const fetchFile = async (path: string): Promise<{ status: number; file: EvidenceFile }> => {
      const headers = { authorization: `Bearer ${shared().alpha.token}` };
      const response = await fetch(`${server.url}/archivist/${path}`, path.includes('public') ? {} : { headers });
      return { status: response.status, file: (await response.json()) as EvidenceFile };
    };
    const withCode = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}code=true`;

    before(async () => {
      const { ledger, alpha } = shared();
      const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
      closing.push(checkpoints.close);
      server = await serveTestLedger(ledger, { evidence: openEvidence({ ledger, checkpoints, waitMs: 30_000 }) });
      closing.push(server.close);
      const { identity: asset } = await alpha.createAsset({ weight: '10' });
      event = (await alpha.record({ identity: asset }, 'first')).body.identity;
      const { body: open } = await alpha.post<{ identity: string }>('assets', { attributes: {}, public: true });
      const policy = await createWeightPolicy(alpha);
      paths = {
        event: `v2/${event}:evidence`,
        history: `v2/${asset}:evidence`,
        range: `v2/${asset}:evidence?from=2&to=2`,
        'public history': `v2/public${open.identity}:evidence`,
        absence: `v1/absence:evidence?identity=assets/00000000-0000-4000-8000-000000000000`,
        verdict: `v1/compliance/${asset}:evidence?policy=${policy.identity.slice('compliance_policies/'.length)}`,
        tenant: `v1/tenancies/${alpha.identity.slice('tenant/'.length)}:evidence`,
      };
      await checkpoints.request([]);
      const { chainId } = ledger.chain;
      const named = { chain_id: chainId, contract: ledger.contract };
      const code_hash = await toLedgerCodeHash({ chainId, contract: fromHex(ledger.contract) });
      trust = { ...named, logs: [checkpoints.logKey], code_hash };
    });
    after(async () => {
      for (const close of closing.reverse()) await close();
    });

    it('is in the file of each kind under the root of the log, and proves the code of the build', async () => {
      for (const [name, path] of Object.entries(paths)) {
        const { status, file } = await fetchFile(withCode(path));
        expect([name, status], JSON.stringify(file).slice(0, 300)).to.deep.equal([name, 200]);
        const proofs = file.proofs as { kind: string }[];
        expect(proofs.at(-1)!.kind, name).to.equal('account');
        // The list of a tenant needs its second file, too.
        if (name === 'tenant') continue;
        const verdict = await check(file, trust);
        expect([name, verdict.exitCode], JSON.stringify(verdict.findings)).to.deep.equal([name, 0]);
        expect(provedOf(verdict), name).to.include.members(['chain', 'operator', 'code']);
      }
    });

    it('is of the block of the deployment, in files that are made later, too', async () => {
      const { file } = await fetchFile(withCode(paths.event));
      expect((await check(file, { ...trust, code_hash: `0x${'ab'.repeat(32)}` as Hex })).exitCode).to.equal(1);
      const { file: plain } = await fetchFile(paths.event);
      expect([plain.blocks, file.blocks].map((blocks) => (blocks as unknown[]).length)).to.deep.equal([1, 2]);
      expect(provedOf(await check(plain, trust))).to.not.include('code');
    });

    it('is refused with another value of the parameter, and while nothing proves the code', async () => {
      expect((await fetchFile(`${paths.event}?code=yes`)).status).to.equal(400);
      expect((await fetchFile(`${paths.event}?code=False`)).status).to.equal(200);
      const { ledger } = shared();
      const log = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
      closing.push(log.close);
      const evidence = openEvidence({ ledger, checkpoints: { ...log, findAccount: () => undefined }, waitMs: 30_000 });
      const found = await shared().alpha.get<never>(event);
      const refusal = await evidence.makeEventEvidence(found.body, { hasCode: true }).catch((error: unknown) => error);
      expect(refusal).to.include({ code: 'CODE_UNPROVEN' });
    });
  });
}
