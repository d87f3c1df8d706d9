// What a kill can't show: that the journal asks the disk, not only the kernel.
import { expect } from 'chai';
import { watchPuts } from '../../../support/levelMethod.ts';
import { createAccount, createChains, EMITTER_CODE, signRaw } from '../fixtures.ts';

describe('journal of the embedded chain', () => {
  const chains = createChains();
  afterEach(() => chains.clean());

  it('syncs the genesis and every block', async () => {
    const synced = await watchPuts(async () => {
      const chain = await chains.start(await chains.makeDirectory());
      await chain.submitTransaction(await signRaw(createAccount(), 0, { data: EMITTER_CODE }));
    });
    expect(synced).to.deep.equal([true, true]);
  });
});
