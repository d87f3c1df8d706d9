// The bound on what one asset may hold.
import { expect } from 'chai';
import { ASSET_ATTRIBUTES_CHARACTERS_MAX, assertAssetFits } from '../../ledger/assetSize.ts';
import type { LedgerError } from '../../ledger/errors.ts';

const FRAME = JSON.stringify({ a: '', b: '' }).length;
const full = { a: 'x'.repeat(ASSET_ATTRIBUTES_CHARACTERS_MAX - FRAME - 1) };

const codeOf = (changes: Record<string, string>): string => {
  try {
    assertAssetFits(full, changes);
    return 'fits';
  } catch (error) {
    return (error as LedgerError).code;
  }
};

describe('assertAssetFits', () => {
  it('takes what fills the asset to the last character, and no more', () => {
    expect(codeOf({ b: 'y' })).to.equal('fits');
    expect(codeOf({ b: 'yy' })).to.equal('ASSET_TOO_LARGE');
  });

  it('counts what is replaced once', () => {
    expect(codeOf({ a: 'short' })).to.equal('fits');
  });

  it('does not count for events that change nothing of the asset', () => {
    expect(codeOf({})).to.equal('fits');
  });
});
