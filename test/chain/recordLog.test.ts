import { expect } from 'chai';
import { Interface } from 'ethers';
import fc from 'fast-check';
import { LEDGER_ABI } from '../../chain/ledgerAbi.ts';
import { decodeRecordLog, RECORD_APPENDED_TOPIC, type RpcLog } from '../../chain/recordLog.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { runs } from '../support/propertyRuns.ts';
import { aRecord, encodeRecordData, type RecordFields } from './embedded/fixtures.ts';

const ethersInterface = new Interface(LEDGER_ABI);

const aLog = (record: RecordFields, fields: Partial<RpcLog> = {}): RpcLog => ({
  topics: [RECORD_APPENDED_TOPIC, record.tenantKey, record.streamKey, record.recordKey],
  data: encodeRecordData(record),
  blockNumber: '0x7',
  blockHash: `0x${'77'.repeat(32)}`,
  transactionHash: `0x${'88'.repeat(32)}`,
  transactionIndex: '0x0',
  logIndex: '0x2',
  ...fields,
});

const codeOf = (log: RpcLog): string => {
  try {
    decodeRecordLog(log, 0);
  } catch (error) {
    return error instanceof LedgerError ? error.code : String(error);
  }
  return 'decoded';
};

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);
const records: fc.Arbitrary<RecordFields> = fc.record({
  tenantKey: bytes(32),
  streamKey: bytes(32),
  recordKey: bytes(32),
  author: bytes(20),
  sequence: fc.nat(2 ** 32 - 1),
  digest: bytes(32),
  head: bytes(28),
  payload: fc.uint8Array({ maxLength: 200 }),
});

const toBytes = (data: string): Buffer => Buffer.from(data.slice(2), 'hex');

describe('decodeRecordLog', () => {
  it('has the topic that ethers computes', () => {
    expect(RECORD_APPENDED_TOPIC).to.equal(ethersInterface.getEvent('RecordAppended')?.topicHash);
  });

  it('decodes every log as ethers does', () => {
    const check = fc.property(records, (record) => {
      const log = aLog(record);
      const decoded = decodeRecordLog(log, 5);
      const args = ethersInterface.parseLog({ topics: log.topics, data: log.data })?.args;
      const { tenantKey, streamKey, recordKey, author, sequence, digest, head, payload } = decoded;
      expect([tenantKey, streamKey, recordKey, author, BigInt(sequence), digest, head, toHex(payload)]).to.deep.equal(
        args?.toArray().map((arg: unknown) => (typeof arg === 'string' ? arg.toLowerCase() : arg)),
      );
    });
    fc.assert(check, runs(300));
  });

  it('returns the place of the log on the chain', () => {
    const { blockNumber, blockHash, blockTimestampSeconds, transactionHash, transactionIndex, logIndex } =
      decodeRecordLog(aLog(aRecord()), 1_700_000_000);
    expect({ blockNumber, blockTimestampSeconds, transactionIndex, logIndex }).to.deep.equal({
      blockNumber: 7,
      blockTimestampSeconds: 1_700_000_000,
      transactionIndex: 0,
      logIndex: 2,
    });
    expect([blockHash, transactionHash]).to.deep.equal([`0x${'77'.repeat(32)}`, `0x${'88'.repeat(32)}`]);
  });

  it('refuses data that is truncated or has extra bytes at its end', () => {
    const check = fc.property(records, fc.nat(), (record, cut) => {
      const { data } = aLog(record);
      const shorter = data.slice(0, 2 + 2 * (cut % ((data.length - 2) / 2)));
      expect(codeOf(aLog(record, { data: shorter }))).to.equal('CHAIN_CORRUPT');
      expect(codeOf(aLog(record, { data: `${data}00` }))).to.equal('CHAIN_CORRUPT');
    });
    fc.assert(check, runs(100));
  });

  it('decodes nothing from changed data that does not encode to the same bytes', () => {
    const check = fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (record, place, change) => {
      const data = toBytes(aLog(record).data);
      const at = place % data.length;
      data[at] = data[at]! ^ change;
      const log = aLog(record, { data: toHex(data) });
      if (codeOf(log) !== 'decoded') return;
      expect(encodeRecordData({ ...record, ...decodeRecordLog(log, 0) })).to.equal(log.data);
    });
    fc.assert(check, runs(1000));
  });

  const malformed: [string, Partial<RpcLog>][] = [
    ['a missing topic', { topics: [RECORD_APPENDED_TOPIC, `0x${'11'.repeat(32)}`, `0x${'11'.repeat(32)}`] }],
    ['another event', { topics: Array(4).fill(`0x${'11'.repeat(32)}`) }],
    ['a short topic', { topics: [RECORD_APPENDED_TOPIC, '0x11', `0x${'11'.repeat(32)}`, `0x${'11'.repeat(32)}`] }],
    ['data that is not hexadecimal', { data: `${encodeRecordData(aRecord()).slice(0, -2)}zz` }],
    ['data without its prefix', { data: encodeRecordData(aRecord()).slice(2) }],
    ['no data', { data: '0x' }],
    ['a block number in decimal', { blockNumber: '7' }],
    ['a block number beyond the safe integers', { blockNumber: '0xffffffffffffffff' }],
    ['a block hash that is none', { blockHash: '0x00' }],
    ['a transaction hash that is none', { transactionHash: 'null' }],
  ];
  for (const [name, fields] of malformed) {
    it(`refuses ${name}`, () => expect(codeOf(aLog(aRecord(), fields))).to.equal('CHAIN_CORRUPT'));
  }
});
