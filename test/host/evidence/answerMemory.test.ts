import { expect } from 'chai';
import { createAnswerMemory } from '../../../host/evidence/answerMemory.ts';
import type { LedgerError } from '../../../ledger/errors.ts';

const OPTIONS = { smallMax: 10, partyMax: 100, tenantsMax: 250 };

const asker = (tenantIdentity: string, isPublic = false, network?: string) => ({ tenantIdentity, isPublic, network });
const codeOf = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    return (error as LedgerError).code;
  }
  return 'held';
};

describe('the memory of large evidence files', () => {
  const setUp = () => {
    const open = createAnswerMemory(OPTIONS);
    const hold = (...[characters, ...of]: [number, ...Parameters<typeof asker>]) => {
      const held = open(asker(...of));
      return { ...held, code: codeOf(() => held.holdAtLeast(characters)) };
    };
    return { open, hold };
  };

  it('is limited for each tenant, and for all', () => {
    const { hold } = setUp();
    expect([hold(60, 'a').code, hold(41, 'a').code, hold(40, 'a').code]).to.deep.equal([
      'held',
      'EVIDENCE_PENDING',
      'held',
    ]);
    expect([hold(76, 'b').code, hold(75, 'b').code]).to.deep.equal(['EVIDENCE_PENDING', 'held']);
    expect([hold(38, 'c').code, hold(37, 'c').code]).to.deep.equal(['EVIDENCE_PENDING', 'held']);
    expect(hold(19, 'd').code).to.equal('held');
  });

  it('has a part of its own for all who have no token, and leaves as much free as one network has', () => {
    const { hold } = setUp();
    expect([hold(51, 'a', true, 'one').code, hold(50, 'a', true, 'one').code]).to.deep.equal([
      'EVIDENCE_PENDING',
      'held',
    ]);
    expect([hold(26, 'b', true, 'other').code, hold(25, 'b', true, 'other').code]).to.deep.equal([
      'EVIDENCE_PENDING',
      'held',
    ]);
    expect(hold(100, 'a').code).to.equal('held');
  });

  it('counts a file once, from its first large part until it is released', () => {
    const { open, hold } = setUp();
    const held = open(asker('a'));
    for (const characters of [5, 30, 20, 70]) held.holdAtLeast(characters);
    expect([hold(31, 'a').code, hold(10, 'a').code]).to.deep.equal(['EVIDENCE_PENDING', 'held']);
    held.release();
    held.release();
    expect([hold(101, 'a').code, hold(100, 'a').code]).to.deep.equal(['EVIDENCE_PENDING', 'held']);
  });

  it('does not count small files', () => {
    const { hold } = setUp();
    expect(hold(100, 'a').code).to.equal('held');
    for (let count = 0; count < 20; count += 1) expect(hold(10, 'a').code).to.equal('held');
  });
});
