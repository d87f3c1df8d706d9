// The third-party check: it accepts an event as the API returns it, and refuses every change.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRpcServer, type RpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import type { RpcRequest } from '../../chain/jsonRpc/rpcRequest.ts';
import { verifyEvent } from '../../chain/verification/eventVerification.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import { type EventResource, withoutPrincipals } from '../../ledger/records/event.ts';
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { type Json, mutationsOf } from '../support/mutations.ts';
import { runVerify } from '../support/runVerify.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

for (const kind of CHAIN_KINDS) {
  describe(`the check of an event against the contract on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    let event: EventResource;
    let request: RpcRequest;

    before(async () => {
      const { alpha, ledger } = shared();
      const asset = await alpha.createAsset({ weight: '10' });
      const { body } = await alpha.post<EventResource>(`${asset.identity}/events`, {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        timestamp_declared: '2026-01-02T03:04:05.678Z',
        principal_declared: { issuer: 'i', subject: 's' },
        event_attributes: { seen: 'all', map: { k: 'v' }, list: [{ n: '1' }] },
        asset_attributes: { weight: '11' },
      });
      event = body;
      request = ledger.chain.request;
    });

    const isVerified = async (claim: unknown): Promise<boolean> => {
      const verdict = await verifyEvent(request, shared().ledger.contract, claim).catch((error: unknown) => {
        if (error instanceof UnreadableEvidence) return undefined;
        throw error;
      });
      return verdict?.isVerified ?? false;
    };

    it('accepts the event from a read and from a creation', async () => {
      expect(await isVerified(event)).to.equal(true);
      const { body } = await shared().alpha.get<{ events: EventResource[] }>(`${event.asset_identity}/events`);
      expect(await isVerified(body.events.at(-1))).to.equal(true);
    });

    const countRefused = async (shared: EventResource): Promise<number> => {
      let count = 0;
      for (const changed of mutationsOf(shared as unknown as Json)) {
        // An additional member at the top level does not change the event: the check lists it as not checked.
        if (typeof changed === 'object' && changed !== null && 'added' in changed) continue;
        expect(await isVerified(changed), JSON.stringify(changed)).to.equal(false);
        count += 1;
      }
      return count;
    };

    it('refuses every change of one character, member or number', async () => {
      expect(await countRefused(event)).to.be.greaterThan(600);
    });

    describe('of an Attach', () => {
      const attach = async (asset: AssetResource, content: string): Promise<EventResource> => {
        const { alpha, server } = shared();
        const form = new FormData();
        form.set('file', new Blob([content], { type: 'text/plain' }), 'filename');
        const headers = { authorization: `Bearer ${alpha.token}` };
        const uploaded = await fetch(`${server.url}/archivist/v1/blobs`, { method: 'POST', headers, body: form });
        const { identity, hash } = (await uploaded.json()) as BlobResource;
        const { body } = await alpha.post<EventResource>(`${asset.identity}/events`, {
          behaviour: 'Attachments',
          operation: 'Attach',
          event_attributes: {
            arc_append_attachments: [
              {
                arc_attachment_identity: identity,
                arc_display_name: content,
                arc_hash_value: hash.value,
                arc_hash_alg: hash.alg,
              },
            ],
          },
          asset_attributes: { weight: '12' },
        });
        return body;
      };
      let attached: EventResource[];

      before(async () => {
        const { body: asset } = await shared().alpha.post<AssetResource>('assets', { behaviours: ['Attachments'] });
        attached = [await attach(asset, 'first'), await attach(asset, 'second')];
      });

      it('accepts it with the complete list after it, from the creation and from a read', async () => {
        const lengths = attached.map(({ asset_attributes }) => asset_attributes.arc_attachments?.length);
        expect(lengths).to.deep.equal([1, 2]);
        for (const created of attached) {
          expect(await isVerified(created)).to.equal(true);
          const { body } = await shared().alpha.get<EventResource>(created.identity);
          expect(body).to.deep.equal(created);
        }
      });

      it('refuses every change of one character, member or number', async () => {
        expect(await countRefused(attached[1]!)).to.be.greaterThan(900);
      });
    });

    it('refuses a value that is not an event', async () => {
      for (const nonsense of [null, 1, 'event', [], {}, [event], { ...event, event_attributes: { half: '\ud800' } }]) {
        expect(await isVerified(nonsense)).to.equal(false);
      }
    });

    describe('as a command', () => {
      let rpc: Pick<RpcServer, 'url' | 'close'>;
      before(async () => {
        const { ledger, nodeUrl } = shared();
        const { answer } = ledger.chain;
        rpc =
          nodeUrl === undefined
            ? await createRpcServer({ answer: answer!, host: '127.0.0.1', port: 0, onError: console.error })
            : { url: nodeUrl, close: async () => undefined };
      });
      after(() => rpc.close());

      const runOn = async (claim: unknown, contract: string) => {
        const path = join(shared().dataDir, 'event.json');
        await writeFile(path, JSON.stringify(claim));
        return runVerify(path, '--rpc', rpc.url, '--contract', contract);
      };

      it('exits with 0 for the event, from a file and from a URL', async () => {
        const { ledger, server, alpha } = shared();
        expect((await runOn(event, ledger.contract)).code).to.equal(0);
        const url = `${server.url}/archivist/v2/${event.identity}`;
        const fromUrl = await runVerify(url, '--token', alpha.token, '--rpc', rpc.url, '--contract', ledger.contract);
        expect(fromUrl.code).to.equal(0);
      });

      it('exits with 2 for an event as everybody sees it, and for what is none', async () => {
        const { contract } = shared().ledger;
        for (const claim of [withoutPrincipals(event), { identity: event.identity }, [], 'event'])
          expect((await runOn(claim, contract)).code).to.equal(2);
      });

      it('exits with 1 for a changed event and for another contract', async () => {
        const { contract } = shared().ledger;
        expect((await runOn({ ...event, operation: 'record' }, contract)).code).to.equal(1);
        expect((await runOn(event, `0x${'ab'.repeat(20)}`)).code).to.equal(1);
      });

      it('exits with 2 for a text that names a member twice, in either order, which is no event', async () => {
        const path = join(shared().dataDir, 'event.json');
        const right = JSON.stringify(event).slice(1, -1);
        for (const text of [`{"operation":"x",${right}}`, `{${right},"\\u006fperation":"Record"}`]) {
          await writeFile(path, text);
          const { code, output } = await runVerify(path, '--rpc', rpc.url, '--contract', shared().ledger.contract);
          expect(code).to.equal(2);
          expect(output).to.contain('"operation" twice');
        }
      });

      it('exits with 2 when it could not check', async () => {
        const { contract } = shared().ledger;
        const missing = join(shared().dataDir, 'nothing.json');
        expect((await runVerify(missing, '--rpc', rpc.url, '--contract', contract)).code).to.equal(2);
        expect((await runVerify(missing, '--rpc', rpc.url)).code).to.equal(2);
        expect((await runOn(event, 'not an address')).code).to.equal(2);
        const path = join(shared().dataDir, 'event.json');
        await writeFile(path, JSON.stringify(event));
        expect((await runVerify(path, '--rpc', 'http://127.0.0.1:1', '--contract', contract)).code).to.equal(2);
      });
    });
  });
}
