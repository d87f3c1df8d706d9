// The readiness that a server reports, over a real ledger whose parts fail.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { FULL, withFailingLevel } from '../support/levelMethod.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  serveTestLedger,
} from '../support/testLedger.ts';
import { until } from '../support/until.ts';

describe('readiness', () => {
  let ledger: Ledger;
  let server: ListeningServer;
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

  it('is reported when chain, index and outbox are available', async () => {
    expect(await find()).to.eql([]);
  });

  it('is not reported while the chain refuses or does not answer', async () => {
    expect(await namesOf(withChain(() => Promise.reject(new Error('away'))))).to.eql(['chain']);
    expect(await namesOf(withChain(() => new Promise(() => undefined)))).to.eql(['chain']);
  });

  it('is not reported while the nodes are of another chain, and the reason is given', async () => {
    const assertSame = (): never => {
      throw new LedgerError('CHAIN_MISMATCH', { message: 'another chain' });
    };
    const issues = await find({ chain: { ...ledger.chain, assertSame } });
    expect(issues).to.eql([{ name: 'chain', reason: 'another chain' }]);
  });

  it('is not reported while the index is more than 64 blocks behind the chain', async () => {
    const { number, hash } = await ledger.chain.fetchFinalHead();
    const ahead = (blocks: number) => withChain(async () => ({ number: number + blocks, hash }));
    expect(await namesOf(ahead(64))).to.eql([]);
    expect(await namesOf(ahead(65))).to.eql(['index']);
  });

  it('is not reported when the index cannot be read', async () => {
    const store = {
      ...ledger.store,
      readCursor: () => {
        throw new Error('damaged');
      },
    };
    expect(await namesOf({ store })).to.eql(['index']);
  });

  it('has a notice while witnesses refuse the block log', async () => {
    const find = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
      () => ['witness.example/w'],
    );
    const [issue, ...others] = await find();
    expect([issue!.name, issue!.isNotice, others.length]).to.deep.equal(['WITNESSES_REFUSE', true, 0]);
  });

  it('is not reported when the server stops', async () => {
    isStopping = true;
    expect(await namesOf()).to.eql(['stopping']);
    isStopping = false;
  });

  it('is not reported after a write failed on a full disk, and writes are answered 503 STORAGE_FULL', async () => {
    const tenant = await createFixtureTenant(ledger, server, 'alpha');
    await tenant.createAsset();
    await ledger.store.written();
    let submitted: Promise<{ status: number }> | undefined;
    const writeToFullDisk = async (): Promise<void> => {
      submitted = tenant.post('assets', {});
      await until(async () => (await namesOf()).includes('outbox'));
      expect(await namesOf()).to.have.members(['chain', 'outbox']);
      const { status, body } = await tenant.post('assets', {});
      expect(status).to.equal(503);
      expect(body).to.deep.include({ code: 14, details: [{ error: 'STORAGE_FULL' }] });
    };
    await withFailingLevel('put', () => withFailingLevel('batch', writeToFullDisk, FULL), FULL);
    expect((await submitted!).status).to.equal(200);
    expect((await tenant.get('assets')).status).to.equal(200);
  });
});
