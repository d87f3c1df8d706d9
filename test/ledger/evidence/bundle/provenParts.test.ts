// Logs of receipts: what is no log of the contract that proves something is refuted, and why.
import { expect } from 'chai';
import { Refuted } from '../../../../ledger/evidence/bundle/findings.ts';
import { type HashedBlock, proveLog } from '../../../../ledger/evidence/bundle/provenParts.ts';
import { buildListTrie } from '../../../../ledger/evidence/listTrie.ts';
import { encodeReceipt, type ReceiptLog } from '../../../../ledger/evidence/receipt.ts';
import { UnreadableEvidence } from '../../../../ledger/evidence/unreadableEvidence.ts';

const CONTRACT = new Uint8Array(20).fill(7);
// Of another event than those that the contract's evidence is made of.
const OTHER: ReceiptLog = { address: CONTRACT, topics: [new Uint8Array(32)], data: new Uint8Array() };

describe('a log of an evidence file', () => {
  const prove = (logs: readonly ReceiptLog[], { block = 0, transaction = 0, log = 0 } = {}): unknown => {
    const bytes = { type: 2, isSuccessful: true, cumulativeGasUsed: 1, bloom: new Uint8Array(256), logs };
    const trie = buildListTrie([encodeReceipt(bytes)]);
    const blocks = [{ number: 3, header: { receiptsRoot: trie.root } } as HashedBlock];
    try {
      return proveLog({ kind: 'log', block, transaction, nodes: trie.prove(transaction), log }, blocks, CONTRACT);
    } catch (error) {
      return error;
    }
  };
  const questionOf = (error: unknown): string => (error instanceof Refuted ? error.question : String(error));

  it('is refuted when it is none that proves something', () => {
    expect(questionOf(prove([OTHER]))).to.equal('chain');
  });

  it('is refuted when the receipt has no such log, or none of the contract', () => {
    expect(questionOf(prove([OTHER], { log: 1 }))).to.equal('chain');
    expect(questionOf(prove([{ ...OTHER, address: new Uint8Array(20) }]))).to.equal('chain');
  });

  it('is refuted when the block has no such receipt', () => {
    expect(questionOf(prove([OTHER], { transaction: 1 }))).to.equal('chain');
  });

  it('is unreadable when the file has no such block', () => {
    expect(prove([OTHER], { block: 1 })).to.be.instanceOf(UnreadableEvidence);
  });
});
