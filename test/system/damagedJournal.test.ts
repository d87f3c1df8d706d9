// A journal that a disk has damaged: refused with the first missing block, and no database is changed.
import { cp, readdir, rm } from 'node:fs/promises';
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { cutTail, filesIn, flipBit, newestLogOf } from '../support/damagedFiles.ts';
import { useDirectoryCopies, withNewTenant } from '../support/directoryCopies.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { openTestLedger } from '../support/testLedger.ts';

const refusal = async (task: Promise<unknown>): Promise<LedgerError> => {
  const error = await task.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(LedgerError);
  return error as LedgerError;
};

const EVENTS = 30;
const CUT_BYTES = 20_000;

describe('a damaged journal', () => {
  let head: { number: number; hash: string };
  const { whole, copyUndamaged: copyAll } = useDirectoryCopies((path) =>
    withNewTenant(path, 'alpha', async ({ ledger, tenant }) => {
      const asset = await tenant.createAsset();
      for (let event = 0; event < EVENTS; event += 1) {
        expect((await tenant.record(asset, `event ${event} ${'x'.repeat(2_000)}`)).body.confirmation_status).to.equal(
          'CONFIRMED',
        );
      }
      head = await ledger.chain.fetchFinalHead();
    }),
  );

  const copyUndamaged = async () => {
    const paths = await copyAll();
    return { ...paths, log: await newestLogOf(paths.chain) };
  };

  const open = async (dataDir: string, problems: string[] = []): Promise<void> => {
    const ledger: Ledger = await openTestLedger(dataDir, { problems });
    const { number, hash } = await ledger.chain.fetchFinalHead();
    await ledger.close();
    expect({ number, hash }).to.deep.equal(head);
  };

  // Returns the refusal, and asserts that the index is unchanged.
  const refusalOf = async (dataDir: string): Promise<LedgerError> => {
    const before = await dumpDirectory(dataDir);
    const error = await refusal(open(dataDir));
    expect(error.code).to.equal('CHAIN_CORRUPT');
    expect(await dumpDirectory(dataDir)).to.deep.equal(before);
    return error;
  };
  const missingIn = ({ message }: Error): number =>
    Number(/block (\d+) is the first that is missing/.exec(message)?.[1]);

  it('is refused at every start when its end was cut off', async () => {
    const { dataDir, log } = await copyUndamaged();
    await cutTail(log, CUT_BYTES);
    const first = await refusalOf(dataDir);
    expect(missingIn(first)).to.be.within(head.number - EVENTS, head.number);
    expect(first.message).to.contain('npm run repair');
    expect(missingIn(await refusalOf(dataDir))).to.equal(missingIn(first));
  });

  it('is refused when a bit near its end was flipped, and its log is unchanged', async () => {
    const { dataDir, log } = await copyUndamaged();
    await flipBit(log, -500);
    await refusalOf(dataDir);
    await refusalOf(dataDir);
  });

  it('is refused when a bit in the middle of its log was flipped', async () => {
    const { dataDir, chain, log } = await copyUndamaged();
    await flipBit(log, -CUT_BYTES);
    const files = await readdir(chain);
    expect(missingIn(await refusalOf(dataDir))).to.be.within(head.number - EVENTS, head.number);
    expect(await readdir(chain)).to.deep.equal(files);
  });

  it('is refused when only the copy of its newest blocks, the index, or the outbox proves a later block', async () => {
    const witnesses = ['index', 'recentBlocks', 'outbox'] as const;
    for (const left of witnesses) {
      const copy = await copyUndamaged();
      await cutTail(copy.log, CUT_BYTES);
      for (const other of witnesses) if (other !== left) await rm(copy[other], { recursive: true });
      const error = await refusal(open(copy.dataDir));
      expect(error.code, left).to.equal('CHAIN_CORRUPT');
      expect(missingIn(error), left).to.be.within(head.number - EVENTS, head.number);
    }
  });

  it('is refused when it is missing or empty and another file of its ledger exists', async () => {
    const { dataDir, chain } = await copyUndamaged();
    await rm(chain, { recursive: true });
    expect((await refusal(open(dataDir))).code).to.equal('CHAIN_MISMATCH');
    await cp(whole().chain, chain, { recursive: true });
    for (const path of [...(await filesIn(chain, '.log')), ...(await filesIn(chain, '.ldb'))]) await rm(path);
    const error = await refusal(open(dataDir));
    expect([error.code, missingIn(error)]).to.deep.equal(['CHAIN_CORRUPT', 0]);
  });

  it('is accepted when only the copy of its newest blocks is damaged, which is reported and written again', async () => {
    const { dataDir, recentBlocks, index, chain, log } = await copyUndamaged();
    const problems: string[] = [];
    await flipBit(await newestLogOf(recentBlocks), 5_000);
    await open(dataDir, problems);
    expect(problems).to.have.length(1);
    await rm(recentBlocks, { recursive: true });
    await open(dataDir, problems);
    expect(problems).to.have.length(1);
    await rm(index, { recursive: true });
    await rm(chain, { recursive: true });
    await cp(whole().chain, chain, { recursive: true });
    await cutTail(log, CUT_BYTES);
    expect((await refusal(open(dataDir))).code).to.equal('CHAIN_CORRUPT');
  });
});
