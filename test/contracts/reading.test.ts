// What a third party can read from the contract alone, without a role and without this server.
import { expect } from 'chai';
import { ZeroAddress } from 'ethers';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { aRecord, keyOf, payloadOf, someRecords } from './support/aRecord.ts';
import { loadLedger } from './support/ledgerFixture.ts';
import { forceStreamCount } from './support/ledgerStorage.ts';
import { EMPTY_HEAD, toBytes28, toHead } from './support/streamModel.ts';
import { toRecordDigest } from './support/typedData.ts';

/** A ledger on which the first tenant's writer has appended four records to one stream; read by a third party. */
const loadHistory = async () => {
  const { ledger, thirdParty, ...fixture } = await loadLedger();
  const { domain, tenant, writer } = fixture;
  const records = someRecords(4);
  await ledger.connect(writer).append(tenant, records);
  const digests = records.map((record) => toRecordDigest(domain, tenant, writer.address, record));
  return { ...fixture, reader: ledger.connect(thirdParty), stream: records[0]!.stream, records, digests };
};

describe('limits', () => {
  it('the largest payload has 65,536 bytes', async () => {
    const { reader } = await loadHistory();
    expect(await reader.MAX_PAYLOAD_BYTES()).to.equal(65_536n);
  });
});

describe('recordOf', () => {
  it("a record's hash and position can be read by its id", async () => {
    const { reader, tenant, records, digests } = await loadHistory();
    const found = await reader.recordOf(tenant, records[2]!.id);
    expect(found.toObject()).to.deep.equal({ hash: toBytes28(digests[2]!), sequence: 3n });
  });

  it('a record that is not there reads as zeros', async () => {
    const { reader, tenant, otherTenant, records } = await loadHistory();
    expect(await reader.recordOf(tenant, keyOf('event/none'))).to.deep.equal([EMPTY_HEAD, 0n]);
    expect(await reader.recordOf(otherTenant, records[0]!.id)).to.deep.equal([EMPTY_HEAD, 0n]);
  });
});

describe('streamOf', () => {
  it("a stream's head is the hash chain over its records, and its count their number", async () => {
    const { reader, tenant, stream, digests } = await loadHistory();
    const found = await reader.streamOf(tenant, stream);
    expect(found.toObject()).to.deep.equal({ head: toHead(digests), count: 4n });
  });

  it('a stream that is not there reads as zeros', async () => {
    const { reader, tenant, otherTenant, stream } = await loadHistory();
    expect(await reader.streamOf(tenant, keyOf('assets/none'))).to.deep.equal([EMPTY_HEAD, 0n]);
    expect(await reader.streamOf(otherTenant, stream)).to.deep.equal([EMPTY_HEAD, 0n]);
  });
});

describe('verifyRecord', () => {
  type Claim = { tenant: Hex; stream: Hex; id: Hex; author: string; sequence: number; payload: Hex };

  const loadClaim = async () => {
    const { reader, tenant, writer, records, otherTenant, otherWriter } = await loadHistory();
    const claim: Claim = { tenant, author: writer.address, sequence: 2, ...records[1]! };
    const verify = (changes: Partial<Claim>) => {
      const { tenant, stream, id, author, sequence, payload } = { ...claim, ...changes };
      return reader.verifyRecord(tenant, stream, id, author, sequence, payload);
    };
    return { verify, claim, records, otherTenant, otherWriter };
  };

  it('a record that is there verifies', async () => {
    const { verify } = await loadClaim();
    expect(await verify({})).to.equal(true);
  });

  it('a record with any part changed does not verify', async () => {
    const { verify, claim, records, otherTenant, otherWriter } = await loadClaim();
    const changes: Partial<Claim>[] = [
      { tenant: otherTenant },
      { stream: keyOf('assets/another') },
      { id: records[0]!.id },
      { id: keyOf('event/none') },
      { author: otherWriter.address },
      { author: ZeroAddress },
      { sequence: 0 },
      { sequence: 1 },
      { sequence: 3 },
      { payload: `${claim.payload}00` },
      { payload: claim.payload.slice(0, -2) as Hex },
      { payload: payloadOf('another') },
      { payload: '0x' },
    ];
    for (const change of changes) expect(await verify(change), JSON.stringify(change)).to.equal(false);
  });

  it('a record that was not appended does not verify at any position', async () => {
    const { verify } = await loadClaim();
    for (const sequence of [0, 1, 4, 5]) {
      expect(await verify({ ...aRecord({ id: 'event/none' }), sequence })).to.equal(false);
    }
  });
});

describe('verifyHistory', () => {
  it('the complete list of digests in order verifies', async () => {
    const { reader, tenant, stream, digests } = await loadHistory();
    expect(await reader.verifyHistory(tenant, stream, digests)).to.equal(true);
  });

  it('a list that misses, adds, repeats, moves or changes a digest does not verify', async () => {
    const { reader, tenant, stream, digests } = await loadHistory();
    const [first, second, third, fourth] = digests as [Hex, Hex, Hex, Hex];
    const other = keyOf('digest/other');
    const lists = [
      [],
      [first, second, third],
      [second, third, fourth],
      [first, third, fourth],
      [...digests, other],
      [first, second, other, third, fourth],
      [...digests, fourth],
      [first, second, third, third],
      [first, third, second, fourth],
      [first, second, third, other],
    ];
    for (const list of lists) expect(await reader.verifyHistory(tenant, stream, list)).to.equal(false);
  });

  it("the list of one stream is not another's", async () => {
    const { reader, tenant, otherTenant, stream, digests } = await loadHistory();
    expect(await reader.verifyHistory(tenant, keyOf('assets/none'), digests)).to.equal(false);
    expect(await reader.verifyHistory(otherTenant, stream, digests)).to.equal(false);
  });

  it("a list of another length than the stream's count does not verify, whatever its head", async () => {
    const { reader, tenant, stream } = await loadHistory();
    await forceStreamCount(reader, tenant, stream, 1n);
    expect(await reader.streamOf(tenant, stream)).to.deep.equal([EMPTY_HEAD, 1n]);
    expect(await reader.verifyHistory(tenant, stream, [])).to.equal(false);
  });

  it('the empty list is the history of a stream without records', async () => {
    const { reader, tenant } = await loadHistory();
    expect(await reader.verifyHistory(tenant, keyOf('assets/none'), [])).to.equal(true);
  });
});
