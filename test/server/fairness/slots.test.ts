import { expect } from 'chai';
import { createSlots } from '../../../server/fairness/slots.ts';

describe('slots', () => {
  const ended: string[] = [];
  const create = (limits = {}) => {
    ended.length = 0;
    const slots = createSlots({ max: 4, ofPartyMax: 3, ofMemberMax: 2, ...limits });
    return (party: string, member: string) =>
      slots.take({ party, member, end: () => void ended.push(`${party} ${member}`) });
  };

  it('are as many for a member as it may have', () => {
    const take = create();
    for (let count = 0; count < 2; count += 1) expect(take('1', 'ann')).to.be.a('function');
    expect(take('1', 'ann')).to.equal('own');
    expect(take('1', 'bob')).to.be.a('function');
    expect(take('2', 'ann')).to.be.a('function');
  });

  it('are as many for a party as it may have', () => {
    const take = create();
    for (const member of ['ann', 'bob', 'cy']) take('1', member);
    expect(take('1', 'dan')).to.equal('own');
    expect(take('2', 'dan')).to.be.a('function');
  });

  it('are as many for all as there are, when each party has one', () => {
    const take = create();
    for (const party of ['1', '2', '3', '4']) take(party, 'ann');
    expect(take('5', 'ann')).to.equal('all');
    expect(ended).to.deep.equal([]);
  });

  it('go from the party with the most, the newest first, until others have as many', () => {
    const take = create({ max: 6, ofPartyMax: 5, ofMemberMax: 5 });
    for (const member of ['a', 'b', 'c', 'd', 'e']) take('1', member);
    take('2', 'a');
    expect(take('2', 'b')).to.be.a('function');
    expect(take('3', 'a')).to.be.a('function');
    expect(take('3', 'b')).to.be.a('function');
    expect(ended).to.deep.equal(['1 e', '1 d', '1 c']);
    for (const party of ['1', '2', '3']) expect(take(party, 'f')).to.equal('all');
    expect(take('4', 'a')).to.be.a('function');
    expect(ended).to.have.length(4);
  });

  it('are free again when they are returned, each once, also one that was displaced', () => {
    const take = create({ max: 2, ofMemberMax: 3 });
    const [, displaced] = [take('1', 'ann'), take('1', 'bob')];
    const release = take('2', 'cy');
    for (let count = 0; count < 3; count += 1) {
      (displaced as () => void)();
      if (count === 0) (release as () => void)();
      if (count === 0) expect(take('2', 'cy')).to.be.a('function');
      expect(take('2', 'dan')).to.equal('all');
    }
  });
});
