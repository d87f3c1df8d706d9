// A writer that calls the contract through the public JSON-RPC port with its own key, without the REST interface.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Contract, JsonRpcProvider, type TransactionReceipt, Wallet } from 'ethers';
import { createRpcServer, type RpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import { LEDGER_ABI } from '../../chain/ledgerAbi.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../ledger/identity.ts';
import { toPrincipal } from '../../ledger/principal.ts';
import type { EventRecord, EventResource } from '../../ledger/records/event.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

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
    record: EventRecord,
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
