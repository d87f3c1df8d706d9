// Checks test/vectors/records.json against the contract, the log of a real chain, and a POST.
import { expect } from 'chai';
import { admitTenant } from '../../chain/administration.ts';
import { callView } from '../../chain/callView.ts';
import type { RecordLog } from '../../chain/port.ts';
import { createWallet } from '../../chain/wallet.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { openTokenAuthority } from '../../host/openTokenAuthority.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { parseEventIdentity, toUuid } from '../../ledger/identity.ts';
import { type EventRecord, isCreation } from '../../ledger/records/event.ts';
import { decodePayload } from '../../ledger/records/record.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  plantKeys,
  send,
  serveTestLedger,
} from '../support/testLedger.ts';
import { type RecordVector, readVectors } from '../support/vectors.ts';

const vectors = readVectors();

const isEvent = (vector: RecordVector): vector is RecordVector & { record: EventRecord } =>
  vector.record.type === 'event';

describe('record vectors on the real ledger', () => {
  let ledger: Ledger;
  let server: ListeningServer;
  let token: string;
  let remove: () => Promise<void>;
  // The time and the UUIDs that the server chooses for the next record.
  let nowMs = 0;
  let uuids: string[] = [];

  before(async () => {
    const directory = await createTemporaryDirectory();
    remove = directory.remove;
    const author = `tenant-author-${toUuid(vectors.tenant_identity)}`;
    await plantKeys(directory.path, {
      'ledger-administrator': vectors.ledger_administrator_private_key,
      [author]: vectors.author_private_key,
    });
    ledger = await openTestLedger(directory.path);
    const administrator = createWallet(fromHex(vectors.ledger_administrator_private_key));
    await admitTenant(ledger.chain, ledger.contract, vectors.tenant_identity, {
      ledgerAdministrator: administrator,
      tenantAdministrator: administrator,
      writer: createWallet(fromHex(vectors.author_private_key)),
    });
    server = await serveTestLedger(ledger, { now: () => nowMs, newUuid: () => uuids.shift()! });
  });

  after(async () => {
    await server.close();
    await ledger.close();
    await remove();
  });

  const view = (name: string, args: readonly unknown[]) =>
    callView(ledger.chain.request, ledger.contract, { name, args });

  const fetchLog = async (vector: RecordVector): Promise<RecordLog> => {
    const { number } = await ledger.chain.fetchFinalHead();
    const logs = await ledger.chain.fetchRecordLogs({ address: ledger.contract, fromBlock: 0, toBlock: number });
    return logs.find((log) => log.recordKey === vector.record_key)!;
  };

  const post = async ({ record }: RecordVector & { record: EventRecord }): Promise<number> => {
    const { assetUuid, eventUuid } = parseEventIdentity(record.identity)!;
    nowMs = Date.parse(record.timestamp_accepted);
    uuids = isCreation(record) ? [assetUuid, eventUuid] : [eventUuid];
    const { type: _, identity, asset_settings, timestamp_accepted, principal_accepted, ...body } = record;
    const answer = isCreation(record)
      ? await send(`${server.url}/svc/v2/assets`, token, { body: { attributes: record.asset_attributes } })
      : await send(`${server.url}/svc/v2/assets/${assetUuid}/events`, token, { body });
    return answer.status;
  };

  it('are on the contract that the vectors name', () => {
    expect(ledger.contract).to.equal(vectors.contract);
    expect(ledger.chain.chainId).to.equal(vectors.chain_id);
  });

  for (const vector of vectors.records) {
    it(`${vector.name}: contract, log${isEvent(vector) ? ' and POST' : ''}`, async () => {
      if (isEvent(vector)) expect(await post(vector)).to.equal(200);
      else await ledger.writer.append(vectors.tenant_identity, vector.record);
      if (vector.record.type === 'tenant') {
        const { root_principals } = vector.record;
        const [root] = root_principals;
        const authority = await openTokenAuthority(ledger);
        const subject = {
          subject: root!.subject,
          name: root!.display_name,
          roles: ['root' as const],
          clientId: undefined,
          secretId: undefined,
          customClaims: {},
        };
        ({ token } = await authority.issue({ tenantIdentity: vectors.tenant_identity, ...subject }));
      }
      const log = await fetchLog(vector);
      expect(log.digest).to.equal(vector.digest);
      expect(log.head).to.equal(vector.head_after);
      expect(toHex(log.payload)).to.equal(vector.payload);
      expect(decodePayload(log.payload)).to.deep.equal(vector.record);
      const { tenant_key, stream_key, record_key, author, payload } = { ...vectors, ...vector };
      const [digest] = await view('digestOf', [tenant_key, stream_key, record_key, author, payload]);
      expect(digest).to.equal(vector.digest);
      expect((await view('recordOf', [tenant_key, record_key]))[0]).to.equal(vector.digest.slice(0, 58));
      expect((await view('streamOf', [tenant_key, stream_key]))[0]).to.equal(vector.head_after);
    });
  }
});
