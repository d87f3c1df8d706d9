// Whether a server says that it can do its work, over a real ledger whose parts fail.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { withFailingLevel } from '../support/levelMethod.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger, type TestServer } from '../support/testLedger.ts';

describe('readiness', () => {
  let ledger: Ledger;
  let server: TestServer;
  let remove: () => Promise<void>;
  let isStopping = false;

  before(async () => {
    const directory = await createTemporaryDirectory();
    remove = directory.remove;
    ledger = await openTestLedger(directory.path);
    server = await serveTestLedger(ledger);
  });
  after(async () => {
    await server.close();
    await ledger.close();
    await remove();
  });

  const find = (changes: Partial<Ledger> = {}) =>
    createFindHealthIssues(
      () => readLedgerState({ ...ledger, ...changes }),
      () => isStopping,
    )();
  const namesOf = async (changes: Partial<Ledger> = {}) => (await find(changes)).map(({ name }) => name);
  const withChain = (fetchFinalHead: Ledger['chain']['fetchFinalHead']) => ({
    chain: { ...ledger.chain, fetchFinalHead },
  });

  it('is there when chain, index and outbox are', async () => {
    expect(await find()).to.eql([]);
  });

  it('is gone while the chain is away, whether it refuses or says nothing', async () => {
    expect(await namesOf(withChain(() => Promise.reject(new Error('away'))))).to.eql(['chain']);
    expect(await namesOf(withChain(() => new Promise(() => undefined)))).to.eql(['chain']);
  });

  it('is gone while the nodes are of another chain, and says so', async () => {
    const assertSame = (): never => {
      throw new LedgerError('CHAIN_MISMATCH', { message: 'another chain' });
    };
    const issues = await find({ chain: { ...ledger.chain, assertSame } });
    expect(issues).to.eql([{ name: 'chain', reason: 'another chain' }]);
  });

  it('is gone while the index is far behind the chain, not when it is a few blocks', async () => {
    const { number, hash } = await ledger.chain.fetchFinalHead();
    const ahead = (blocks: number) => withChain(async () => ({ number: number + blocks, hash }));
    expect(await namesOf(ahead(64))).to.eql([]);
    expect(await namesOf(ahead(65))).to.eql(['index']);
  });

  it('is gone when the index can not be read', async () => {
    const store = {
      ...ledger.store,
      readCursor: () => {
        throw new Error('damaged');
      },
    };
    expect(await namesOf({ store })).to.eql(['index']);
  });

  it('is gone when the server stops', async () => {
    isStopping = true;
    expect(await namesOf()).to.eql(['stopping']);
    isStopping = false;
  });

  it('does not return after the disk was full, and writes are 503 STORAGE_FULL', async () => {
    const tenant = await createFixtureTenant(ledger, server, 'alpha');
    await tenant.createAsset();
    const full = new Error('IO error: 000003.log: No space left on device');
    const answers: { status: number; body: unknown }[] = [];
    await withFailingLevel('batch', async () => answers.push(await tenant.post('assets', {})), full);
    answers.push(await tenant.post('assets', {}));
    for (const { status, body } of answers) {
      expect(status).to.equal(503);
      expect(body).to.deep.include({ code: 14, details: [{ error: 'STORAGE_FULL' }] });
    }
    expect(await namesOf()).to.eql(['outbox']);
    expect((await tenant.get('assets')).status).to.equal(200);
  });
});
