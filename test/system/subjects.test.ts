// Two tenants of a ledger create subjects for each other, as clients do: each reads its own and sends it to the other.
import { expect } from 'chai';
import { readSubjectsFor } from '../../indexer/reads/sharing/subjectTenants.ts';
import type { SubjectResource } from '../../ledger/records/subject.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  send,
  serveTestLedger,
} from '../support/testLedger.ts';

const SELF = 'subjects/00000000-0000-0000-0000-000000000000';

const readOwn = async ({ url }: ListeningServer, { token }: FixtureTenant): Promise<SubjectResource> => {
  const { status, body } = await send<SubjectResource>(`${url}/archivist/iam/v1/${SELF}`, token);
  expect(status).to.equal(200);
  return body;
};

const create = async ({ url }: ListeningServer, { token }: FixtureTenant, body: object): Promise<SubjectResource> => {
  const created = await send<SubjectResource>(`${url}/archivist/iam/v1/subjects`, token, { body });
  expect([created.status, created.body.confirmation_status]).to.deep.equal([200, 'CONFIRMED']);
  return created.body;
};

describe('subjects of two tenants', () => {
  for (const kind of CHAIN_KINDS)
    it(`stand for each other at once, without a secret in any answer, on ${kind.name}`, async () => {
      const directory = await createTemporaryDirectory();
      const network = await kind.prepare(directory.path);
      const ledger = await openTestLedger(directory.path, { network });
      const server = await serveTestLedger(ledger);
      const [alpha, beta] = [
        await createFixtureTenant(ledger, server, 'alpha'),
        await createFixtureTenant(ledger, server, 'beta'),
      ];
      const [ofAlpha, ofBeta] = [await readOwn(server, alpha), await readOwn(server, beta)];
      expect([ofAlpha.tenant, ofBeta.tenant]).to.deep.equal([alpha.identity, beta.identity]);
      expect(ofAlpha.wallet_address).to.have.length(1).and.not.deep.equal(ofBeta.wallet_address);
      const asset = await alpha.createAsset({ kind: 'door' });
      const { body: confirmed } = await alpha.get<{ owner: string }>(asset.identity);
      expect(ofAlpha.wallet_address).to.deep.equal([confirmed.owner]);
      const inAlpha = await create(server, alpha, { ...ofBeta, display_name: 'beta' });
      const inBeta = await create(server, beta, { ...ofAlpha, display_name: 'alpha' });
      expect([inAlpha.tenant, inBeta.tenant]).to.deep.equal([alpha.identity, beta.identity]);
      expect(await ledger.view.readTenantOfSubject(inAlpha)).to.equal(beta.identity);
      expect(await ledger.view.readTenantOfSubject(inBeta)).to.equal(alpha.identity);
      const snapshot = await ledger.store.snapshot();
      expect(await readSubjectsFor(snapshot, beta.identity)).to.deep.equal([
        { ownerIdentity: alpha.identity, subjectIdentity: inAlpha.identity },
      ]);
      await snapshot.close();
      await server.close();
      await ledger.close();
      await directory.remove();
    });
});
