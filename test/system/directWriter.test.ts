// A writer that calls the contract through the public JSON-RPC port with its own key, without the REST interface.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Contract, JsonRpcProvider, type TransactionReceipt, Wallet } from 'ethers';
import { createRpcServer, type RpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import { LEDGER_ABI } from '../../chain/ledgerAbi.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { createFollower } from '../../indexer/follower.ts';
import { createIndexStore } from '../../indexer/store.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toUuid, toVersionIdentity } from '../../ledger/identity.ts';
import { toPrincipal } from '../../ledger/principal.ts';
import type { EventRecord, EventResource } from '../../ledger/records/event.ts';
import type { LocationResource } from '../../ledger/records/location.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { findIndexDifference } from '../support/findIndexDifference.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { send } from '../support/testLedger.ts';

const newEvent = (asset: AssetResource, changes: Partial<EventRecord> = {}): EventRecord => ({
  type: 'event',
  identity: `${asset.identity}/events/${randomUUID()}`,
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: { note: 'written without the server' },
  asset_attributes: { weight: '99' },
  asset_settings: {},
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  timestamp_declared: '2026-11-20T12:00:00.000Z',
  principal_accepted: toPrincipal({ subject: 'machine 4' }),
  principal_declared: toPrincipal({ subject: 'machine 4' }),
  ...changes,
});

describe('a writer that calls the contract itself', () => {
  const shared = useSharedLedger();
  const provider = () => new JsonRpcProvider(rpc.url, undefined, { batchMaxCount: 1, cacheTimeout: -1 });
  let rpc: RpcServer;
  let contract: Contract;
  let writer: Wallet;
  let tenantKey: string;

  before(async () => {
    const { ledger, alpha } = shared();
    rpc = await createRpcServer({ answer: ledger.chain.answer!, host: '127.0.0.1', port: 0, onError: console.error });
    tenantKey = toHex(toKey(alpha.identity));
    writer = new Wallet(Wallet.createRandom().privateKey, provider());
    contract = new Contract(ledger.contract, LEDGER_ABI, writer);
    // The tenant's administrator adds a second writer.
    const { chain } = ledger;
    const key = await readFile(`${shared().dataDir}/keys/tenant-administrator-${toUuid(alpha.identity)}.key`, 'utf8');
    const administrator = new Wallet(key, provider());
    const { hash } = await (contract.connect(administrator) as Contract).getFunction('addWriter')(
      tenantKey,
      writer.address,
    );
    expect(await chain.request('eth_getTransactionReceipt', [hash])).to.include({ status: '0x1' });
  });
  after(() => rpc.close());

  const append = async (
    record: LedgerRecord,
    stream: string,
    payload = encodePayload(record),
  ): Promise<TransactionReceipt> => {
    const items = [[toHex(toKey(stream)), toHex(toKey(record.identity)), payload]];
    return (await contract.getFunction('append')(tenantKey, items)).wait();
  };

  // The server's index follows the chain; a write through the server comes after everything that is on the chain.
  const letIndexFollow = async (asset: AssetResource): Promise<void> => {
    await shared().alpha.record(asset, 'through the server');
  };

  it('is listed by the API like any other writer, with its own address', async () => {
    const { alpha } = shared();
    const asset = await alpha.createAsset({ weight: '1' });
    const record = newEvent(asset);
    const receipt = await append(record, asset.identity);
    await letIndexFollow(asset);
    const { status, body } = await alpha.get<EventResource>(record.identity);
    expect(status).to.equal(200);
    expect(body).to.include({ confirmation_status: 'CONFIRMED', from: writer.address, transaction_id: receipt.hash });
    expect((await alpha.get<AssetResource>(asset.identity)).body.attributes).to.deep.equal({ weight: '99' });
    expect((await alpha.get<{ events: [] }>(`${asset.identity}/events`)).body.events).to.have.length(3);
  });

  it('races a version with the server, which answers 409 to the one that comes second, and a rebuild agrees', async () => {
    const { ledger, alpha, dataDir, server } = shared();
    const DEPOT = { display_name: 'Depot', latitude: '1', longitude: '2' };
    const { identity } = (await alpha.post<LocationResource>('locations', DEPOT)).body;
    const first = (await ledger.view.readNewestLocation(alpha.identity, toUuid(identity)))!;
    const foreign = { ...first, identity: toVersionIdentity(identity, randomUUID()), follows: first.identity };
    const path = `${server.url}/archivist/v2/${identity}`;
    const patch = (body: object) =>
      send<LocationResource & { details: object[] }>(path, alpha.token, { method: 'PATCH', body });
    const { readNewestLocation } = ledger.view;
    const overtake: typeof readNewestLocation = async (...names) => {
      const newest = await readNewestLocation(...names);
      Object.assign(ledger.view, { readNewestLocation });
      await append({ ...foreign, description: 'without the server' }, identity);
      return newest;
    };
    Object.assign(ledger.view, { readNewestLocation: overtake });
    const late = await patch({ description: 'through the server' });
    expect([late.status, late.body.details]).to.deep.equal([409, [{ error: 'VERSION_CONFLICT' }]]);
    const { body } = await alpha.get<LocationResource>(identity);
    expect(body).to.include({ ...DEPOT, description: 'without the server' });
    const again = await patch({ description: 'through the server' });
    expect([again.status, again.body]).to.deep.equal([200, { ...body, description: 'through the server' }]);
    // The same once more: a version that the server has overtaken has no effect either.
    await append({ ...foreign, identity: toVersionIdentity(identity, randomUUID()) }, identity);
    await letIndexFollow(await alpha.createAsset());
    expect((await alpha.get<LocationResource>(identity)).body).to.deep.equal(again.body);
    const rebuilt = await createIndexStore(`${dataDir}/rebuilt`);
    const { chain, contract } = ledger;
    const options = { chain, contract, store: rebuilt, deploymentBlock: 0, pageBlocks: 7, onWipe: () => undefined };
    await (await createFollower(options)).catchUp();
    expect(await findIndexDifference(ledger.store, rebuilt)).to.equal(undefined);
    await rebuilt.close();
  });

  it('can append invalid records to the chain, which the index ignores', async () => {
    const { alpha } = shared();
    const asset = await alpha.createAsset({ weight: '1' });
    const record = newEvent(asset);
    await append(record, asset.identity, Buffer.from('not a payload'));
    await append(newEvent(asset), 'assets/of-another-stream');
    await append(newEvent(asset, { behaviour: 'AssetCreator', operation: 'NewAsset' }), asset.identity);
    await letIndexFollow(asset);
    expect((await alpha.get(record.identity)).status).to.equal(404);
    const { body } = await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events`);
    expect(body.events.map(({ operation }) => operation)).to.deep.equal(['Record', 'NewAsset']);
    expect((await alpha.get<AssetResource>(asset.identity)).body.attributes).to.deep.equal({ weight: '1' });
  });

  it('can take an identity with a record that the server cannot read: its own record is FAILED for that', async () => {
    const { alpha, ledger } = shared();
    const asset = await alpha.createAsset();
    const record = newEvent(asset);
    await append(record, asset.identity, Buffer.from('not a payload'));
    const failed = { confirmation_status: 'FAILED', failure_reason: 'IDENTITY_PRESENT' };
    expect(await ledger.writer.append(alpha.identity, record)).to.include(failed);
    expect((await alpha.get(record.identity)).body).to.include(failed);
    const { body } = await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events`);
    expect(body.events.map((event) => event.failure_reason)).to.deep.equal(['IDENTITY_PRESENT', undefined]);
    expect((await alpha.get(asset.identity)).body).not.to.have.property('failure_reason');
  });

  it('can append records of a newer version, which readiness reports, and reads go on', async () => {
    const { alpha, ledger } = shared();
    const asset = await alpha.createAsset();
    const findIssues = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    const before = (await readLedgerState(ledger)).newerRecords?.count ?? 0;
    const { blockNumber } = await append(newEvent(asset), asset.identity, Buffer.from('\u0002sealed'));
    await letIndexFollow(asset);
    const { newerRecords } = await readLedgerState(ledger);
    expect(newerRecords!.count).to.equal(before + 1);
    if (before === 0) expect(newerRecords!.firstBlock).to.equal(blockNumber);
    const { name, isNotice } = (await findIssues()).at(-1)!;
    expect([name, isNotice]).to.deep.equal(['NEWER_RECORDS', true]);
    expect((await alpha.get<{ events: [] }>(`${asset.identity}/events`)).body.events).to.have.length(2);
  });

  it('cannot write for another tenant', async () => {
    const { beta } = shared();
    const asset = await beta.createAsset();
    const items = [[toHex(toKey(asset.identity)), toHex(toKey(`${asset.identity}/events/${randomUUID()}`)), '0x01']];
    const refused = await contract
      .getFunction('append')
      .staticCall(toHex(toKey(beta.identity)), items)
      .then(
        () => undefined,
        (error: { revert?: { name: string } }) => error.revert?.name,
      );
    expect(refused).to.equal('LedgerNotWriter');
  });
});
