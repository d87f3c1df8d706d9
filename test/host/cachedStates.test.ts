import { expect } from 'chai';
import { CACHED_STATES } from '../../chain/embedded/rpc/stateBounds.ts';
import { openLedgerForOperator } from '../../host/operator/ledgerForOperator.ts';
import { openChain } from '../support/chainLedger.ts';
import { useDirectories } from '../support/directories.ts';
import { failureOf } from '../support/refusals.ts';

const NO_NUMBER = 'all';

describe('the states that the embedded chain keeps', () => {
  const makeDirectory = useDirectories();
  const before = process.env.__EDR_MAX_CACHED_STATES;
  afterEach(() => {
    if (before === undefined) delete process.env.__EDR_MAX_CACHED_STATES;
    else process.env.__EDR_MAX_CACHED_STATES = before;
  });

  it('have a limit that the engine reads when it creates a chain', async () => {
    process.env.__EDR_MAX_CACHED_STATES = NO_NUMBER;
    expect(String(await failureOf(openChain(await makeDirectory())))).to.include('Invalid max cached states');
  });

  it('have the limit of the public port in every ledger that is opened', async () => {
    process.env.__EDR_MAX_CACHED_STATES = NO_NUMBER;
    await (await openLedgerForOperator(await makeDirectory())).close();
    expect(process.env.__EDR_MAX_CACHED_STATES).to.equal(String(CACHED_STATES));
  });
});
