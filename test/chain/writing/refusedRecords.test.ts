// A record is FAILED only when no transaction that contained it can be mined any more.
import { expect } from 'chai';
import { Level } from 'level';
import type { AccountNonce } from '../../../chain/port.ts';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import { createRecordNonces } from '../../../chain/writing/recordNonces.ts';
import type { SentTransaction } from '../../../chain/writing/transactionSender.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { acceptRecord } from '../../support/acceptRecord.ts';
import { useDirectories } from '../../support/directories.ts';
import { withFailingLevel } from '../../support/levelMethod.ts';
import { ALPHA, anEvent, eventOf } from '../../support/records.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, type WriterFixture } from '../../support/writerFixture.ts';

const ADDRESS = `0x${'11'.repeat(20)}` as const;
const OTHER_ADDRESS = `0x${'22'.repeat(20)}` as const;
const accountOf = (nonce: number) => ({ address: ADDRESS, nonce });

describe('a record that the contract refuses', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();
  let directory: string;
  let fixture: WriterFixture;
  beforeEach(async () => {
    directory = await makeDirectory();
    fixture = await openWriter(directory);
  });
  afterEach(() => fixture.close());

  // Each submission has the next of these nonces; what follows 'lost' is not known to the sender.
  const submitWith = (nonces: readonly (number | 'lost')[], finalNonces: ReadonlyMap<number, number> = new Map()) => {
    const used: number[] = [];
    const left = [...nonces];
    Object.assign(fixture.chain.submission, {
      submit: async (...[, , onNonce]: Parameters<WriterFixture['chain']['submission']['submit']>) => {
        const nonce = left.shift() as number;
        used.push(nonce);
        await onNonce!(accountOf(nonce));
        if (left[0] === 'lost') {
          left.shift();
          throw new LedgerError('CHAIN_UNAVAILABLE');
        }
        return { hash: '0x', blockNumber: 0, outcome: 'reverted', account: accountOf(nonce) };
      },
      awaitFinal: async (mined: SentTransaction): Promise<SentTransaction> => {
        const { nonce } = mined.account;
        return { ...mined, account: accountOf(finalNonces.get(nonce) ?? nonce) };
      },
    });
    return used;
  };
  const untilFailed = (): Promise<void> => time.passUntil(() => fixture.outbox.failedCount() === 1);

  it('is FAILED at once when its transactions had no higher nonce', async () => {
    const used = submitWith([5, 'lost', 5]);
    void fixture.append(anEvent());
    await untilFailed();
    expect(used).to.deep.equal([5, 5]);
  });

  it('is answered and kept with the reason as a code, also after a restart', async () => {
    submitWith([5]);
    const failed = { confirmation_status: 'FAILED', failure_reason: 'TRANSACTION_REFUSED' };
    expect(await fixture.append(anEvent())).to.include(failed);
    await fixture.close();
    fixture = await openWriter(directory);
    const [{ status, failureReason } = {}] = fixture.outbox.readEntries();
    expect([status, failureReason]).to.deep.equal(['FAILED', 'TRANSACTION_REFUSED']);
  });

  it('is submitted again until the highest nonce of its transactions is used', async () => {
    const used = submitWith([7, 'lost', 5, 6, 7]);
    void fixture.append(anEvent());
    await untilFailed();
    expect(used).to.deep.equal([7, 5, 6, 7]);
  });

  it('is submitted again before later records, so that the order of their asset stays the same', async () => {
    const [refused, later] = [anEvent(), anEvent({ identity: eventOf(1, 2) })];
    const submitted: string[] = [];
    const final = [6, 7, 8];
    Object.assign(fixture.chain.submission, {
      submit: async (...[[entry], , onNonce]: Parameters<WriterFixture['chain']['submission']['submit']>) => {
        submitted.push(entry!.record.identity);
        const nonce = final.shift()!;
        await onNonce!(accountOf(Math.max(nonce, 7)));
        if (submitted.length === 1) void fixture.append(later);
        return { hash: '0x', blockNumber: 0, outcome: 'reverted', account: accountOf(nonce) };
      },
      awaitFinal: async (mined: SentTransaction): Promise<SentTransaction> => mined,
    });
    void fixture.append(refused);
    await time.passUntil(() => fixture.outbox.failedCount() === 2);
    expect(submitted).to.deep.equal([refused.identity, refused.identity, later.identity]);
  });

  it('is submitted again when its transaction became final with a lower nonce', async () => {
    const used = submitWith([7, 8], new Map([[7, 6]]));
    void fixture.append(anEvent());
    await untilFailed();
    expect(used).to.deep.equal([7, 8]);
  });

  it('counts the nonces of the process before', async () => {
    submitWith([7, 'lost']);
    fixture.chain.submission.submit = ((submit) => async (records, signal, onNonce) => {
      await submit(records, signal, onNonce).catch(() => undefined);
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    })(fixture.chain.submission.submit);
    void fixture.append(anEvent());
    await time.passUntil(() => fixture.outbox.highestNonce() !== undefined);
    await fixture.close();
    fixture = await openWriter(directory);
    expect(fixture.outbox.highestNonce()).to.deep.equal(accountOf(7));
    const used = submitWith([5, 6, 7]);
    await untilFailed();
    expect(used).to.deep.equal([5, 6, 7]);
  });

  it('is sent only when its nonce is on the disk', async () => {
    const nonces = createRecordNonces(
      {
        readEntries: () => [],
        highestNonce: () => undefined,
        noteNonce: async () => {
          throw new LedgerError('STORAGE_FULL');
        },
      },
      true,
    );
    const rejection = await nonces.note([], accountOf(1)).catch((error: LedgerError) => error.code);
    expect(rejection).to.equal('STORAGE_FULL');
  });
});

describe('the nonces of records', () => {
  const entry = { sequence: 1 } as OutboxEntry;
  const createNonces = (isPooled: boolean) => {
    const noted: AccountNonce[] = [];
    const noteNonce = async (account: AccountNonce): Promise<void> => void noted.push(account);
    const outbox = { readEntries: () => [entry], highestNonce: () => accountOf(2_000), noteNonce };
    return { noted, ...createRecordNonces(outbox, isPooled) };
  };

  it('are not stored where no pool keeps a transaction', async () => {
    const { noted, note } = createNonces(false);
    await note([entry], accountOf(1));
    expect(noted).to.deep.equal([]);
  });

  it('are awaited up to 1,024 of them, since a pool keeps no more and a node may count wrong', () => {
    const { isLast } = createNonces(true);
    expect([975, 976, 1_999, 2_000].map((nonce) => isLast(entry, accountOf(nonce)))).to.deep.equal([
      true,
      false,
      false,
      true,
    ]);
  });

  it('follow a count that was right again', async () => {
    const { isLast, note } = createNonces(true);
    await note([entry], accountOf(7));
    expect([6, 7].map((nonce) => isLast(entry, accountOf(nonce)))).to.deep.equal([false, true]);
  });
});

describe('the highest nonce of an outbox', () => {
  const makeDirectory = useDirectories();

  it('is the higher one of two that are noted at once', async () => {
    const directory = await makeDirectory();
    const { outbox, close } = await openWriter(directory);
    await Promise.all([outbox.noteNonce(accountOf(11)), outbox.noteNonce(accountOf(10))]);
    expect(outbox.highestNonce()).to.deep.equal(accountOf(11));
    await close();
    const again = await openWriter(directory);
    expect(again.outbox.highestNonce()).to.deep.equal(accountOf(11));
    await again.close();
  });

  it('needs no disk for a nonce that is not higher', async () => {
    const { outbox, close } = await openWriter(await makeDirectory());
    await outbox.noteNonce(accountOf(9));
    const noteBoth = async (): Promise<void> => {
      const rejection = await outbox.noteNonce(accountOf(10)).catch((error: LedgerError) => error.code);
      expect(rejection).to.equal('STORAGE_FULL');
      await outbox.noteNonce(accountOf(5));
    };
    await withFailingLevel('batch', noteBoth, new Error('no space left on device'));
    await close();
  });

  it('is refused when its checksum is wrong', async () => {
    const directory = await makeDirectory();
    const { outbox, close } = await openWriter(directory);
    await outbox.noteNonce(accountOf(11));
    await close();
    const db = new Level(directory);
    const stored = await db.get('highest-nonce');
    await db.put('highest-nonce', stored.replace(':11', ':10'));
    await db.close();
    const rejection = await openWriter(directory).catch((error: LedgerError) => error.code);
    expect(rejection).to.equal('OUTBOX_CORRUPT');
  });

  it('is the highest of the account that was noted last, also after a restart', async () => {
    const directory = await makeDirectory();
    const { outbox, close } = await openWriter(directory);
    for (const nonce of [3, 9, 4]) await outbox.noteNonce(accountOf(nonce));
    expect(outbox.highestNonce()).to.deep.equal(accountOf(9));
    await outbox.noteNonce({ address: OTHER_ADDRESS, nonce: 1 });
    await close();
    const again = await openWriter(directory);
    expect(again.outbox.highestNonce()).to.deep.equal({ address: OTHER_ADDRESS, nonce: 1 });
    await again.close();
  });

  it('does not count for a record when it is of another account', async () => {
    const { outbox, close } = await openWriter(await makeDirectory());
    await outbox.noteNonce({ address: OTHER_ADDRESS, nonce: 9 });
    const entry = await acceptRecord(outbox, ALPHA, anEvent(), new Uint8Array(1));
    const { isLast } = createRecordNonces(outbox, true);
    expect([isLast(entry, accountOf(1)), isLast(entry, { address: OTHER_ADDRESS, nonce: 8 })]).to.deep.equal([
      true,
      false,
    ]);
    await close();
  });
});
