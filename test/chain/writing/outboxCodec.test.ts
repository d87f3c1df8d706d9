import { expect } from 'chai';
import fc from 'fast-check';
import { Level } from 'level';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import { decodeEntry, encodeEntry } from '../../../chain/writing/outboxCodec.ts';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import { FAILURE_REASONS } from '../../../ledger/records/commitment.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { acceptRecord } from '../../support/acceptRecord.ts';
import { useDirectories } from '../../support/directories.ts';
import { runs } from '../../support/propertyRuns.ts';
import { ALPHA, anEvent, aTenantRecord } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const RECORD = anEvent({ event_attributes: { text: 'Ünïcode 🚢', list: [{ a: '1' }] } });

const toEntry = (fields: Partial<OutboxEntry> = {}): OutboxEntry => {
  const record = fields.record ?? RECORD;
  return {
    sequence: 7,
    tenantIdentity: ALPHA,
    streamIdentity: toStreamIdentityOf(record),
    record,
    payload: encodePayload(record),
    status: 'PENDING',
    reason: '',
    ...fields,
  };
};

describe('outbox entry on disk', () => {
  const makeDirectory = useDirectories();

  const readStored = async (directory: string): Promise<[string, Buffer][]> => {
    const db = new Level<string, Buffer>(directory, { valueEncoding: 'buffer' });
    const stored = await db.iterator().all();
    await db.close();
    return stored;
  };

  const store = async (directory: string, key: string, value: Uint8Array): Promise<void> => {
    const db = new Level<string, Uint8Array>(directory, { valueEncoding: 'view' });
    await db.put(key, value);
    await db.close();
  };

  const storeOne = async (directory: string): Promise<[string, Buffer]> => {
    const outbox = await createOutbox({ directory, entriesMax: 10 });
    await acceptRecord(outbox, ALPHA, RECORD, encodePayload(RECORD));
    await outbox.close();
    return (await readStored(directory))[0]!;
  };

  it('ends with exactly the payload that is signed', async () => {
    const [, stored] = await storeOne(await makeDirectory());
    const payload = Buffer.from(encodePayload(RECORD));
    expect(stored.subarray(-payload.length).equals(payload)).to.equal(true);
    expect(stored[0]).to.equal(1);
  });

  it('is read as it was written, whatever its contents', () => {
    const texts = fc.record({ tenantIdentity: fc.string({ unit: 'grapheme' }), reason: fc.string() });
    const states = [
      { status: 'PENDING' },
      ...FAILURE_REASONS.map((code) => ({ status: 'FAILED', failureReason: code })),
    ];
    const check = fc.property(texts, fc.constantFrom(...(states as Partial<OutboxEntry>[])), (fields, state) => {
      for (const record of [RECORD, aTenantRecord(ALPHA)]) {
        const entry = toEntry({ ...fields, ...state, record });
        expect(decodeEntry(7, encodeEntry(entry))).to.deep.equal(entry);
      }
    });
    fc.assert(check, runs(50));
  });

  it('is refused, with its number, when any of its bytes has changed', () => {
    const stored = encodeEntry(toEntry());
    for (let at = 0; at < stored.length; at += 1) {
      const damaged = Uint8Array.from(stored, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(() => decodeEntry(7, damaged), `byte ${at}`)
        .to.throw(/entry 7/)
        .with.property('code', 'OUTBOX_CORRUPT');
    }
    for (let length = 0; length < stored.length; length += 1) {
      expect(() => decodeEntry(7, stored.subarray(0, length)))
        .to.throw()
        .with.property('code', 'OUTBOX_CORRUPT');
    }
  });

  it('is refused with a changed digit when the outbox is opened, and is not changed', async () => {
    const directory = await makeDirectory();
    const [key, stored] = await storeOne(directory);
    const at = stored.indexOf('2026');
    const damaged = Buffer.from(stored);
    damaged[at + 3]! ^= 1;
    await store(directory, key, damaged);
    const opening = createOutbox({ directory, entriesMax: 10 });
    expect(await rejectionOf(opening)).to.equal('OUTBOX_CORRUPT');
    expect((await readStored(directory))[0]![1].equals(damaged)).to.equal(true);
  });

  it('is read with the reason that an older version stored, which had no code', () => {
    const stored = encodeEntry(toEntry({ status: 'FAILED', reason: 'IDENTITY_PRESENTLY refused' }));
    const expected = { reason: 'IDENTITY_PRESENTLY refused', failureReason: 'TRANSACTION_REFUSED' };
    expect(decodeEntry(7, stored)).to.deep.include(expected);
  });

  it('is read in the JSON format of older versions, and copied unchanged', async () => {
    const directory = await makeDirectory();
    const old = { tenantIdentity: ALPHA, record: RECORD, status: 'FAILED', reason: 'refused' };
    await store(directory, '0000000000000007', Buffer.from(JSON.stringify(old)));
    const outbox = await createOutbox({ directory, entriesMax: 10 });
    const entry = toEntry({ status: 'FAILED', reason: 'refused', failureReason: 'TRANSACTION_REFUSED' });
    expect(outbox.readEntries()).to.deep.equal([entry]);
    const next = await acceptRecord(outbox, ALPHA, RECORD, encodePayload(RECORD));
    expect(next.sequence).to.equal(8);
    const copy = `${await makeDirectory()}/copy`;
    await outbox.copyTo(copy);
    await outbox.close();
    const copied = await createOutbox({ directory: copy, entriesMax: 10 });
    expect(copied.readEntries()).to.deep.equal([entry, next]);
    await copied.close();
  });
});
