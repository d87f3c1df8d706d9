// Shows what killing the process can't: that the journal is synced to the disk, not only written to the kernel.
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
