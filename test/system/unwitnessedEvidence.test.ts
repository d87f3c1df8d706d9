// What requests for evidence cost while no quorum of witnesses answers, and when everything is attested already.
import { join } from 'node:path';
import { expect } from 'chai';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import type { RpcLog } from '../../chain/recordLog.ts';
import { type Checkpoints, openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { decodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { createEvidenceMaker } from '../support/evidenceFiles.ts';
import { rejectionOf } from '../support/refusals.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { until } from '../support/until.ts';
import { startWitnessProcess, type WitnessProcess } from '../support/witnessProcess.ts';

const makeCode = (text: Promise<string>): Promise<string> =>
  text.then(
    () => 'a file',
    ({ code }: { code: string }) => code,
  );

const SETTINGS = { checkpointSeconds: 3_600 } as const;

for (const kind of CHAIN_KINDS)
  describe(`requests for evidence on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    const makeDirectory = useDirectories();
    const witnesses: WitnessProcess[] = [];
    const opened: Checkpoints[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(({ close }) => close()));
      await Promise.all(witnesses.splice(0).map(({ stop }) => stop('SIGKILL')));
    });

    const open = async (settings: Partial<Parameters<typeof openCheckpoints>[1]> = {}): Promise<Checkpoints> => {
      const checkpoints = (await openCheckpoints(shared().ledger, { ...SETTINGS, ...settings }, () => undefined))!;
      opened.push(checkpoints);
      return checkpoints;
    };
    const serve = (checkpoints: Checkpoints) => openEvidence({ ledger: shared().ledger, checkpoints, waitMs: 30_000 });
    const countTransactions = async (): Promise<number> => {
      const { chain, contract } = shared().ledger;
      const topics = [ledgerInterface.getEvent('TenantAttested')!.topicHash];
      const filter = { address: contract, topics, fromBlock: '0x0', toBlock: 'latest' };
      const logs = (await chain.request('eth_getLogs', [filter])) as RpcLog[];
      return new Set(logs.map(({ transactionHash }) => transactionHash)).size;
    };
    const toQuery = (assetIdentity: string, isPublic: boolean) => ({
      tenantIdentity: shared().alpha.identity,
      assetIdentity,
      isDisclosed: false,
      isPublic,
    });

    it('send no transaction while no quorum answers, and get their files when one answers again', async () => {
      const { alpha } = shared();
      const { logKey, close } = await open();
      await close();
      const directory = join(await makeDirectory(), 'witness');
      const started = await startWitnessProcess(directory, [logKey]);
      const { verifierKey, url } = started;
      await started.stop('SIGKILL');
      const witness = { key: decodeVerifierKey(verifierKey), url };
      const checkpoints = await open({ witnesses: [witness], witnessQuorum: 1 });
      await checkpoints.request([]);
      const evidence = serve(checkpoints);
      const { identity } = await alpha.createAsset();
      const before = await countTransactions();
      for (const isPublic of [true, false, true, false])
        expect(await rejectionOf(evidence.makeHistoryEvidence(toQuery(identity, isPublic)))).to.equal(
          'EVIDENCE_PENDING',
        );
      const absent = 'assets/00000000-0000-4000-8000-00000000ffff';
      expect(await rejectionOf(evidence.makeAbsenceEvidence(alpha.identity, absent))).to.equal('EVIDENCE_PENDING');
      expect(await countTransactions()).to.equal(before);
      witnesses.push(await startWitnessProcess(directory, [logKey], { port: Number(new URL(url).port) }));
      await until(async () => (await makeCode(evidence.makeHistoryEvidence(toQuery(identity, false)))) === 'a file');
      const file = JSON.parse(await evidence.makeHistoryEvidence(toQuery(identity, true)));
      expect(file.blocks[0].anchors).to.have.length(1);
      expect(await countTransactions()).to.equal(before + 1);
    });

    it('send no transaction where somebody attested their names, and get a checkpoint', async () => {
      const { alpha, ledger } = shared();
      const checkpoints = await open();
      await checkpoints.request([]);
      const { identity } = await alpha.createAsset();
      await createEvidenceMaker(ledger).attest(alpha.identity, [identity]);
      await ledger.catchUpTo((await ledger.chain.fetchFinalHead()).number);
      const before = await countTransactions();
      const evidence = serve(checkpoints);
      const texts = [true, false].map((isPublic) => evidence.makeHistoryEvidence(toQuery(identity, isPublic)));
      for (const text of await Promise.all(texts)) expect(JSON.parse(text).blocks[0].anchors).to.have.length(1);
      expect(await countTransactions()).to.equal(before);
    });

    it('attest again where only a large receipt has their names, whose files stay small', async () => {
      const { alpha, ledger } = shared();
      const checkpoints = await open();
      const { identity } = await alpha.createAsset();
      const names = Array.from({ length: 200 }, (_, at) => `assets/${at}`);
      await createEvidenceMaker(ledger).attest(alpha.identity, [identity, ...names]);
      await ledger.catchUpTo((await ledger.chain.fetchFinalHead()).number);
      const before = await countTransactions();
      const evidence = serve(checkpoints);
      const text = await evidence.makeHistoryEvidence(toQuery(identity, false));
      expect(text.length).to.be.below(10_000);
      expect(await countTransactions()).to.be.greaterThan(before);
      expect((await evidence.makeTenantEvidence(alpha.identity)).length).to.be.below(10_000);
    });
  });
