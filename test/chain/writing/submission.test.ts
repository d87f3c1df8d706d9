// Submission to the real contract on a real chain: the logs, the reverts, and that the gas suffices.
import { expect } from 'chai';
import { admitTenant } from '../../../chain/administration.ts';
import type { EmbeddedChain } from '../../../chain/embedded/embeddedChain.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import type { RecordLog } from '../../../chain/port.ts';
import { createSubmission, type Submission, type SubmittedRecord } from '../../../chain/writing/submission.ts';
import {
  createTransactionSender,
  type SentTransaction,
  type TransactionSender,
} from '../../../chain/writing/transactionSender.ts';
import { LEDGER_LIMITS } from '../../../host/settings/installationLimits.ts';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf, toTenantIdentity } from '../../../ledger/identity.ts';
import { encodePayload, type LedgerRecord, PAYLOAD_BYTES_MAX } from '../../../ledger/records/record.ts';
import { CHAIN_ID, deployTestLedger, openChain, walletOf } from '../../support/chainLedger.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, BETA, eventOf, uuidOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const submitted = (record: LedgerRecord, tenantIdentity = ALPHA): SubmittedRecord => ({
  tenantIdentity,
  streamIdentity: toStreamIdentityOf(record),
  record,
  payload: encodePayload(record),
});
const event = (asset: number, number: number, note = ''): LedgerRecord =>
  anEvent({ identity: eventOf(asset, number), event_attributes: { note } });
// Not a valid record: the contract doesn't read payloads.
const ofBytes = (asset: number, bytes: number): SubmittedRecord => ({
  ...submitted(event(asset, 1)),
  payload: new Uint8Array(bytes).fill(0xff),
});

const TENANTS = Array.from({ length: 40 }, (_, tenant) => toTenantIdentity(uuidOf(0x1000 + tenant)));

describe('submission', () => {
  const makeDirectory = useDirectories();
  let chain: EmbeddedChain;
  let contract: Hex;
  let submission: Submission;
  const create = (on: EmbeddedChain, hasSendingAuthors = false): Submission =>
    createSubmission({
      chain: on,
      contract,
      relayer: createTransactionSender(on, walletOf('relayer')),
      authorOf: walletOf,
      hasSendingAuthors,
    });

  const admit = (tenantIdentity: string): Promise<void> =>
    admitTenant(chain, contract, tenantIdentity, {
      ledgerAdministrator: walletOf('ledger administrator'),
      tenantAdministrator: walletOf(`administrator of ${tenantIdentity}`),
      writer: walletOf(tenantIdentity),
    });

  beforeEach(async () => {
    chain = await openChain(await makeDirectory());
    contract = (await deployTestLedger(chain)).address;
    submission = create(chain);
    for (const tenant of [ALPHA, BETA]) await admit(tenant);
  });
  afterEach(() => chain.close());

  const fetchLogs = async (fromBlock = 0): Promise<RecordLog[]> => {
    const toBlock = (await chain.fetchFinalHead()).number;
    return chain.fetchRecordLogs({ address: contract, fromBlock, toBlock });
  };
  // Number of records that one submission appended.
  const submit = async (...records: SubmittedRecord[]): Promise<number> => {
    const { blockNumber } = await submission.submit(records);
    expect(blockNumber).to.equal((await chain.fetchFinalHead()).number);
    return (await fetchLogs(blockNumber)).length;
  };

  it('has twice the gas where a node is asked for the gas', async () => {
    const limits: unknown[] = [];
    const relayer: TransactionSender = {
      ...createTransactionSender(chain, walletOf('relayer')),
      send: async ({ gasLimit, isMeasured }) => {
        limits.push([gasLimit, isMeasured]);
        return { outcome: 'reverted' } as SentTransaction;
      },
    };
    const { submit: submitTo } = createSubmission({ chain, contract, relayer, authorOf: walletOf });
    const records = [submitted(aTenantRecord(ALPHA))];
    const sent = [await submitTo(records), await submitTo(records, undefined, undefined, true)];
    const [[limit]] = limits as [[number]];
    expect(limits).to.deep.equal([
      [limit, true],
      [2 * limit, false],
    ]);
    expect(sent.map(({ isEstimated }) => isEstimated)).to.deep.equal([undefined, true]);
  });

  it('appends records to their streams in order, each with its digest, under the tenant and its author', async () => {
    const records = [aTenantRecord(ALPHA), aCreation(), event(1, 1), event(2, 5), event(1, 2)].map((r) => submitted(r));
    expect(await submit(...records)).to.equal(5);
    const domainSeparator = toDomainSeparator({ chainId: CHAIN_ID, contract: fromHex(contract) });
    const heads = new Map<string, { head: Uint8Array; sequence: number }>();
    const expected = records.map(({ streamIdentity, record, payload }) => {
      const [tenantKey, streamKey, recordKey] = [toKey(ALPHA), toKey(streamIdentity), toKey(record.identity)];
      const author = walletOf(ALPHA).addressBytes;
      const digest = toRecordDigest(domainSeparator, { tenantKey, streamKey, recordKey, author, payload });
      const last = heads.get(streamIdentity) ?? { head: EMPTY_HEAD, sequence: 0 };
      const next = { head: advanceHead(last.head, digest), sequence: last.sequence + 1 };
      heads.set(streamIdentity, next);
      return {
        keys: [tenantKey, streamKey, recordKey].map(toHex),
        digest: toHex(digest),
        head: toHex(next.head),
        sequence: next.sequence,
        author: toHex(author),
        payload: toHex(payload),
      };
    });
    const found = (await fetchLogs()).map(({ tenantKey, streamKey, recordKey, ...log }) => ({
      keys: [tenantKey, streamKey, recordKey],
      digest: log.digest,
      head: log.head,
      sequence: log.sequence,
      author: log.author,
      payload: toHex(log.payload),
    }));
    expect(found).to.deep.equal(expected);
  });

  it('appends for several tenants in one transaction, each by its own author', async () => {
    const mixed = [event(1, 1), event(1, 2), event(1, 3)].flatMap((record) => [
      submitted(record, BETA),
      submitted(record, ALPHA),
    ]);
    expect(await submit(...mixed)).to.equal(6);
    const logs = await fetchLogs();
    expect(new Set(logs.map(({ transactionHash }) => transactionHash)).size).to.equal(1);
    for (const tenant of [ALPHA, BETA]) {
      const own = logs.filter(({ tenantKey }) => tenantKey === toHex(toKey(tenant)));
      expect(own.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
      expect(own.map(({ author }) => author)).to.deep.equal(Array(3).fill(walletOf(tenant).address));
    }
  });

  it('changes nothing when it is repeated, and adds only new records', async () => {
    expect(await submit(submitted(event(1, 1)), submitted(event(1, 2)))).to.equal(2);
    expect(await submit(submitted(event(1, 1)), submitted(event(1, 2)))).to.equal(0);
    expect(await submit(submitted(event(1, 2)), submitted(event(1, 3)), submitted(event(1, 3)))).to.equal(1);
    expect((await fetchLogs()).map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
  });

  it('is mined and appends nothing when one record is in conflict', async () => {
    await submit(submitted(event(1, 1)));
    expect(await submit(submitted(event(1, 2)), submitted(event(1, 1, 'other')))).to.equal(0);
    expect(await submit(submitted(event(1, 2)))).to.equal(1);
  });

  it('is mined and appends nothing for a tenant that was not admitted, nor for the others in the batch', async () => {
    expect(await submit(submitted(event(1, 1)), submitted(event(1, 1), TENANTS[0]))).to.equal(0);
    expect(await submit(submitted(event(1, 1)))).to.equal(1);
  });

  it('continues after a submission that the chain refused', async () => {
    const refusing = create({ ...chain, submitTransaction: () => chain.submitTransaction(Uint8Array.of(1)) });
    expect(await rejectionOf(refusing.submit([submitted(event(1, 1))]))).to.equal('TRANSACTION_REFUSED');
    expect(await submit(submitted(event(1, 1)))).to.equal(1);
  });

  it('sends other bytes after a lost answer, and the record is appended once', async () => {
    let isDeaf = false;
    submission = create({
      ...chain,
      submitTransaction: async (raw) => {
        const mined = await chain.submitTransaction(raw);
        if (isDeaf) throw new Error('lost');
        return mined;
      },
    });
    expect(await submit(submitted(event(1, 1)))).to.equal(1);
    isDeaf = true;
    await submission.submit([submitted(event(1, 2))]).catch(() => undefined);
    isDeaf = false;
    expect(await submit(submitted(event(1, 2)))).to.equal(0);
    expect(await fetchLogs()).to.have.length(2);
  });

  it('rejects with CHAIN_UNAVAILABLE when the chain is unavailable', async () => {
    await chain.close();
    expect(await rejectionOf(submission.submit([submitted(event(1, 1))]))).to.equal('CHAIN_UNAVAILABLE');
  });

  describe('where authors send', () => {
    beforeEach(() => {
      submission = create(chain, true);
    });
    // Addresses of the sender and of the authors of the newest block.
    const readAccounts = async () => {
      const { number } = await chain.fetchFinalHead();
      const block = (await chain.request('eth_getBlockByNumber', [toQuantity(number), true])) as {
        transactions: { from: Hex }[];
      };
      const authors = new Set((await fetchLogs(number)).map(({ author }) => author));
      return { from: block.transactions[0]!.from, authors: [...authors] };
    };
    const addressOf = (name: string): Hex => walletOf(name).address;

    it('sends the records of one tenant from its author, with the same digests', async () => {
      expect(await submit(submitted(event(1, 1)), submitted(event(2, 1)))).to.equal(2);
      expect(await readAccounts()).to.deep.equal({ from: addressOf(ALPHA), authors: [addressOf(ALPHA)] });
      expect(await submit(submitted(event(1, 2), BETA))).to.equal(1);
      expect(await readAccounts()).to.deep.equal({ from: addressOf(BETA), authors: [addressOf(BETA)] });
      const domainSeparator = toDomainSeparator({ chainId: CHAIN_ID, contract: fromHex(contract) });
      for (const log of await fetchLogs()) {
        const [tenantKey, streamKey, recordKey, author] = [log.tenantKey, log.streamKey, log.recordKey, log.author].map(
          fromHex,
        ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
        const content = { tenantKey, streamKey, recordKey, author, payload: log.payload };
        expect(log.digest).to.equal(toHex(toRecordDigest(domainSeparator, content)));
      }
    });

    it('sends the records of several tenants in one transaction of the relayer', async () => {
      expect(await submit(submitted(event(1, 1)), submitted(event(1, 1), BETA))).to.equal(2);
      const { from, authors } = await readAccounts();
      expect(from).to.equal(addressOf('relayer'));
      expect(authors).to.have.members([addressOf(ALPHA), addressOf(BETA)]);
    });

    it("uses the relayer once when another holder of the author's key took its nonce", async () => {
      expect(await submit(submitted(event(1, 1)))).to.equal(1);
      expect(await create(chain, true).submit([submitted(event(1, 2))])).to.include({ outcome: 'succeeded' });
      expect(await submit(submitted(event(1, 3)))).to.equal(1);
      expect(await readAccounts()).to.deep.equal({ from: addressOf('relayer'), authors: [addressOf(ALPHA)] });
      expect(await submit(submitted(event(1, 4)))).to.equal(1);
      expect(await readAccounts()).to.deep.equal({ from: addressOf(ALPHA), authors: [addressOf(ALPHA)] });
    });

    it('resolves with the final transaction of the account that sent it', async () => {
      for (const records of [[submitted(event(1, 1))], [submitted(event(1, 2)), submitted(event(1, 2), BETA)]]) {
        const mined = await submission.submit(records);
        expect(await submission.awaitFinal(mined)).to.deep.equal(mined);
      }
    });

    it('changes nothing when a batch is repeated, or has a record in conflict', async () => {
      expect(await submit(submitted(event(1, 1)))).to.equal(1);
      expect(await submit(submitted(event(1, 1)))).to.equal(0);
      expect(await submit(submitted(event(1, 2)), submitted(event(1, 1, 'other')))).to.equal(0);
      expect(await submit(submitted(event(1, 2)))).to.equal(1);
    });

    it('has enough gas for the largest record and for a full batch', async () => {
      expect(await submit(ofBytes(1, PAYLOAD_BYTES_MAX))).to.equal(1);
      const count = LEDGER_LIMITS.batchRecordsMax;
      const bytes = Math.floor(LEDGER_LIMITS.batchBytesMax / count);
      expect(await submit(...Array.from({ length: count }, (_, asset) => ofBytes(10 + asset, bytes)))).to.equal(count);
    });
  });

  describe('has enough gas', () => {
    const { batchRecordsMax, batchBytesMax } = LEDGER_LIMITS;

    it('for the largest record', async () => {
      expect(await submit(ofBytes(1, PAYLOAD_BYTES_MAX))).to.equal(1);
    });

    it('for the largest records of a batch', async () => {
      const count = Math.floor(batchBytesMax / PAYLOAD_BYTES_MAX);
      const records = Array.from({ length: count }, (_, asset) => ofBytes(asset, PAYLOAD_BYTES_MAX));
      expect(await submit(...records)).to.equal(count);
    });

    it('for a batch of the most bytes, each record in a stream of its own', async () => {
      const bytes = Math.floor(batchBytesMax / batchRecordsMax);
      const records = Array.from({ length: batchRecordsMax }, (_, asset) => ofBytes(asset, bytes));
      expect(await submit(...records)).to.equal(batchRecordsMax);
    });

    it('for a full batch of the smallest records', async () => {
      const records = Array.from({ length: batchRecordsMax }, (_, asset) => ofBytes(asset, 1));
      expect(await submit(...records)).to.equal(batchRecordsMax);
    });

    it('for a batch with every record of another tenant', async () => {
      for (const tenant of TENANTS) await admit(tenant);
      const records = TENANTS.map((tenant) => ({ ...ofBytes(1, 1), tenantIdentity: tenant }));
      expect(await submit(...records)).to.equal(TENANTS.length);
    });
  });
});
