// Evidence files of an asset to which another tenant contributed, from the API of a server, checked offline.
import { expect } from 'chai';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { check, hashOf, provedOf } from '../support/checkedEvidence.ts';
import { MEASURE, type Parties, shareAsset } from '../support/contributedAsset.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { type Json, mutationsOf } from '../support/mutations.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, send, serveTestLedger } from '../support/testLedger.ts';

for (const kind of CHAIN_KINDS) {
  describe(`evidence of contributions from the API of a ledger on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    const closing: (() => Promise<void>)[] = [];
    let server: ListeningServer;
    let maker: EvidenceMaker;
    let parties: Parties;
    let event: EventResource;

    const fetchFile = (path: string, token = parties.alpha.token) =>
      send<EvidenceFile>(`${server.url}/archivist/${path}`, token);
    const notedOf = (file: EvidenceFile): EvidenceFile => maker.trust({ blocks: [hashOf(file)] });

    before(async () => {
      const { ledger } = shared();
      maker = createEvidenceMaker(ledger);
      const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
      closing.push(checkpoints.close);
      const evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
      server = await serveTestLedger(ledger, { evidence });
      closing.push(server.close);
      parties = await shareAsset(ledger, server);
      const { beta, asset } = parties;
      ({ body: event } = await beta.post<EventResource>(`${asset.identity}/events`, MEASURE));
    });
    after(async () => {
      for (const close of closing.reverse()) await close();
    });

    describe('of one contribution', () => {
      it('proves its record, to the owner and to its writer, by its log and by its leaf', async () => {
        const { alpha, beta } = parties;
        for (const { token } of [alpha, beta]) {
          for (const proof of ['', '?proof=log']) {
            const { status, body: file } = await fetchFile(`v2/${event.identity}:evidence${proof}`, token);
            expect([status, (file.claim as EvidenceFile).event]).to.deep.equal([200, event]);
            const found = await check(file, notedOf(file));
            expect([found.exitCode, provedOf(found)]).to.deep.equal([0, ['content', 'author', 'position', 'chain']]);
          }
        }
        const { beta: writer, asset } = parties;
        const answers = await Promise.all([0, 1, 2].map(() => writer.post(`${asset.identity}/events`, MEASURE)));
        for (const { body } of answers) {
          const { body: file } = await fetchFile(`v2/${(body as EventResource).identity}:evidence`);
          expect((await check(file, notedOf(file))).exitCode).to.equal(0);
        }
      });

      it('accepts no change of what the record has', async () => {
        const { body: file } = await fetchFile(`v2/${event.identity}:evidence`);
        const { transaction_id: _, log_index: __, ...covered } = event as unknown as EvidenceFile;
        if ((file.proofs as Json[]).length > 1) delete covered.transaction_index;
        let count = 0;
        for (const changed of mutationsOf(covered)) {
          if (Object.hasOwn(changed as object, 'added')) continue;
          const forged = { ...event, ...(changed as object) } as unknown as EvidenceFile;
          for (const name of Object.keys(covered)) if (!Object.hasOwn(changed as object, name)) delete forged[name];
          const { exitCode } = await check({ ...file, claim: { kind: 'event', event: forged } }, notedOf(file));
          // What lacks a member, or has one without its form, can't be checked.
          expect(exitCode, JSON.stringify(changed)).to.be.oneOf([1, 2]);
          count += 1;
        }
        expect(count).to.be.greaterThan(300);
      });

      it('is none for another tenant, and none of an event that is not there', async () => {
        const missing = `v2/${parties.asset.identity}/events/00000000-0000-4000-8000-000000000000:evidence`;
        for (const { token } of [parties.alpha, parties.beta])
          expect((await fetchFile(missing, token)).status).to.equal(404);
        expect((await fetchFile(`v2/${event.identity}:evidence`, shared().alpha.token)).status).to.equal(404);
      });
    });
  });
}
