// The cost of reading one event: the rows that are read from a real store.
import { expect } from 'chai';
import { assetKey } from '../../../indexer/keys.ts';
import { toKey } from '../../../ledger/identity.ts';
import { useDirectories } from '../../support/directories.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aCreation,
  anAttach,
  anEvent,
  assetOf,
  aTenantRecord,
  eventOf,
  uuidOf,
} from '../../support/records.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const ASSET_KEY = assetKey(toKey(ALPHA), toKey(assetOf(1))).toString('hex');

describe('reading one event', () => {
  const newDirectory = useDirectories();
  let index: OpenIndex;
  let keysRead: string[];
  before(async () => {
    index = await openIndex(await newDirectory());
    const records = [
      aTenantRecord(ALPHA),
      aCreation({ identity: eventOf(1, 0) }),
      anEvent({ identity: eventOf(1, 1) }),
      aBlobRecord(1),
      aBlobRecord(2),
      anAttach([1], { identity: eventOf(1, 2) }),
    ];
    await index.take(records.map((record, at) => toRecordLog({ tenantIdentity: ALPHA, record }, at + 1)));
    const { read } = index.store;
    const countRead = (key: Buffer) => {
      keysRead.push(key.toString('hex'));
      return read(key);
    };
    Object.assign(index.store, { read: countRead });
  });
  beforeEach(() => {
    keysRead = [];
    index.outbox.splice(0);
  });
  after(() => index.store.close());

  const read = (event: number) => index.view.readEvent(ALPHA, uuidOf(1), uuidOf(event));
  const pend = (record: ReturnType<typeof anEvent>) =>
    index.outbox.push({ sequence: 1, tenantIdentity: ALPHA, streamIdentity: assetOf(1), record, status: 'PENDING' });

  it('of the index reads its number and its row, not its asset', async () => {
    for (const event of [1, 2]) {
      keysRead = [];
      expect(await read(event)).to.include({ identity: eventOf(1, event), confirmation_status: 'CONFIRMED' });
      expect(keysRead).to.have.length(2).and.not.include(ASSET_KEY);
    }
  });

  it('that does not exist reads two rows: that of an own event, and that of a contributed one', async () => {
    expect(await read(9)).to.equal(undefined);
    expect(keysRead).to.have.length(2);
  });

  it('that is uncommitted reads its asset only for the attachments after an Attach', async () => {
    pend(anEvent({ identity: eventOf(1, 3) }));
    expect(await read(3)).to.include({ confirmation_status: 'PENDING' });
    expect(keysRead).not.to.include(ASSET_KEY);
    pend(anAttach([2], { identity: eventOf(1, 4) }));
    const attach = await read(4);
    expect(attach!.asset_attributes.arc_attachments).to.have.length(2);
    expect(keysRead).to.include(ASSET_KEY);
  });

  it('looks up each uncommitted record of its asset once for each version of the index', async () => {
    for (const event of [3, 4, 5]) pend(anEvent({ identity: eventOf(1, event) }));
    const readAsset = async (): Promise<number> => {
      keysRead = [];
      await index.view.readAsset(ALPHA, uuidOf(1));
      return keysRead.length;
    };
    const [asset, uncommitted] = [1, 3];
    expect([await readAsset(), await readAsset()]).to.deep.equal([asset + uncommitted, asset]);
    await index.take([]);
    expect(await readAsset()).to.equal(asset + uncommitted);
  });
});
