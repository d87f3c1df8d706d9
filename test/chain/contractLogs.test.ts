import { expect } from 'chai';
import { Interface } from 'ethers';
import fc from 'fast-check';
import { addContractLog, CONTRACT_TOPICS, createContractLogs, decodeAttestedLog } from '../../chain/contractLogs.ts';
import { LEDGER_ABI } from '../../chain/ledgerAbi.ts';
import type { RpcLog } from '../../chain/recordLog.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';

const ethersInterface = new Interface(LEDGER_ABI);
const NAMES = ['RecordAppended', 'TenantAttested', 'StreamAttested', 'RecordAttested'];

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);

const encode = (event: string, values: readonly unknown[]): RpcLog => ({
  ...ethersInterface.encodeEventLog(event, [...values]),
  blockNumber: '0x7',
  blockHash: `0x${'77'.repeat(32)}`,
  transactionHash: `0x${'88'.repeat(32)}`,
  transactionIndex: '0x3',
  logIndex: '0x2',
});
const PLACE = { blockNumber: 7, transactionIndex: 3, logIndex: 2, receiptBytes: 9 };

const codeOf = (log: RpcLog): string => {
  try {
    addContractLog(createContractLogs(), log, 0, () => 0);
  } catch (error) {
    return error instanceof LedgerError ? error.code : String(error);
  }
  return 'decoded';
};

describe('logs of the contract', () => {
  it('have the topics that ethers computes', () => {
    const topics = NAMES.map((name) => ethersInterface.getEvent(name)!.topicHash);
    expect(CONTRACT_TOPICS).to.have.members(topics);
  });

  it('of trees are decoded as ethers encodes them', () => {
    const check = fc.property(bytes(32), fc.maxSafeNat(), bytes(32), (tenant, size, root) => {
      const { tenantKey, ...log } = decodeAttestedLog(encode('TenantAttested', [tenant, size, root]), 9);
      if (log.event !== 'TenantAttested') return expect.fail(log.event);
      expect([toHex(tenantKey), log.size, toHex(log.root)]).to.deep.equal([tenant, size, root]);
      expect(log).to.deep.include(PLACE);
    });
    fc.assert(check);
  });

  for (const event of ['StreamAttested', 'RecordAttested'] as const)
    it(`of ${event} are decoded as ethers encodes them`, () => {
      const check = fc.property(bytes(32), bytes(32), bytes(28), fc.nat(2 ** 32 - 1), (tenant, key, hash, count) => {
        const log = decodeAttestedLog(encode(event, [tenant, key, hash, count]), 9);
        if (log.event !== event) return expect.fail(log.event);
        expect([toHex(log.tenantKey), toHex(log.key), toHex(log.hash), log.count]).to.deep.equal([
          tenant,
          key,
          hash,
          count,
        ]);
        expect(log).to.deep.include(PLACE);
      });
      fc.assert(check);
    });

  it('are refused in a form that the contract does not write', () => {
    const word = toHex(new Uint8Array(32).fill(1));
    const tree = encode('TenantAttested', [word, 5, word]);
    const stream = encode('StreamAttested', [word, word, word.slice(0, 58), 5]);
    const wrong: RpcLog[] = [
      { ...tree, topics: tree.topics.slice(0, 1) },
      { ...tree, topics: [...tree.topics, word] },
      { ...tree, data: tree.data.slice(0, -2) },
      { ...tree, data: `${tree.data}00` },
      { ...tree, data: `0x${'ff'.repeat(64)}` },
      { ...tree, data: `0x${'00'.repeat(24)}${'ff'.repeat(8)}${'00'.repeat(32)}` },
      { ...stream, topics: stream.topics.slice(0, 2) },
      { ...stream, data: `0x${'11'.repeat(32)}${'00'.repeat(32)}` },
      { ...stream, data: stream.data.replace(/.$/, 'z') },
    ];
    expect([tree, stream].map(codeOf)).to.deep.equal(['decoded', 'decoded']);
    expect(wrong.map(codeOf)).to.deep.equal(wrong.map(() => 'CHAIN_CORRUPT'));
  });
});
