import { expect } from 'chai';
import { type AccountNonces, createAccountNonces } from '../../../chain/writing/accountNonces.ts';

describe('the nonces of an account', () => {
  let nonces: AccountNonces;
  beforeEach(() => {
    nonces = createAccountNonces();
  });
  const take = (...counts: number[]): number[] => counts.map((count) => nonces.takeNext(count));

  it('are the count of its mined transactions, or follow those that are taken', () => {
    expect(take(5, 5, 5, 9, 3)).to.deep.equal([5, 6, 7, 9, 10]);
    for (const nonce of [5, 6, 7, 9, 10]) nonces.release(nonce);
    expect(take(4)).to.deep.equal([4]);
  });

  it('are not taken between others by a new transaction, whose order they would change', () => {
    take(5, 8);
    expect(take(5)).to.deep.equal([9]);
  });

  it('that were refused are taken first, unless blocks have them or no later one waits', () => {
    expect(take(5, 5, 5, 5)).to.deep.equal([5, 6, 7, 8]);
    for (const nonce of [7, 5, 8]) nonces.giveUp(nonce);
    expect(take(5)).to.deep.equal([5]);
    nonces.noteCount(7);
    expect(take(7)).to.deep.equal([7]);
    nonces.giveUp(7);
    expect(take(7)).to.deep.equal([7]);
  });

  it('are those that are missing before a transaction that has moved, once it has', () => {
    take(9, 9);
    expect(nonces.moveToFirstFree(9, 5)).to.equal(5);
    expect(take(6, 6, 6, 6)).to.deep.equal([6, 7, 8, 11]);
  });

  it('that are missing before a transaction that has moved can be taken at once', () => {
    take(9, 9);
    nonces.moveToFirstFree(9, 5);
    expect(nonces.takeMissing(8)).to.deep.equal([6, 7]);
    expect(nonces.takeMissing(8)).to.deep.equal([]);
    expect(take(6, 6)).to.deep.equal([8, 11]);
  });

  it('move to the first that is free, which may be the same', () => {
    take(5, 7, 8);
    expect(nonces.moveToFirstFree(7, 5)).to.equal(6);
    expect(nonces.moveToFirstFree(5, 5)).to.equal(5);
    expect(nonces.moveToFirstFree(5, 7)).to.equal(7);
    expect(take(0)).to.deep.equal([9]);
  });

  it('have a gap for the first transaction after missing ones only', () => {
    take(6, 7, 9);
    const behind = (count: number): number[] => [6, 7, 9].filter((nonce) => nonces.isFirstBehindGap(nonce, count));
    expect(behind(5)).to.deep.equal([6]);
    expect(behind(6)).to.deep.equal([9]);
    expect(behind(8)).to.deep.equal([9]);
    expect(behind(9)).to.deep.equal([]);
    expect(behind(100)).to.deep.equal([]);
  });
});
