// Evidence files as the API returns them: each is verified offline, under a noted block and under the log's key.
import { expect } from 'chai';
import { toQuantity } from '../../chain/jsonRpc/toQuantity.ts';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { fromBase64 } from '../../ledger/evidence/base64.ts';
import { decodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { fromRlpNumber } from '../../ledger/evidence/rlp.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { check, hashOf, provedOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import type { Json } from '../support/mutations.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, serveTestLedger } from '../support/testLedger.ts';
import { createWeightPolicy } from '../support/weightPolicy.ts';

const MEDIA_TYPE = 'application/vnd.provenance-ledger.evidence.v1+json';
const BATCH = 5;

interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: EvidenceFile;
}

for (const kind of CHAIN_KINDS) {
  describe(`evidence from the API of a ledger on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    const closing: (() => Promise<void>)[] = [];
    let server: ListeningServer;
    let checkpoints: NonNullable<Awaited<ReturnType<typeof openCheckpoints>>>;
    let maker: EvidenceMaker;
    let tenant: FixtureTenant;
    let asset: string;
    let events: EventResource[];
    let requests = 0;

    const fetchFile = async (path: string, token: string | undefined = tenant.token): Promise<Fetched> => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(`${server.url}/archivist/${path}`, { headers });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
    };
    const codeOf = ({ json }: Fetched): unknown => (json as { details?: { error: string }[] }).details?.[0]?.error;
    const fetchRefusal = async (path: string, token?: string): Promise<unknown[]> => {
      const answer = await fetchFile(path, token);
      return [answer.status, codeOf(answer)];
    };
    // In one request, so that they share a block however slow the machine is.
    const recordBatch = async (identity: string, name: string): Promise<EventResource[]> => {
      const toLine = (_: unknown, at: number): string => {
        const event = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note: `${name} ${at}` } };
        return JSON.stringify({ asset_identity: identity, idempotency_key: `${name}-${at}`, ...event });
      };
      const answer = await fetch(`${server.url}/archivist/v2/events:bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/x-ndjson' },
        body: Array.from({ length: BATCH }, toLine).join('\n'),
      });
      const lines = (await answer.text()).trim().split('\n');
      return lines.map((line) => JSON.parse(line).event);
    };

    before(async () => {
      const { ledger } = shared();
      maker = createEvidenceMaker(ledger);
      checkpoints = (await openCheckpoints(
        ledger,
        { checkpointSeconds: 3_600, logOrigin: 'log.example/1' },
        () => undefined,
      ))!;
      closing.push(checkpoints.close);
      const request = async (names: Parameters<typeof checkpoints.request>[0]): Promise<void> => {
        requests += 1;
        await checkpoints.request(names);
      };
      const evidence = openEvidence({
        ledger,
        checkpoints: { ...checkpoints, request },
        waitMs: 30_000,
      });
      server = await serveTestLedger(ledger, { evidence });
      closing.push(server.close);
      tenant = await createFixtureTenant(ledger, server, 'gamma');
      ({ identity: asset } = await tenant.createAsset({ weight: '10' }));
      events = await recordBatch(asset, 'event');
    });
    after(async () => {
      for (const close of closing.reverse()) await close();
    });

    // Proves what is expected under a noted block, the same under the log's key, and under no root nothing.
    const expectProved = async (
      file: EvidenceFile,
      questions: readonly string[],
      leaves?: Uint8Array,
    ): Promise<void> => {
      const noted = await check(file, maker.trust({ blocks: [hashOf(file)] }), leaves);
      expect(noted.exitCode, JSON.stringify(noted.findings)).to.equal(0);
      expect(provedOf(noted)).to.deep.equal([...questions, 'chain']);
      const logged = await check(file, maker.trust({ logs: [checkpoints.logKey] }), leaves);
      expect([logged.exitCode, provedOf(logged)]).to.deep.equal([0, [...questions, 'chain', 'operator']]);
      expect((await check(file, maker.trust(), leaves)).exitCode).to.equal(3);
    };
    const expectFile = ({ status, headers, text }: Fetched, name: string): void => {
      expect([status, text.slice(0, 2)]).to.deep.equal([200, '{"']);
      expect(headers.get('content-type')).to.match(new RegExp(`^${MEDIA_TYPE.replace('+', '\\+')}`));
      expect(headers.get('content-disposition')).to.equal(`attachment; filename="${name}.evidence.json"`);
    };
    const uuidOf = (identity: string): string => identity.slice(identity.lastIndexOf('/') + 1);

    it('proves an event of a batch, by its leaf', async () => {
      const [, second] = events as [EventResource, EventResource];
      const answer = await fetchFile(`v2/${second.identity}:evidence`);
      expectFile(answer, uuidOf(second.identity));
      expect((answer.json.claim as EvidenceFile).event).to.deep.equal(second);
      await expectProved(answer.json, ['content', 'author', 'position']);
    });

    it('proves every event without another checkpoint once one covers it', async () => {
      const before = requests;
      for (const { identity } of events) {
        const { json } = await fetchFile(`v2/${identity}:evidence`);
        await expectProved(json, ['content', 'author', 'position']);
      }
      expect(requests).to.equal(before);
    });

    it('answers at once for an event that is alone in its block, and without an anchor before a checkpoint', async () => {
      const before = requests;
      const { body: alone } = await tenant.record({ identity: asset }, 'alone');
      const { json } = await fetchFile(`v2/${alone.identity}:evidence`);
      expect(requests).to.equal(before);
      expect((json.blocks as EvidenceFile[])[0]!.anchors).to.deep.equal([]);
      expect((await check(json, maker.trust({ blocks: [hashOf(json)] }))).exitCode).to.equal(0);
      expect((await check(json, maker.trust({ logs: [checkpoints.logKey] }))).exitCode).to.equal(3);
    });

    it('proves the complete history, by digests or with the records', async () => {
      const digests = await fetchFile(`v2/${asset}:evidence`);
      expectFile(digests, uuidOf(asset));
      expect(digests.json.claim).to.deep.include({ count: 1 + BATCH + 1 });
      await expectProved(digests.json, ['completeness']);
      const records = await fetchFile(`v2/${asset}:evidence?records=true`);
      await expectProved(records.json, ['content', 'author', 'completeness']);
    });

    it('proves a history again without another attestation, and a longer one with one', async () => {
      const before = requests;
      const first = await fetchFile(`v2/${asset}:evidence`);
      expect(requests).to.equal(before);
      await tenant.record({ identity: asset }, 'later');
      const second = await fetchFile(`v2/${asset}:evidence`);
      const counts = [first, second].map(({ json }) => (json.claim as { count: number }).count);
      expect([counts[1], requests]).to.deep.equal([counts[0]! + 1, before + 1]);
      await expectProved(second.json, ['completeness']);
    });

    it('proves a range', async () => {
      for (const range of ['from=3&to=6', 'to=2', 'from=1&to=1', 'from=2&to=2']) {
        const { json } = await fetchFile(`v2/${asset}:evidence?${range}`);
        await expectProved(json, ['content', 'author', 'completeness']);
      }
      for (const range of ['from=3', 'from=3&to=2', 'to=1000', 'from=0&to=1', 'to=x', 'until=3']) {
        expect([range, ...(await fetchRefusal(`v2/${asset}:evidence?${range}`))]).to.deep.equal([
          range,
          400,
          'REQUEST_INVALID',
        ]);
      }
    });

    it('equals the file of the naive maker', async () => {
      const { json } = await fetchFile(`v2/${events[2]!.identity}:evidence`);
      const [{ header, anchors }] = json.blocks as [{ header: string; anchors: Json[] }];
      const [{ transaction }] = json.proofs as [{ transaction: number }];
      expect(anchors).to.have.length(1);
      const number = toQuantity(fromRlpNumber(decodeBlockHeader(fromBase64(header)).number));
      const { transactions } = (await shared().ledger.chain.request('eth_getBlockByNumber', [number, false])) as {
        transactions: Hex[];
      };
      const naive = await maker.event(events[2]!, transactions[transaction]);
      const [naiveBlock] = naive.blocks as [EvidenceFile];
      expect(json).to.deep.equal({ ...naive, blocks: [{ ...naiveBlock, anchors }] });
    });

    it('proves an absence, and refuses it for what is there', async () => {
      const nothing = '00000000-0000-4000-8000-000000000000';
      for (const identity of [
        `assets/${nothing}`,
        `${asset}/events/${nothing}`,
        `blobs/${nothing}/versions/${nothing}`,
      ]) {
        const answer = await fetchFile(`v1/absence:evidence?identity=${identity}`);
        expectFile(answer, `absence-${nothing}`);
        await expectProved(answer.json, ['absence']);
      }
      for (const identity of [asset, events[0]!.identity, asset.toUpperCase().replace('ASSETS', 'assets')])
        expect(await fetchRefusal(`v1/absence:evidence?identity=${identity}`)).to.deep.equal([409, 'IDENTITY_PRESENT']);
      for (const identity of ['x', `assets/${nothing}/versions/${nothing}`, `applications/${nothing}`])
        expect(await fetchRefusal(`v1/absence:evidence?identity=${identity}`)).to.deep.equal([400, 'REQUEST_INVALID']);
    });

    it('proves the list of all records of the tenant, to its root principals', async () => {
      const path = `v1/tenancies/${uuidOf(tenant.identity)}:evidence`;
      const answer = await fetchFile(path);
      expectFile(answer, uuidOf(tenant.identity));
      const { count } = answer.json.claim as { count: number };
      await tenant.record({ identity: asset }, 'after the file');
      const response = await fetch(`${server.url}/archivist/${path}?part=leaves&count=${count}`, {
        headers: { authorization: `Bearer ${tenant.token}` },
      });
      expect(response.headers.get('content-type')).to.equal('application/octet-stream');
      const leaves = new Uint8Array(await response.arrayBuffer());
      expect(leaves).to.have.length(80 * count);
      await expectProved(answer.json, ['completeness'], leaves);
      expect(await fetchRefusal(path, shared().alpha.token)).to.deep.equal([404, 'TENANT_NOT_FOUND']);
      for (const query of ['part=leaves', `count=${count}`, 'part=leaves&count=1000000'])
        expect(await fetchRefusal(`${path}?${query}`)).to.deep.equal([400, 'REQUEST_INVALID']);
    });

    it('proves the verdict of a policy', async () => {
      const policy = await createWeightPolicy(tenant);
      const { identity: light } = await tenant.createAsset({ weight: '3' });
      const { identity: other } = await tenant.createAsset({ length: '3' });
      const toPath = (identity: string): string =>
        `v1/compliance/${identity}:evidence?policy=${uuidOf(policy.identity)}`;
      for (const [identity, compliant] of [
        [asset, true],
        [light, false],
      ] as const) {
        const { json } = await fetchFile(toPath(identity));
        expect(json.claim).to.deep.include({ compliant, policy_count: 1 });
        const verdict = await check(json, maker.trust({ logs: [checkpoints.logKey] }));
        expect(verdict.exitCode, JSON.stringify(verdict.findings)).to.equal(0);
        expect(provedOf(verdict)).to.include.members(['content', 'completeness', 'verdict', 'chain', 'operator']);
      }
      const byIdentity = await fetchFile(`v1/compliance/${asset}:evidence?policy=${policy.identity}`);
      expect(byIdentity.status).to.equal(200);
      expect(await fetchRefusal(toPath(other))).to.deep.equal([400, 'REQUEST_INVALID']);
      expect(await fetchRefusal(`${toPath(asset)}&compliant_at=2020-01-01T00:00:00Z`)).to.deep.equal([
        404,
        'ASSET_NOT_FOUND',
      ]);
      const unknown = `v1/compliance/${asset}:evidence?policy=${uuidOf(asset)}`;
      expect(await fetchRefusal(unknown)).to.deep.equal([404, 'POLICY_NOT_FOUND']);
      expect(await fetchRefusal(toPath(asset), shared().alpha.token)).to.deep.equal([404, 'ASSET_NOT_FOUND']);
    });

    it('shows nothing of another tenant', async () => {
      const { token } = shared().alpha;
      for (const path of [`v2/${asset}:evidence`, `v2/${asset}:evidence?to=1`, `v2/${events[0]!.identity}:evidence`])
        expect((await fetchRefusal(path, token))[0]).to.equal(404);
      expect((await fetchRefusal(`v2/${asset}:evidence`, ''))[0]).to.equal(401);
      // To another tenant the asset is absent.
      const { status } = await fetchFile(`v1/absence:evidence?identity=${asset}`, token);
      expect(status).to.equal(200);
    });

    it('proves the history of a public asset without a token, and shows no record', async () => {
      const { body } = await tenant.post<{ identity: string }>('assets', { attributes: {}, public: true });
      await recordBatch(body.identity, 'public');
      const { json } = await fetchFile(`v2/public${body.identity}:evidence`, '');
      await expectProved(json, ['completeness']);
      expect(json.records).to.equal(undefined);
      expect(await fetchRefusal(`v2/public${asset}:evidence`, '')).to.deep.equal([404, 'ASSET_NOT_FOUND']);
      expect((await fetchRefusal(`v2/public${body.identity}:evidence?records=true`, ''))[0]).to.equal(400);
    });

    it('covers concurrent requests with few checkpoints', async () => {
      const batch = await recordBatch(asset, 'concurrent');
      const fetchHead = async () => (await shared().ledger.chain.fetchFinalHead()).number;
      const before = await fetchHead();
      const files = await Promise.all(batch.map(({ identity }) => fetchFile(`v2/${identity}:evidence`)));
      // The first request at once, all others together: a block for each attestation.
      expect((await fetchHead()) - before).to.be.within(1, 2);
      for (const { json } of files)
        expect((await check(json, maker.trust({ blocks: [hashOf(json)] }))).exitCode).to.equal(0);
    });
  });
}
