// A tenant records events on another one's asset, with the real contract: they are the owner's events for all reads,
// records of the writer for the chain, and the same in an index that is built again.
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { verifyEvent } from '../../chain/verification/eventVerification.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { MEASURE, type Parties, shareAsset } from '../support/contributedAsset.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger } from '../support/testLedger.ts';

const RACING = 12;

const listEvents = async ({ alpha, asset }: Parties): Promise<EventResource[]> =>
  (await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events?page_size=100`)).body.events;

const expectContribution = async (parties: Parties): Promise<void> => {
  const { ledger, alpha, beta, asset } = parties;
  const { status, body: event } = await beta.post<EventResource>(`${asset.identity}/events`, MEASURE);
  expect([status, event.tenant_identity]).to.deep.equal([200, beta.identity]);
  expect((await alpha.get<EventResource>(event.identity)).body).to.deep.equal(event);
  expect((await listEvents(parties))[0]).to.deep.equal(event);
  expect((await alpha.get<AssetResource>(asset.identity)).body.attributes).to.deep.equal({ weight: '8' });
  const { isVerified, uncovered } = await verifyEvent(ledger.chain.request, ledger.contract, event);
  expect([isVerified, uncovered]).to.deep.equal([true, []]);
  const forged = { ...event, contribution: { ...event.contribution, owner: beta.identity } };
  expect((await verifyEvent(ledger.chain.request, ledger.contract, forged)).isVerified).to.equal(false);
};

// Beta writes while alpha withdraws the right: each event that was acknowledged is one of the asset, and no other is.
const expectRace = async (parties: Parties): Promise<void> => {
  const { beta, asset, revoke } = parties;
  const before = (await listEvents(parties)).length;
  const writes = Array.from({ length: RACING }, () => beta.post<EventResource>(`${asset.identity}/events`, MEASURE));
  const [answers] = await Promise.all([Promise.all(writes), revoke()]);
  expect([200, 404, 409]).to.include.members(answers.map(({ status }) => status));
  const acknowledged = answers.filter(({ status }) => status === 200).map(({ body }) => body.identity);
  const listed = (await listEvents(parties)).map(({ identity }) => identity);
  expect(listed).to.include.members(acknowledged);
  expect(listed).to.have.length(before + acknowledged.length);
  expect((await beta.post(`${asset.identity}/events`, MEASURE)).status).to.equal(404);
};

describe('contributions', () => {
  for (const kind of CHAIN_KINDS)
    it(`are events of the owner's asset, also in an index that is built again, on ${kind.name}`, async () => {
      const directory = await createTemporaryDirectory();
      const network = await kind.prepare(directory.path);
      const ledger = await openTestLedger(directory.path, { network });
      const server = await serveTestLedger(ledger);
      const parties = await shareAsset(ledger, server);
      await expectContribution(parties);
      await expectRace(parties);
      await server.close();
      await ledger.close();
      const incremental = await dumpDirectory(directory.path);
      await rm(dataPaths(directory.path).index, { recursive: true });
      await (await openTestLedger(directory.path, { network })).close();
      expect([...(await dumpDirectory(directory.path))]).to.deep.equal([...incremental]);
      await directory.remove();
    });
});
