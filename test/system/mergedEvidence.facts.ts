// Evidence files of the history of an asset to which other tenants contributed, and of verdicts on it, from the API of
// a server: the same events, attributes and verdicts as the API's own.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { readEvidenceReach } from '../../host/operator/evidenceReach.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { isContributionRecord, toContributedEvent, toContribution } from '../../ledger/records/contribution.ts';
import type { EventRecord, EventResource } from '../../ledger/records/event.ts';
import type { TestChain } from '../support/chainKinds.ts';
import { blockNumberOf, type Checked, check, hashesOf, provedOf } from '../support/checkedEvidence.ts';
import { MEASURE, type Parties, permitTypes, recordUnchecked, shareAsset } from '../support/contributedAsset.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { type Json, mutationsOf } from '../support/mutations.ts';
import { anEvent } from '../support/records.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type JsonAnswer, type ListeningServer, send, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const ROUNDS = 6;
const MUTATIONS = 2_000;
const TIMES = 200;

const decode = ({ payload }: EvidenceFile): EventRecord =>
  JSON.parse(
    Buffer.from(payload as string, 'base64')
      .subarray(1)
      .toString(),
  ) as EventRecord;

const leafTimeMs = ({ leaves }: EvidenceFile, at: number): number =>
  1_000 * Number(Buffer.from(leaves as string, 'base64').readBigUInt64BE(at * 80 + 72));

/** The events of a file, oldest first, as identities and times of acceptance. */
const listEvents = (file: EvidenceFile): unknown[] =>
  (file.claim as unknown as { events: number[] }).events.map((at) => {
    const record: unknown = decode((file.records as EvidenceFile[])[at]!);
    const event = isContributionRecord(record)
      ? toContributedEvent(record, leafTimeMs(file, at))
      : (record as EventRecord);
    return [event.identity, event.timestamp_accepted, event.asset_attributes];
  });

/** Registers the tests on a ledger of this chain. */
export const describeMergedEvidence = (kind: TestChain): void => {
  describe(`evidence of an asset with contributions, from a ledger on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    const closing: (() => Promise<void>)[] = [];
    let server: ListeningServer;
    let maker: EvidenceMaker;
    let parties: Parties;

    const fetchFile = async (path: string, token = parties.alpha.token): Promise<JsonAnswer<EvidenceFile>> => {
      let answer = await send<EvidenceFile>(`${server.url}/archivist/${path}`, token);
      // A contribution in the block of an attestation, or a verdict at the time of its block, needs the next one.
      for (let attempt = 0; answer.status === 503 && attempt < TIMES; attempt += 1)
        answer = await send<EvidenceFile>(`${server.url}/archivist/${path}`, token);
      return answer;
    };
    const codeOf = ({ body }: JsonAnswer<EvidenceFile>): unknown =>
      (body as { details?: { error: string }[] }).details?.[0]?.error;
    const checkNoted = (file: EvidenceFile): Promise<Checked> => check(file, maker.trust({ blocks: hashesOf(file) }));
    const historyPath = (): string => `v2/${parties.asset.identity}:evidence`;

    before(async () => {
      const { ledger } = shared();
      maker = createEvidenceMaker(ledger);
      const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
      closing.push(checkpoints.close);
      server = await serveTestLedger(ledger, { evidence: openEvidence({ ledger, checkpoints, waitMs: 30_000 }) });
      closing.push(server.close);
      parties = await shareAsset(ledger, server);
      const { alpha, beta, asset } = parties;
      for (const weight of ['8', '9'])
        await beta.post(`${asset.identity}/events`, { ...MEASURE, asset_attributes: { weight } });
      const { body } = await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events?page_size=1`);
      // The embedded chain's block times are ends of seconds: a verdict at an earlier time doesn't count the event.
      await until(() => Date.now() > Date.parse(body.events[0]!.timestamp_accepted));
    });
    after(async () => {
      for (const close of closing.reverse()) await close();
    });

    const expectAsShown = async (file: EvidenceFile): Promise<void> => {
      const { alpha, asset } = parties;
      const { body } = await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events?page_size=1000`);
      expect(listEvents(file)).to.deep.equal(
        body.events
          .toReversed()
          .map(({ identity, timestamp_accepted, asset_attributes }) => [
            identity,
            timestamp_accepted,
            asset_attributes,
          ]),
      );
      const { attributes } = (await alpha.get<AssetResource>(asset.identity)).body;
      const folded = Object.assign({}, ...listEvents(file).map((event) => (event as unknown[])[2])) as object;
      expect(folded).to.deep.equal(attributes);
    };

    // The subject of the policy then stands for this tenant.
    const nameSubject = async (tenant: FixtureTenant): Promise<void> => {
      const iam = `${server.url}/archivist/iam/v1`;
      const self = `${iam}/subjects/00000000-0000-0000-0000-000000000000`;
      const { wallet_pub_key } = (await send<{ wallet_pub_key: string[] }>(self, tenant.token)).body;
      const change = { method: 'PATCH', body: { wallet_pub_key } };
      await send(`${iam}/${parties.subject}`, parties.alpha.token, change);
    };

    it('proves the parts by digests, and the events with the records', async () => {
      const { status, body: digests } = await fetchFile(historyPath());
      const found = await checkNoted(digests);
      expect([status, found.exitCode, provedOf(found)]).to.deep.equal([200, 0, ['completeness', 'chain']]);
      const { body: file } = await fetchFile(`${historyPath()}?records=true`);
      const disclosed = await checkNoted(file);
      expect([disclosed.exitCode, provedOf(disclosed)]).to.deep.equal([
        0,
        ['content', 'author', 'completeness', 'chain'],
      ]);
      await expectAsShown(file);
      expect((await check(file, maker.trust())).exitCode).to.equal(3);
    });

    it('reaches up to the first block of its parts', async () => {
      const { body: file } = await fetchFile(`${historyPath()}?records=true`);
      const { parts } = file.claim as unknown as { parts: { count: number }[] };
      const numbers = (file.proofs as { block: number }[])
        .slice(0, parts.length)
        .map(({ block }) => blockNumberOf({ blocks: [(file.blocks as Json[])[block]!] }));
      const { block, count } = readEvidenceReach(JSON.stringify(file));
      expect([block, count]).to.deep.equal([Math.min(...numbers), (file.records as Json[]).length]);
    });

    it('is none for a range, and none without a token', async () => {
      const range = await fetchFile(`${historyPath()}?from=1&to=1`);
      expect([range.status, codeOf(range)]).to.deep.equal([409, 'EVIDENCE_INCOMPLETE']);
      const { alpha, beta, policy } = parties;
      const asset = await alpha.post<AssetResource>('assets', { attributes: {}, public: true });
      const { identity } = asset.body;
      const anonymous = `v2/publicassets/${identity.slice('assets/'.length)}:evidence`;
      expect((await fetch(`${server.url}/archivist/${anonymous}`)).status).to.equal(200);
      expect((await beta.post(`${identity}/events`, MEASURE)).status, policy).to.equal(200);
      const answer = await fetch(`${server.url}/archivist/${anonymous}`);
      const { details } = (await answer.json()) as { details: { error: string }[] };
      expect([answer.status, details[0]!.error]).to.deep.equal([409, 'EVIDENCE_INCOMPLETE']);
    });

    it('proves each verdict that the API gives, under every kind of policy', async () => {
      const { alpha, asset } = parties;
      const create = (body: object) =>
        send<{ identity: string }>(`${server.url}/archivist/v1/compliance_policies`, alpha.token, { body });
      const since = { compliance_type: 'COMPLIANCE_SINCE', description: '', time_period_seconds: 3_600 };
      await create({ ...since, display_name: 'measured', event_display_type: 'Measure' });
      await create({ ...since, display_name: 'never', event_display_type: 'Audit' });
      await create({
        compliance_type: 'COMPLIANCE_RICHNESS',
        display_name: 'heavy',
        description: '',
        richness_assertions: [{ or: ['weight>=9'] }],
      });
      const { body } = await send<{
        compliant_at: string;
        compliance: { compliance_policy_identity: string; compliant: boolean }[];
      }>(`${server.url}/archivist/v1/compliance/${asset.identity}`, alpha.token);
      expect(body.compliance.map(({ compliant }) => compliant).toSorted()).to.deep.equal([false, true, true]);
      for (const { compliance_policy_identity: policy, compliant } of body.compliance) {
        const query = `?policy=${policy}&compliant_at=${encodeURIComponent(body.compliant_at)}`;
        const { status, body: file } = await fetchFile(`v1/compliance/${asset.identity}:evidence${query}`);
        expect([status, (file.claim as EvidenceFile).compliant]).to.deep.equal([200, compliant]);
        const found = await checkNoted(file);
        expect([found.exitCode, provedOf(found)]).to.deep.equal([
          0,
          ['content', 'author', 'completeness', 'verdict', 'chain'],
        ]);
        const other = { ...file, claim: { ...(file.claim as EvidenceFile), compliant: !compliant } };
        expect((await checkNoted(other)).exitCode).to.equal(1);
      }
      const unknown = await fetchFile(
        `v1/compliance/${asset.identity}:evidence?policy=compliance_policies/${randomUUID()}`,
      );
      expect(unknown.status).to.equal(404);
    });

    it('accepts no change of a file', async () => {
      const { body: file } = await fetchFile(`${historyPath()}?records=true`);
      const blocks = (file.blocks as EvidenceFile[]).map((block) => ({ ...block, anchors: [] }));
      const plain: EvidenceFile = { ...file, blocks };
      const trust = maker.trust({ blocks: hashesOf(plain) });
      expect((await check(plain, trust)).exitCode).to.equal(0);
      const step = Math.ceil(JSON.stringify(plain).length / MUTATIONS);
      let [seen, checked] = [0, 0];
      const accepted: string[] = [];
      for (const changed of mutationsOf(plain)) {
        seen += 1;
        // A list of anchors is as empty without its last one.
        if (seen % step !== 0 || isDeepStrictEqual(changed, plain)) continue;
        checked += 1;
        if ((await check(changed, trust)).exitCode === 0) accepted.push(JSON.stringify(changed));
      }
      expect(accepted).to.deep.equal([]);
      expect(checked).to.be.greaterThan(MUTATIONS / 2);
    });

    describe('after random changes', () => {
      let gamma: FixtureTenant;
      before(async () => {
        gamma = await createFixtureTenant(shared().ledger, server, 'third');
      });

      type Act = () => Promise<unknown>;
      const actsOf = (): Readonly<Record<string, Act>> => {
        const { ledger, alpha, beta, asset } = parties;
        const post = (tenant: FixtureTenant, type: string) =>
          tenant.post(`${asset.identity}/events`, {
            ...MEASURE,
            event_attributes: { arc_display_type: type },
            asset_attributes: { weight: randomUUID() },
          });
        return {
          own: () => post(alpha, 'Measure'),
          contributed: () => post(beta, 'Measure'),
          other: () => post(beta, 'Count'),
          unchecked: () => recordUnchecked(parties, { asset_attributes: { weight: randomUUID() } }),
          foreign: () => {
            const event = anEvent({ ...MEASURE, identity: `${asset.identity}/events/${randomUUID()}` });
            return ledger.writer.append(gamma.identity, toContribution(event, alpha.identity));
          },
          together: () =>
            Promise.all([post(alpha, 'Measure'), post(beta, 'Measure'), post(alpha, 'x'), post(beta, 'Measure')]),
          count: () => permitTypes(parties, server, ['Count']),
          both: () => permitTypes(parties, server, ['Count', 'Measure']),
          admit: () => nameSubject(gamma),
          readmit: () => nameSubject(beta),
        };
      };

      it('has the events that the API shows', async () => {
        const acts = actsOf();
        const rounds = fc.sample(
          fc.array(fc.constantFrom(...Object.keys(acts)), { minLength: 4, maxLength: 9 }),
          ROUNDS,
        );
        for (const names of rounds) {
          for (const name of names) await acts[name]!();
          const answer = await fetchFile(`${historyPath()}?records=true`);
          expect([answer.status, codeOf(answer)], names.join(' ')).to.deep.equal([200, undefined]);
          const found = await checkNoted(answer.body);
          expect(found.exitCode, JSON.stringify(found.findings)).to.equal(0);
          await expectAsShown(answer.body);
        }
      });
    });

    // The last one: the asset has no file of its events any more.
    describe('of records that share a transaction', () =>
      it('is refused where a receipt that shows the order in a block would show other records', async () => {
        const { alpha, beta, asset } = parties;
        const other = await alpha.createAsset();
        await permitTypes(parties, server, ['Measure']);
        await nameSubject(beta);
        let code: unknown;
        for (let attempt = 0; attempt < TIMES && code === undefined; attempt += 1) {
          await Promise.all([
            alpha.record(asset, 'own'),
            alpha.record(other, 'another asset'),
            beta.post(`${asset.identity}/events`, MEASURE),
            alpha.record(other, 'another asset'),
            alpha.record(asset, 'own'),
          ]);
          code = codeOf(await fetchFile(`${historyPath()}?records=true`));
        }
        expect(code).to.equal('RECORD_NOT_ALONE');
        expect((await fetchFile(historyPath())).status).to.equal(200);
      }));
  });
};
