// What a person reads of a check.
import { expect } from 'chai';
import type { CheckResult } from '../../../explorer/check/checkFile.ts';
import { describeAttached, listSaid, toSentence } from '../../../explorer/check/verdictWords.ts';

const BLOB = { identity: 'blobs/1', attached_by: [], attached_by_total: 0 };
const toEvidence = (exitCode: 0 | 1 | 3) => ({ kind: 'evidence', verdict: { exitCode } }) as CheckResult;
const toChain = (isVerified: boolean) => ({ kind: 'chain', verdict: { isVerified } }) as CheckResult;
const toFile = (blobs: (typeof BLOB)[], statedBy: string[] = []): CheckResult => ({
  kind: 'file',
  hash: '',
  blobs,
  statedBy,
});

describe('the answer of a check', () => {
  const CASES = [
    ['proofs under roots of the reader', toEvidence(0), 'good', 'Proved'],
    ['proofs that fit, without roots', toEvidence(3), 'waiting', 'Consistent'],
    ['proofs of something else', toEvidence(1), 'bad', 'Rejected'],
    ['what the contract has', toChain(true), 'good', 'On the ledger'],
    ['what the contract does not have', toChain(false), 'bad', 'Rejected'],
    ['a file of the ledger', toFile([BLOB]), 'good', 'On the ledger'],
    ['a hash that an event states', toFile([], ['assets/1/events/1']), 'good', 'On the ledger'],
    ['another file', toFile([]), 'bad', 'Not found'],
  ] as const;
  for (const [name, result, tone, word] of CASES)
    it(`is “${word}” for ${name}`, () => expect(toSentence(result)).to.deep.include({ tone, word }));

  it('says for each word what it means', () => {
    const meanings = new Set(CASES.map(([, result]) => toSentence(result).text));
    expect(meanings).not.to.include('');
    expect(meanings.size).to.equal(CASES.length - 1);
    expect(toSentence(toEvidence(1))).to.equal(toSentence(toChain(false)));
  });

  it('lists each question that is answered, and of the others those with a reason', () => {
    const findings = [
      { question: 'content', answer: 'proved', text: '' },
      { question: 'author', answer: 'refuted', text: '' },
      { question: 'chain', answer: 'not answered', text: 'compare with others' },
      { question: 'seals', answer: 'not answered', text: '' },
    ] as const;
    expect(listSaid(findings).map(({ question }) => question)).to.eql(['content', 'author', 'chain']);
  });

  it('says how many events attach a file besides the newest', () => {
    const attached_by = ['assets/1/events/2', 'assets/1/events/3'];
    const describeOf = (attached_by_total: number) => describeAttached({ attached_by, attached_by_total });
    expect(describeOf(2)).to.eql(['attached by', '']);
    expect(describeOf(1_236)).to.eql(['attached by', `and ${(1_234).toLocaleString()} older events`]);
    expect(describeAttached(BLOB)).to.eql(['attached by no event yet', '']);
  });
});
